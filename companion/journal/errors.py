"""What can go wrong with a journal, and how it is said.

Law: a line that could not be written was not written, and whoever asked for it hears why in one
sentence, in words about the disk, not about the program.

How a journal is, in numbers: for the host, and for whoever is asked for help.
"""

import sqlite3
from pathlib import Path

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, get_language, message

PERMISSION, BUSY, LOCKED, MEMORY, READ_ONLY, DISK, FULL, NO_ACCESS, NOT_ALLOWED = (
    3, 5, 6, 7, 8, 10, 13, 14, 23,
)  # fmt: skip
NOT_DAMAGE = (
    PERMISSION, BUSY, LOCKED, MEMORY, READ_ONLY, DISK, FULL, NO_ACCESS, NOT_ALLOWED,
)  # fmt: skip
"""What SQLite reports when the file itself may be in order."""

CUT_OFF = 522
"""A disk error only by name: the file ends too early."""


class JournalFailed(Exception):
    """A line could not be written; `say` tells people why."""

    def __init__(self, say: Message) -> None:
        self.say = say
        super().__init__(get_language("en")(say))


class DamagedJournal(Exception):
    """The file holds something that no journal holds; the mending begins."""


READ_ERRORS = (sqlite3.Error, DamagedJournal, UnicodeDecodeError)
"""What reading a damaged file comes to; where its names are damaged, not even SQLite can say so."""


def error_code(error: sqlite3.Error) -> int:
    """SQLite's number for the kind of error."""
    return int(getattr(error, "sqlite_errorcode", 1)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Whether the file is to blame, not the disk."""
    if not isinstance(error, sqlite3.Error):
        return True
    cut_off = getattr(error, "sqlite_errorcode", 0) == CUT_OFF
    closed = isinstance(error, sqlite3.ProgrammingError)
    return cut_off or not (closed or error_code(error) in NOT_DAMAGE)


def describe_error(error: Exception) -> Message:
    """Why nothing can be written, in the user's words."""
    if not isinstance(error, sqlite3.Error):
        reason = getattr(error, "strerror", None) or str(error)
        return message("The journal cannot be written: {reason}.", reason=reason)
    match error_code(error):
        case 13:  # FULL
            return message("The disk is full: nothing more can be written until there is room.")
        case 8:  # READ_ONLY
            return message("The disk can only be read: nothing can be written.")
        case 10:  # DISK
            return message("The disk does not take what is written: it is full or failing.")
    return message("The journal cannot be written: {reason}.", reason=str(error))


def unusable_journal(path: Path, reason: object) -> Malformed:
    """This file is something else, or cannot be had at all."""
    return Malformed(path.name, N_("{field} cannot be used as a journal: {reason}."), reason=reason)


class JournalHealth(msgspec.Struct, frozen=True):
    """The journal: its bytes and lines, whether it had to be mended, how far it is proven.

    `checked` is the time at which its last old line was proven, None while that goes on; `free` how
    many bytes its disk still takes, None if nobody knows.
    """

    size: int
    lines: int
    proven: int
    mended: bool
    checked: float | None
    free: int | None
