"""Print what the games of a journal come to, one line of JSON each, as this version judges them.

It is run by a version's own Python, the one that runs and the new one, as the user of the service.
A version that is too old to be asked ends with status 3.
"""

import json
import sys
from contextlib import closing
from pathlib import Path

from companion.journal import Journal

try:
    from companion.records.witness import witness_games
except ImportError:
    sys.exit(3)

path = Path(sys.argv[1]) / "journal.sqlite3"
if path.exists():
    with closing(Journal(path, read_only=True, every_line=False)) as journal:
        for told in witness_games(journal):
            print(json.dumps(told))
