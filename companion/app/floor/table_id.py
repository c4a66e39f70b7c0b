"""The random id by which the topics of a table are told apart; it is no secret, and no name."""

import secrets
import threading
from contextlib import suppress
from pathlib import Path

from companion.core.durable_files import write_file
from companion.core.errors import NotWritten

FILE = "floor-id"
LENGTH = 12


def load_table_id(folder: Path) -> str:
    """Return the id of the table of this data folder; a new one if there is none."""
    try:
        kept = (folder / FILE).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        kept = ""
    is_id = len(kept) == LENGTH and set(kept) <= set("0123456789abcdef")
    return kept if is_id else renew_table_id(folder)


def renew_table_id(folder: Path) -> str:
    """Draw another id and keep it; on a full disk it counts until the end of this program."""
    drawn = secrets.token_hex(LENGTH // 2)
    with suppress(NotWritten):
        write_file(folder / FILE, drawn.encode())
    return drawn


class TableId:
    """The id of the table of a data folder, read when it is first asked for; on any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock, self._known = folder, threading.Lock(), ""

    def read_id(self) -> str:
        """Return the id; until the end of this program the same, whatever the disk does."""
        with self._lock:
            self._known = self._known or load_table_id(self._folder)
            return self._known

    def renew_id(self) -> str:
        """Draw another id, which counts from now on."""
        with self._lock:
            self._known = renew_table_id(self._folder)
            return self._known
