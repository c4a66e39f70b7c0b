"""Restoring: everything is prepared beside what is there, then it is swapped at once.

Laws: until all of it is prepared, proven and on disk, nothing that is there is touched; and what is
there is first kept as a backup of its own. A restored table knows no phone: whoever was signed in
signs in again, whoever sat somewhere sits down again. What a backup has nothing of stays as it is:
the PIN, the config, what was learnt of the wires.
"""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.backup.format import CHOSEN, CONFIG, DECKS, FOLDER, JOURNAL, PIN, WIRING, unwritable
from companion.backup.privileges import as_owner
from companion.backup.read import Backup
from companion.backup.swap import DAMAGED, PLACE, PREPARED, PREPARING, put, swap
from companion.backup.write import keep
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.host.pin import StoredPin
from companion.journal.copy import copy_journal
from companion.journal.lock import JournalBusy, JournalLock
from companion.journal.schema import sync_to_disk

SEATS = "seats.json"

Fits = Callable[[Path], object]
"""Reads a config, or what was set up in the browser; Malformed where it cannot be used here."""


Stand = tuple[tuple[str, tuple[int, ...]], ...]


class Restored(NamedTuple):
    """What became of it: the backup of what was there before, and whether the config is new."""

    kept: Path | None
    config: bool


class Target(NamedTuple):
    """Where a backup is restored to; without a place for it, the config stays as it is."""

    folder: Path
    config: Path | None
    fits: Mapping[str, Fits]
    """How a member is read by those who use it, where it has a form of its own."""


