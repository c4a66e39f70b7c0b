"""Errors of the journal in words, and its state in numbers.

Law: a line that could not be written was not written, and the request is refused with one sentence
about the disk, not about the program.
"""

import sqlite3
from pathlib import Path

import msgspec

from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import N_, Message, message

PERMISSION, BUSY, LOCKED, MEMORY, READ_ONLY, DISK, FULL, NO_ACCESS, NOT_ALLOWED = (
    3, 5, 6, 7, 8, 10, 13, 14, 23,
)  # fmt: skip
NOT_DAMAGE = (
    PERMISSION, BUSY, LOCKED, MEMORY, READ_ONLY, DISK, FULL, NO_ACCESS, NOT_ALLOWED,
)  # fmt: skip
"""What SQLite reports when the file itself may be in order."""

CUT_OFF = 522
"""The file ends too early: damage, though SQLite reports it as a disk error."""


class JournalFailed(ExplainedError):
    """A line could not be written; `say` is the reason for people."""


DAMAGED = N_("{field} is damaged: start the companion, which mends it, and try again.")


class DamagedJournal(Exception):
    """The file holds something that no journal holds, and is to be repaired."""


READ_ERRORS = (sqlite3.Error, DamagedJournal, UnicodeDecodeError)
"""What reading a damaged file may raise; UnicodeDecodeError where its schema is damaged."""


def error_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary code of the error."""
    return int(getattr(error, "sqlite_errorcode", 1)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Return whether the file is to blame, not the disk."""
    if not isinstance(error, sqlite3.Error):
        return True
    cut_off = getattr(error, "sqlite_errorcode", 0) == CUT_OFF
    closed = isinstance(error, sqlite3.ProgrammingError)
    return cut_off or not (closed or error_code(error) in NOT_DAMAGE)


def describe_error(error: Exception) -> Message:
    """Return why nothing can be written, in the user's words."""
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
    """Return the error for a file that is no journal, or cannot be read at all."""
    return Malformed(path.name, N_("{field} cannot be used as a journal: {reason}."), reason=reason)


class JournalHealth(msgspec.Struct, frozen=True):
    """The journal: its bytes and lines, whether it was repaired, how far it is verified.

    `checked` is the time at which its last old line was verified, None while that goes on; `free`
    the bytes that are free on its disk, None if unknown.
    """

    size: int
    lines: int
    proven: int
    mended: bool
    checked: float | None
    free: int | None
