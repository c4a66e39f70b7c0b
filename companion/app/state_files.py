"""What the companion keeps between two starts besides the journal: its cookie key, who sits where,
the hash of the host's PIN, what was chosen in the browser.

Law: only its own user may read it; a file is there whole or not at all; what cannot be read is
made anew, and what cannot be written is done without, since nothing here is worth more than a scan
of the QR code.
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
"""What reading a file comes to that is not there, or that a bad card or somebody's hand spoilt."""


def load_cookie_key(folder: Path) -> bytes:
    """The key that signs the cookies of this table."""
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
    """What is kept of the host's PIN; nothing if there is none yet."""
    try:
        return (folder / PIN).read_bytes()
    except OSError:
        return b""


def pin_writer(folder: Path) -> Callable[[bytes], None]:
    """Keeps what is to be kept of the PIN of this process.

    One that was made beside it meanwhile stays: somebody was told that it counts from the next
    start, and whoever is signed in must not undo that.
    """
    ours = load_pin(folder)

    def keeps(kept: bytes) -> None:
        nonlocal ours
        if load_pin(folder) == ours:
            with suppress(OSError):
                write_private_file(folder / PIN, kept)
                ours = kept

    return keeps


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
    """Who sat where when the companion was last stopped."""
    try:
        return msgspec.json.decode((folder / "seats.json").read_bytes(), type=dict[int, SeatHolder])
    except UNREADABLE:
        return {}


def save_seats(folder: Path, sitters: Mapping[int, SeatHolder]) -> None:
    """Who sits where from now on."""
    with suppress(OSError):
        write_private_file(folder / "seats.json", msgspec.json.encode(sitters))


def load_choices(folder: Path) -> SavedSetup:
    """What was chosen in the browser."""
    try:
        return msgspec.json.decode((folder / "table.json").read_bytes(), type=SavedSetup)
    except UNREADABLE:
        return SavedSetup()


def chosen_language(folder: Path) -> str:
    """The language that was chosen in the browser, if one was."""
    kept = load_choices(folder).language
    return kept if kept in LANGUAGES else LANGUAGES[0]


def save_choices(folder: Path, saved: SavedSetup) -> None:
    """What was chosen from now on; somebody has to hear of it if that cannot be written."""
    write_or_raise(folder / "table.json", msgspec.json.encode(saved))


def write_or_raise(path: Path, data: bytes) -> None:
    """Keep it; Malformed where somebody has to hear that it cannot be."""
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
        with suppress(OSError):  # Half a file helps nobody, and keeps the name from a whole one.
            path.unlink()
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(str(path), text, reason=error.strerror) from None


def write_private_file(path: Path, data: bytes) -> None:
    """Write a private file, all of it or none."""
    aside = path.with_suffix(".new")
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:  # A full disk is not to be fuller for it.
        aside.unlink(missing_ok=True)
        raise
    aside.replace(path)


def say_without_folder(error: Malformed) -> Message:
    """What is wrong with a file, for a page: without the folder that it is in; a full disk has its
    own word."""
    if error.say.facts.get("reason") == os.strerror(errno.ENOSPC):
        return message("The disk is full: nothing more can be written until there is room.")
    return Message(error.say.text, {**error.say.facts, "field": Path(error.field).name})
