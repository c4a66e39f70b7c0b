"""Errors of the journal in words, and its state in numbers.

Law: a line that could not be written was not written, and the request is refused with one sentence
about the disk, not about the program.
"""

from pathlib import Path

import msgspec

from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import N_


class JournalFailed(ExplainedError):
    """A line could not be written; `say` is the reason for people."""


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
