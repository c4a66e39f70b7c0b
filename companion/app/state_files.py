"""The state files beside the journal: the saved set-up, and a new PIN from the command line.

Laws: only the companion's user may read them, and a file is there whole or not at all. What cannot
be read is made anew, and what cannot be written is refused.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from companion.app.settings import file_exists_error, journal_path
from companion.backup.privileges import as_owner
from companion.core.durable_files import write_file, write_new_file
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, Message, message
from companion.host.pin import Pin
from companion.identity import IdentityStore
from companion.identity.schema import FILE as IDENTITY_FILE
from companion.journal.lock import JournalBusy, JournalLock
from companion.journal.schema import require_own_format
from companion.setup import SavedSetup

UNREADABLE = (OSError, ValueError, RecursionError)
"""The exceptions of reading a file that is missing or damaged."""


def make_new_pin(folder: Path) -> tuple[str, bool]:
    """Make and save a new PIN; return its digits, and whether a companion runs there."""
    with _open_identity(folder) as (store, idle):
        return Pin(store).renew_pin(), not idle


@contextmanager
def _open_identity(folder: Path) -> Iterator[tuple[IdentityStore, bool]]:
    """Open who is who as the owner of the folder; yield it, and whether no companion runs there."""
    try:
        with as_owner(folder), _lock_if_idle(folder) as idle:
            require_own_format(journal_path(folder))
            store = IdentityStore(folder / IDENTITY_FILE, beside_companion=not idle)
            with closing(store):
                yield store, idle
    except OSError as error:
        text = N_("{field} cannot be used: {reason}.")
        raise Malformed(str(folder), text, reason=error.strerror) from None


@contextmanager
def _lock_if_idle(folder: Path) -> Iterator[bool]:
    """Keep companions from starting in this folder; yield False where one runs already."""
    try:
        lock = JournalLock(journal_path(folder))
    except JournalBusy:
        yield False
        return
    try:
        yield True
    finally:
        lock.discard()


def load_choices(folder: Path) -> SavedSetup:
    """Load what was chosen in the set-up wizard."""
    try:
        return msgspec.json.decode((folder / "table.json").read_bytes(), type=SavedSetup)
    except UNREADABLE:
        return SavedSetup()


def chosen_language(folder: Path, usual: str = LANGUAGES[0]) -> str:
    """Return the language chosen in the browser, else the usual one."""
    kept = load_choices(folder).language
    return kept if kept in LANGUAGES else usual


def save_choices(folder: Path, saved: SavedSetup) -> None:
    """Save the choices; NotWritten if that fails."""
    write_file(folder / "table.json", msgspec.json.encode(saved))


def write_copy(path: Path, data: bytes) -> None:
    """Write a copy into a file that does not exist yet; Malformed if it does, or on a full disk."""
    try:
        write_new_file(path, data)
    except FileExistsError:
        raise file_exists_error(path) from None


def say_without_folder(error: Malformed) -> Message:
    """Return the message of an error for a page: without folders; a full disk has its own."""
    if error.say.facts.get("reason") == os.strerror(errno.ENOSPC):
        return message("The disk is full: nothing more can be written until there is room.")
    return Message(error.say.text, {**error.say.facts, "field": Path(error.field).name})
