"""Restore a backup: prepare everything beside the current state, then swap it in at once.

Laws: the current state is not touched until the new one is prepared, verified and on disk, and it
is first kept as a backup of its own. Afterwards no phone is signed in and every seat is free. What
the backup does not contain stays as it is: the config, the learnt wiring.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.backup.format import (
    CONFIG,
    DECKS,
    FOLDER,
    JOURNAL,
    SETUP,
    WIRING,
    write_error,
)
from companion.backup.places import require_room
from companion.backup.privileges import as_owner
from companion.backup.read import Backup
from companion.backup.swap import (
    CONFIG_PLACE,
    DAMAGED,
    PREPARED,
    PREPARING,
    replace_config,
    swap_in,
)
from companion.backup.write import keep_old_state
from companion.core.errors import Malformed, NotWritten
from companion.core.i18n import N_
from companion.identity.open import FREE_ALL_MARK
from companion.journal.copy import adopt_sound_journal
from companion.journal.lock import JournalBusy, JournalLock
from companion.journal.schema import require_own_format, sync_to_disk

MemberCheck = Callable[[Path], object]
"""Reads a member as its users do; Malformed where it cannot be used here."""


FolderState = tuple[tuple[str, tuple[int, ...]], ...]


class RestoreResult(NamedTuple):
    """The backup of the old state, if there was one, and whether the config has changed."""

    old_state: Path | None
    has_new_config: bool


class RestoreTarget(NamedTuple):
    """Where a backup is restored to; without a config path the config stays as it is."""

    folder: Path
    config: Path | None
    member_checks: Mapping[str, MemberCheck]
    """By member name: the check of its content."""


def restore_backup(backup: Backup, target: RestoreTarget, stamp: str) -> RestoreResult:
    """Replace the state in the target folder; `stamp` is the time as part of a file name."""
    folder = target.folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _lock_folder(folder):
            with as_owner(folder):
                config, kept = _prepare_and_confirm(backup, target, stamp)
            if config is not None and target.config is not None:
                _put_config(config, target.config, folder)
            with as_owner(folder):
                swap_in(folder)
    except OSError as error:
        raise write_error(folder, error) from None
    return RestoreResult(kept, config is not None)


def prepare_restore(backup: Backup, target: RestoreTarget, stamp: str) -> Path | None:
    """Prepare a restore beside a running table; return the backup of its current state.

    Without `confirm_restore` it is discarded when the folder is opened next.
    """
    if target.config is not None:
        raise ValueError("a table that goes on leaves the config alone")
    try:
        return _prepare_and_keep_old(backup, target, stamp)[1]
    except OSError as error:
        raise write_error(target.folder, error) from None


def confirm_restore(folder: Path) -> None:
    """Mark the prepared state as valid; it is swapped in when the folder is opened next."""
    try:
        (folder / PREPARING).replace(folder / PREPARED)
        sync_to_disk(folder)
    except OSError as error:
        raise write_error(folder, error) from None


def discard_restore(folder: Path) -> None:
    """Delete the prepared state."""
    shutil.rmtree(folder / PREPARING, ignore_errors=True)


def read_folder_state(folder: Path) -> FolderState:
    """Return the identity of every file that a restore replaces, except the journal."""
    paths = [folder / name for name in (WIRING, SETUP)]
    paths += sorted((folder / DECKS).glob("*.json"))
    return tuple((path.name, _file_identity(path)) for path in paths if path.exists())


def try_restore(backup: Backup, target: RestoreTarget, work_folder: Path) -> Path:
    """Restore into an empty work folder to verify the backup; return the folder it lies in."""
    try:
        _unpack_all(backup, target, work_folder / PREPARING)
    except OSError as error:
        raise write_error(work_folder, error) from None
    return work_folder / PREPARING


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Lock the data folder; Malformed if a companion runs there."""
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


