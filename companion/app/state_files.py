"""The state files beside the journal: cookie key, seats, hash of the host's PIN, saved set-up.

Laws: only the companion's user may read them, and a file is there whole or not at all. What cannot
be read is made anew, and what cannot be written is done without: nothing here costs a guest more
than scanning the QR code again.
"""

import errno
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from companion.app.settings import file_exists_error, journal_path
from companion.backup.privileges import as_owner
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, Message, message
from companion.host.pin import Pin
from companion.journal.lock import JournalBusy, JournalLock
from companion.seating.seat_map import SeatHolder
from companion.setup import SavedSetup

PIN = "host.pin"
"""The file with the hash of the host's PIN."""
UNREADABLE = (OSError, ValueError, RecursionError)
"""The exceptions of reading a file that is missing or damaged."""


def load_cookie_key(folder: Path) -> bytes:
    """Load the key that signs the cookies of this table; make one if there is none."""
    path = folder / "cookie.key"
    try:
        found = path.read_bytes()
    except OSError:
        found = b""
    if len(found) < 32:
        found = secrets.token_bytes(32)
        with suppress(OSError):
            write_private_file(path, found)
    return found


def load_pin(folder: Path) -> bytes:
    """Load the stored hash of the host's PIN; empty if there is none yet."""
    try:
        return (folder / PIN).read_bytes()
    except OSError:
        return b""


def pin_writer(folder: Path) -> Callable[[bytes], None]:
    """Return a callback that saves the PIN hash unless the file changed meanwhile.

    A PIN made by `companion pin` meanwhile counts from the next start, so that it must stay.
    """
    ours = load_pin(folder)

    def write_pin(kept: bytes) -> None:
        nonlocal ours
        if load_pin(folder) == ours:
            with suppress(OSError):
                write_private_file(folder / PIN, kept)
                ours = kept

    return write_pin


def make_new_pin(folder: Path) -> tuple[str, bool]:
    """Make and save a new PIN; return its digits, and whether a companion runs there without it."""
    try:
        with as_owner(folder), _lock_if_idle(folder) as idle:
            pin = Pin(keep=lambda kept: write_private_file(folder / PIN, kept))
            return pin.renew_pin(), not idle
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


def load_seats(folder: Path) -> dict[int, SeatHolder]:
    """Load who sat where when the companion was last stopped."""
    try:
        return msgspec.json.decode((folder / "seats.json").read_bytes(), type=dict[int, SeatHolder])
    except UNREADABLE:
        return {}


def save_seats(folder: Path, sitters: Mapping[int, SeatHolder]) -> None:
    """Save who sits where."""
    with suppress(OSError):
        write_private_file(folder / "seats.json", msgspec.json.encode(sitters))


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
