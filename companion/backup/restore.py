"""Restore a backup: prepare everything beside the current state, then swap it in at the next start.

Laws: the current state is not touched until the new one is unpacked, verified and on disk; one
rename makes the restore valid, and the next opening of the folder completes what was interrupted.
What was replaced is moved into a folder of its own, and kept. What the backup does not contain
stays as it is: the learnt wiring, and always the identity, whose seats are freed.
"""

import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from companion.backup.archive import (
    CONFIG,
    DECKS,
    JOURNAL,
    SETUP,
    WIRING,
    MemberCheck,
    Unpacked,
    unpack_backup,
    write_error,
)
from companion.backup.privileges import as_owner
from companion.core.durable_files import sync_file, sync_folder, write_file
from companion.identity.store import FREE_ALL_MARK
from companion.journal.lock import JournalBusy, JournalLock
from companion.journal.repair import BACKUPS

PREPARING, PREPARED = ".restoring", ".restored"
"""Folders in the data folder: still being prepared, and valid from now on."""
PLACE = "place"
"""The file beside a prepared config that holds the path it goes to."""
BEFORE = "before"
"""The folder in a prepared one that takes what is replaced."""
OF_JOURNAL = tuple(f"{JOURNAL}{end}" for end in ("-wal", "-shm", ".mended", ""))
REPLACED = (*OF_JOURNAL, WIRING, SETUP, DECKS)


def prepare_restore(
    file: BinaryIO, name: str, folder: Path, checks: Mapping[str, MemberCheck]
) -> Unpacked:
    """Unpack and verify a backup beside the current state.

    Without `confirm_restore` it is discarded when the folder is opened next.
    """
    work = folder / PREPARING
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        found = unpack_backup(file, name, work, checks)
        (work / FREE_ALL_MARK).touch(0o600)
        sync_file(work / FREE_ALL_MARK)
        sync_folder(work / DECKS)
    except BaseException as error:
        discard_restore(folder)
        if isinstance(error, OSError):
            raise write_error(folder, error) from None
        raise
    return found


def take_config(folder: Path) -> bytes | None:
    """Take the config out of the prepared state, if there is one in it, and return it."""
    config = folder / PREPARING / CONFIG
    if not config.exists():
        return None
    data = config.read_bytes()
    config.unlink()
    return data


def expect_config(folder: Path, config: bytes, place: Path) -> None:
    """Have the prepared state count only once this config is in its place, which may need root;
    a copy of what is there now is kept."""
    work = folder / PREPARING
    write_file(work / CONFIG, config)
    write_file(work / PLACE, str(place.absolute()).encode())
    if place.exists():
        (work / BEFORE).mkdir(mode=0o700)
        write_file(work / BEFORE / CONFIG, place.read_bytes())


def discard_restore(folder: Path) -> None:
    """Delete a prepared state that is not valid yet."""
    shutil.rmtree(folder / PREPARING, ignore_errors=True)


def confirm_restore(folder: Path) -> None:
    """Make the prepared state valid; it is swapped in when the folder is opened next."""
    try:
        (folder / PREPARING).replace(folder / PREPARED)
        sync_folder(folder)
    except OSError as error:
        raise write_error(folder, error) from None


def finish_restore(folder: Path) -> bool | None:
    """Complete an interrupted restore, unless a companion runs in the folder.

    Return whether the new state is in place now; None if there was nothing to do.
    """
    if not any((folder / name).exists() for name in (PREPARED, PREPARING)):
        return None
    try:
        with as_owner(folder):
            lock = JournalLock(folder / JOURNAL)
            try:
                discard_restore(folder)
                return swap_in(folder)[0]
            finally:
                lock.release()
    except JournalBusy:
        return None
    except OSError as error:
        raise write_error(folder, error) from None


def swap_in(folder: Path) -> tuple[bool, Path | None]:
    """Swap a valid prepared state in; return whether that was done, and the folder that keeps what
    was replaced.

    The power may fail at any point here: the next call goes on from there.
    """
    ready, before = folder / PREPARED, folder / PREPARED / BEFORE
    if not ready.exists():
        return False, None
    if _lacks_config(ready):
        ready.replace(folder / PREPARING)
        discard_restore(folder)
        return False, None
    before.mkdir(mode=0o700, exist_ok=True)
    for name in REPLACED:
        new = JOURNAL if name in OF_JOURNAL else name
        if (ready / new).exists() and (folder / name).exists():
            (folder / name).replace(before / name)
    sync_folder(before)
    sync_folder(folder)
    for path in sorted(ready.iterdir()):
        if path.name not in (BEFORE, CONFIG, PLACE):
            path.replace(folder / path.name)
    sync_folder(folder)
    kept = _keep(before, folder / BACKUPS) if any(before.iterdir()) else None
    shutil.rmtree(ready)
    return True, kept


def _lacks_config(ready: Path) -> bool:
    """Return whether the config of a prepared state is not in its place."""
    if not (ready / PLACE).exists():
        return False
    place = Path((ready / PLACE).read_text("utf-8"))
    return not place.exists() or place.read_bytes() != (ready / CONFIG).read_bytes()


def _keep(before: Path, backups: Path) -> Path:
    backups.mkdir(mode=0o700, exist_ok=True)
    kept, n = backups / f"before-restore-{datetime.now():%Y-%m-%d-%H%M%S}", 1
    while kept.exists():
        n += 1
        kept = kept.with_name(f"{kept.name}-{n}")
    before.replace(kept)
    sync_folder(backups)
    return kept
