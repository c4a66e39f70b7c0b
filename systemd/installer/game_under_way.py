"""Say whether a game is under way at this table: with status 4 if one is.

It is run by the Python of the version that runs, as the user of the service. A version that cannot
say it ends with another status, and does not stand in the way of a better one.
"""

import sys
from pathlib import Path

from companion.core.errors import Malformed
from companion.records.store import require_no_open_game

path = Path(sys.argv[1]) / "journal.sqlite3"
try:
    if path.exists():
        require_no_open_game(path)
except Malformed:
    sys.exit(4)