def restore(backup: Backup, target: Target, stamp: str) -> Restored:
    """Put what is in the backup in the place of what is in the folder.

    The stamp is the moment as it is to be written into a name.
    """
    folder = target.folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder):
            with as_owner(folder):
                config, kept = _made_ready(backup, target, stamp)
            if config is not None and target.config is not None:
                _put(config, target.config, folder)
            with as_owner(folder):
                swap(folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    return Restored(kept, config is not None)


def prepare(backup: Backup, target: Target, stamp: str) -> Path | None:
    """Have all of it ready beside what is there, where a table goes on meanwhile; the backup of
    what is there.

    Without `agree` it never happened: whoever opens the folder next throws it away.
    """
    if target.config is not None:
        raise ValueError("a table that goes on leaves the config alone")
    try:
        return _ready(backup, target, stamp)[1]
    except OSError as error:
        raise unwritable(target.folder, error) from None


def agree(folder: Path) -> None:
    """What was prepared is to be; whoever opens the folder next puts it in its place."""
    try:
        (folder / PREPARING).replace(folder / PREPARED)
        sync_to_disk(folder)
    except OSError as error:
        raise unwritable(folder, error) from None


def take_back(folder: Path) -> None:
    """What was prepared is not to be."""
    shutil.rmtree(folder / PREPARING, ignore_errors=True)


def stand(folder: Path) -> Stand:
    """What a restore keeps and replaces, journal aside: so that one can tell whether it changed."""
    found = [folder / name for name in (PIN, WIRING, CHOSEN)]
    found += sorted((folder / DECKS).glob("*.json"))
    return tuple((path.name, _marks(path)) for path in found if path.exists())


def tried(backup: Backup, target: Target, room: Path) -> Path:
    """Prove the backup as if it were restored, in an empty room of its own; where it lies now."""
    try:
        _prepared(backup, target, room / PREPARING)
    except OSError as error:
        raise unwritable(room, error) from None
    return room / PREPARING


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else uses the folder meanwhile."""
    try:
        with as_owner(folder):
            lock = JournalLock(folder / JOURNAL)
    except JournalBusy:
        text = N_("{field} is in use by a running companion: stop it first, then restore.")
        raise Malformed(str(folder), text) from None
    try:
        yield
    finally:
        lock.release()


def _made_ready(backup: Backup, target: Target, stamp: str) -> tuple[bytes | None, Path | None]:
    """Everything up to the one rename after which it goes on by itself."""
    folder = target.folder
    swap(folder)  # What was broken off before.
    config, kept = _ready(backup, target, stamp)
    agree(folder)
    return config, kept


def _ready(backup: Backup, target: Target, stamp: str) -> tuple[bytes | None, Path | None]:
    """All of it prepared, proven and on disk, and what is there kept."""
    room = target.folder / PREPARING
    shutil.rmtree(room, ignore_errors=True)
    try:
        config = _prepared(backup, target, room)
        kept, damaged = _kept(target, stamp)
        if damaged:
            _new(room / DAMAGED, b"")
        _settled(room)
    except BaseException:
        shutil.rmtree(room, ignore_errors=True)
        raise
    return config, kept


def _put(config: bytes, place: Path, folder: Path) -> None:
    """The config, for which one may have to be root; without it the old state stays."""
    try:
        put(config, place)
    except OSError as error:
        with as_owner(folder):
            swap(folder)
        raise unwritable(place, error) from None


def _prepared(backup: Backup, target: Target, room: Path) -> bytes | None:
    """Everything as it will be, in a room beside; the config, if that will be another one."""
    (room / DECKS).mkdir(mode=0o700, parents=True)
    members = backup.manifest.members
    for name in members:
        backup.unpack(name, room / ("packed" if name == JOURNAL else name))
    _prove(backup, room)
    for name in target.fits.keys() & members.keys() - {CONFIG}:
        target.fits[name](room / name)
    _new(room / SEATS, b"{}")
    _sign_out(room / PIN, target.folder / PIN)
    return _config(target, room) if CONFIG in members else None


def _prove(backup: Backup, room: Path) -> None:
    """Every line is proven, and an older journal made one of today, on a copy."""
    try:
        lost = copy_journal(room / "packed", room / JOURNAL)
    except Malformed:
        raise backup.broken() from None
    if lost:
        raise backup.broken()
    (room / "packed").unlink()


def _sign_out(pin: Path, there: Path) -> None:
    """The PIN of the backup, or else of the table, for which everybody has to sign in again."""
    kept = _signed_out(pin) or _signed_out(there)
    pin.unlink(missing_ok=True)
    _new(pin, kept)


def _signed_out(file: Path) -> bytes:
    """Nothing where there is none; the next start makes one."""
    try:
        pin = msgspec.json.decode(file.read_bytes(), type=StoredPin)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        return b""
    return msgspec.json.encode(msgspec.structs.replace(pin, generation=secrets.token_hex(8)))


def _config(target: Target, room: Path) -> bytes | None:
    """The config, and beside it where it is to go; nothing of it where nothing changes."""
    config = (room / CONFIG).read_bytes()
    place = target.config
    if place is None or (place.exists() and place.read_bytes() == config):
        (room / CONFIG).unlink()
        return None
    target.fits[CONFIG](room / CONFIG)
    _new(room / PLACE, str(place.absolute()).encode())
    return config


def _kept(target: Target, stamp: str) -> tuple[Path | None, bool]:
    """What is there as a backup of its own, and whether something of the journal is lost in it."""
    folder = target.folder
    if not (folder / JOURNAL).exists() and not (folder / DECKS).exists():
        return None, False
    to, n = folder / FOLDER / f"before-restore-{stamp}.zip", 1
    while to.exists():
        n += 1
        to = to.with_name(f"before-restore-{stamp}-{n}.zip")
    return to, bool(keep(folder, target.config, to, stamp))


def _settled(room: Path) -> None:
    """All of it is on disk."""
    for path in room.rglob("*"):
        sync_to_disk(path)


def _new(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def _marks(path: Path) -> tuple[int, ...]:
    """By which one sees that somebody wrote it anew."""
    seen = path.stat()
    return seen.st_ino, seen.st_size, seen.st_mtime_ns
