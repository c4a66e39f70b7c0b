"""What a table knows after an evening: a journal with a game, and an identity; closed in good
order, or as a power cut leaves both, with their last writes in the logs beside them."""

import shutil
import time
from contextlib import closing
from pathlib import Path

from companion.games import make_rulebook
from companion.identity.store import IdentityStore
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table


def play_evening(data: Path, closed: bool = True) -> None:
    """Write these files into a folder."""
    scratch = data.with_name("evening")
    scratch.mkdir()
    journal = Journal(scratch / "journal.sqlite3")
    identity = IdentityStore(scratch / "identity.sqlite3")
    with closing(journal), closing(identity):
        rules = make_rulebook("robby_solo")
        table = Table(rules, journal, None, time.time)
        assert table.start(rules.start_event("g", ("Ana", "Ben", "Cem")), HOST_AUTHOR) is None
        if not closed:
            shutil.copytree(scratch, data, dirs_exist_ok=True)
    if closed:
        shutil.copytree(scratch, data, dirs_exist_ok=True)
    shutil.rmtree(scratch)


def files_of_evening(data: Path) -> dict[str, bytes]:
    """Every file of a data folder, to the byte, but for SQLite's notes of who reads, and for what a
    version on trial made of a file, which lies beside it."""
    return {
        path.name: path.read_bytes()
        for path in sorted(data.iterdir())
        if path.is_file() and not path.name.endswith("-shm") and ".newer-" not in path.name
    }
