"""Open the journal of a data folder for a command: to read it, or to add a game to it.

Laws: reading writes nothing, and a journal is made only for a game that comes in; before that a
restore that was interrupted is finished. What the journal noticed is told when it is closed, also
where the command failed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.backup.restore import finish_restore
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.journal import Journal

TellNotice = Callable[[Message], None]


@contextmanager
def open_for_reading(path: Path, tell: TellNotice) -> Iterator[Journal]:
    """Open a journal that is only read; Malformed if there is none."""
    if not path.exists():
        raise Malformed(str(path), N_("There is no journal at {field}."))
    with _closing(Journal(path, read_only=True), tell) as journal:
        yield journal


@contextmanager
def open_for_import(path: Path, tell: TellNotice) -> Iterator[Journal]:
    """Open a journal to write into it, or make one; Malformed if its folder cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        finish_restore(path.parent)
    except OSError as error:
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(str(path.parent), text, reason=error.strerror) from None
    with _closing(Journal(path), tell) as journal:
        yield journal


@contextmanager
def _closing(journal: Journal, tell: TellNotice) -> Iterator[Journal]:
    try:
        yield journal
    finally:
        for notice in journal.notices:
            tell(notice)
        journal.close()
