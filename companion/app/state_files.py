"""The state files beside the journal: cookie key, seats, hash of the host's PIN, saved set-up.

Laws: only the companion's user may read them, and a file is there whole or not at all. What cannot
be read is made anew, and what cannot be written is done without: nothing here costs a guest more
than scanning the QR code again.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from companion.app.settings import file_exists_error, journal_path
from companion.backup.privileges import as_owner
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, Message, message
from companion.host.pin import Pin
from companion.identity import IdentityStore
from companion.identity.schema import FILE as IDENTITY_FILE
from companion.journal.lock import JournalBusy, JournalLock
from companion.setup import SavedSetup

UNREADABLE = (OSError, ValueError, RecursionError)
"""The exceptions of reading a file that is missing or damaged."""


def make_new_pin(folder: Path) -> tuple[str, bool]:
    """Make and save a new PIN; return its digits, and whether a companion runs there."""
    try:
        with as_owner(folder), _lock_if_idle(folder) as idle:
            store = IdentityStore(folder / IDENTITY_FILE, beside_companion=not idle)
            with closing(store):
                return Pin(store).renew_pin(), not idle
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


def chosen_language(folder: Path) -> str:
    """Return the language chosen in the browser, else the default."""
    kept = load_choices(folder).language
    return kept if kept in LANGUAGES else LANGUAGES[0]


def save_choices(folder: Path, saved: SavedSetup) -> None:
    """Save the choices; Malformed if that fails."""
    write_or_raise(folder / "table.json", msgspec.json.encode(saved))


def write_or_raise(path: Path, data: bytes) -> None:
    """Write a private file; Malformed if that fails."""
    try:
        write_private_file(path, data)
    except OSError as error:
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(path.name, text, reason=error.strerror) from None


def write_new_file(path: Path, data: bytes) -> None:
    """Write a file that does not exist yet; Malformed if it does or cannot be written."""
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise file_exists_error(path) from None
    except OSError as error:
        with suppress(OSError):  # Half a file is useless, and keeps the name from a whole one.
            path.unlink()
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(str(path), text, reason=error.strerror) from None


def write_private_file(path: Path, data: bytes) -> None:
    """Write a file atomically, readable by its owner only."""
    aside = path.with_suffix(".new")
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:  # Leave nothing behind on a full disk.
        aside.unlink(missing_ok=True)
        raise
    aside.replace(path)


def say_without_folder(error: Malformed) -> Message:
    """Return the message of an error for a page: without folders; a full disk has its own."""
    if error.say.facts.get("reason") == os.strerror(errno.ENOSPC):
        return message("The disk is full: nothing more can be written until there is room.")
    return Message(error.say.text, {**error.say.facts, "field": Path(error.field).name})