def _prepare_and_confirm(
    backup: Backup, target: RestoreTarget, stamp: str
) -> tuple[bytes | None, Path | None]:
    """Do everything up to the rename after which an interrupted restore completes itself."""
    folder = target.folder
    require_own_format(folder / JOURNAL)
    swap_in(folder)  # A restore that was interrupted before.
    config, kept = _prepare_and_keep_old(backup, target, stamp)
    confirm_restore(folder)
    return config, kept


def _prepare_and_keep_old(
    backup: Backup, target: RestoreTarget, stamp: str
) -> tuple[bytes | None, Path | None]:
    """Prepare and verify the new state on disk, and keep the old one as a backup."""
    work_folder = target.folder / PREPARING
    shutil.rmtree(work_folder, ignore_errors=True)
    try:
        config = _unpack_all(backup, target, work_folder)
        kept, damaged = _keep_old_state(target, stamp, work_folder / JOURNAL)
        if damaged:
            _write_new_file(work_folder / DAMAGED, b"")
        _sync_folder(work_folder)
    except BaseException:
        shutil.rmtree(work_folder, ignore_errors=True)
        raise
    return config, kept


def _put_config(config: bytes, path: Path, folder: Path) -> None:
    """Replace the config, which may need root; if that fails the old state stays."""
    try:
        replace_config(config, path)
    except NotWritten:
        with as_owner(folder):
            swap_in(folder)
        raise


def _unpack_all(backup: Backup, target: RestoreTarget, work_folder: Path) -> bytes | None:
    """Unpack and check every member; return the config if it will change."""
    (work_folder / DECKS).mkdir(mode=0o700, parents=True)
    members = backup.manifest.members
    require_room(work_folder, 2 * members[JOURNAL].size)  # As it was packed, and as a sound copy.
    for name in members:
        backup.unpack_member(name, work_folder / ("packed" if name == JOURNAL else name))
    _verify_journal(backup, work_folder)
    for name in target.member_checks.keys() & members.keys() - {CONFIG}:
        target.member_checks[name](work_folder / name)
    _write_new_file(work_folder / FREE_ALL_MARK, b"")
    return _prepare_config(target, work_folder) if CONFIG in members else None


def _verify_journal(backup: Backup, work_folder: Path) -> None:
    """Verify every line of the journal."""
    try:
        adopt_sound_journal(work_folder / "packed", work_folder / JOURNAL)
    except Malformed:
        raise backup.damaged_error() from None


def _prepare_config(target: RestoreTarget, work_folder: Path) -> bytes | None:
    """Check the config and note its place; return None if it stays as it is."""
    config = (work_folder / CONFIG).read_bytes()
    place = target.config
    if place is None or (place.exists() and place.read_bytes() == config):
        (work_folder / CONFIG).unlink()
        return None
    target.member_checks[CONFIG](work_folder / CONFIG)
    _write_new_file(work_folder / CONFIG_PLACE, str(place.absolute()).encode())
    return config


def _keep_old_state(target: RestoreTarget, stamp: str, proven: Path) -> tuple[Path | None, bool]:
    """Back up the old state; return its path and whether journal lines are missing in it.

    What it has in common with the `proven` journal that comes is not proven again.
    """
    folder = target.folder
    if not (folder / JOURNAL).exists() and not (folder / DECKS).exists():
        return None, False
    to, n = folder / FOLDER / f"before-restore-{stamp}.zip", 1
    while to.exists():
        n += 1
        to = to.with_name(f"before-restore-{stamp}-{n}.zip")
    return to, bool(keep_old_state(folder, target.config, to, stamp, proven))


def _sync_folder(work_folder: Path) -> None:
    """Sync every file to disk."""
    for path in work_folder.rglob("*"):
        sync_to_disk(path)


def _write_new_file(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def _file_identity(path: Path) -> tuple[int, ...]:
    """Return inode, size and time: they differ once the file was rewritten."""
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns
