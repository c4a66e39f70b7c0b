"""Print what this version says of the games of a journal, one line of JSON each.

With the folder of the data alone: which games it knows, then id and game of each in the journal,
the newest first. With ids after it: what each of these comes to, or that it cannot be replayed.
It is run by a version's own Python, the one that runs and the new one, as the user of the service.
A version that is too old to be asked ends with status 3, one that hangs by a signal.
"""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.games import game_names
from companion.journal import Journal

try:
    from companion.records.witness import list_witnessed, witness_game
except ImportError:
    sys.exit(3)

LONGEST = 120
"""Seconds for one game; the longest evening takes a Zero 2 two."""


def tell(path: Path, ids: list[str]) -> Iterator[dict[str, object]]:
    """Yield what was asked for."""
    if not ids:
        yield {"knows": sorted(game_names())}
    if path.exists():
        with closing(Journal(path, read_only=True, every_line=False)) as journal:
            listed = list(list_witnessed(journal))
            games = {str(each["id"]): str(each["game"]) for each in listed}
            yield from (tell_game(journal, id, games[id]) for id in ids) if ids else listed


def tell_game(journal: Journal, id: str, game: str) -> dict[str, object]:
    """Return what a game comes to; a fault of this version is an answer too."""
    signal.alarm(LONGEST)
    try:
        return witness_game(journal, id, game)
    except Exception as error:  # noqa: BLE001
        return {"id": id, "fails": type(error).__name__}


for told in tell(Path(sys.argv[1]) / "journal.sqlite3", sys.argv[2:]):
    print(json.dumps(told))
