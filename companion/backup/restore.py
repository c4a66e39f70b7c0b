"""Restore a backup: prepare everything beside the current state, then swap it in at the next start.

Laws: the current state is not touched until the new one is unpacked, verified and on disk; one
rename makes the restore valid, and the next opening of the folder completes what was interrupted.
What was replaced is moved into a folder of its own, and kept. What the backup does not contain
stays as it is: the learnt wiring, and always the identity, whose seats are freed. A config is no
part of this: it may lie where only root writes.
"""

import secrets
import shutil
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from companion.backup import archive
from companion.core.durable_files import as_owner, sync_folder, write_file
from companion.journal.file import JournalBusy, JournalLock
from companion.journal.repair import BACKUPS, JOURNAL
from companion.seating.identity import IDENTITY_FILE, IdentityStore

PREPARING, PREPARED = ".restoring", ".restored"
"""Folders in the data folder: still being prepared, and valid from now on."""
BEFORE = "before"
"""The folder in a prepared one for the replaced files."""
OF_JOURNAL = tuple(f"{JOURNAL}{end}" for end in ("-wal", "-shm", ".mended", ""))
REPLACED = (*OF_JOURNAL, archive.WIRING, archive.SETUP, archive.DECKS)


def prepare_restore(
    file: BinaryIO, name: str, folder: Path, checks: Mapping[str, archive.MemberCheck]
) -> archive.Unpacked:
    """Unpack and verify a backup beside the current state.

    Without `confirm_restore` it is discarded when the folder is opened next.
    """
    work = folder / PREPARING
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        found = archive.unpack_backup(file, name, work, checks)
        sync_folder(work / archive.DECKS)
    except BaseException as error:
        discard_restore(folder)
        if isinstance(error, OSError):
            raise archive.write_error(Path(name), error) from None
        raise
    return found


def take_config(folder: Path) -> bytes | None:
    """Take the config out of the prepared state, if there is one in it, and return it."""
    config = folder / PREPARING / archive.CONFIG
    if not config.exists():
        return None
    data = config.read_bytes()
    config.unlink()
    return data


def keep_config(folder: Path, config: Path) -> None:
    """Keep a copy of this config, if there is one, with the files that a restore replaces."""
    if config.exists():
        (folder / PREPARING / BEFORE).mkdir(mode=0o700)
        write_file(folder / PREPARING / BEFORE / archive.CONFIG, config.read_bytes())


def discard_restore(folder: Path) -> None:
    """Delete a prepared state that is not valid yet."""
    shutil.rmtree(folder / PREPARING, ignore_errors=True)


def confirm_restore(folder: Path) -> None:
    """Make the prepared state valid; it is swapped in when the folder is opened next."""
    try:
        (folder / PREPARING).replace(folder / PREPARED)
        sync_folder(folder)
    except OSError as error:
        raise archive.write_error(folder, error) from None


def finish_restore(folder: Path) -> bool:
    """Complete an interrupted restore, unless a companion runs in the folder; return whether a new
    state is in place now."""
    ready = (folder / PREPARED).exists()
    if not ready and not (folder / PREPARING).exists():
        return False
    try:
        with as_owner(folder):
            lock = JournalLock(folder / JOURNAL)
            try:
                discard_restore(folder)
                swap_in(folder)
            finally:
                lock.release()
    except JournalBusy:
        return False
    except OSError as error:
        raise archive.write_error(folder, error) from None
    return ready


def swap_in(folder: Path) -> Path | None:
    """Swap a valid prepared state in, if there is one: free all seats and sign all hosts out first;
    return the folder with the replaced files.

    The power may fail at any point here: the next call goes on from there.
    """
    ready, before, identity = folder / PREPARED, folder / PREPARED / BEFORE, folder / IDENTITY_FILE
    if not ready.exists():
        return None
    if identity.exists():
        with closing(IdentityStore(identity)) as store:
            store.free_all()
    before.mkdir(mode=0o700, exist_ok=True)
    for name in REPLACED:
        new = JOURNAL if name in OF_JOURNAL else name
        if (ready / new).exists() and (folder / name).exists():
            (folder / name).replace(before / name)
    sync_folder(before)
    sync_folder(folder)
    for path in sorted(ready.iterdir()):
        if path.name != BEFORE:
            path.replace(folder / path.name)
    sync_folder(folder)
    kept = _keep(before, folder / BACKUPS) if any(before.iterdir()) else None
    shutil.rmtree(ready)
    return kept


def _keep(before: Path, backups: Path) -> Path:
    backups.mkdir(mode=0o700, exist_ok=True)
    kept = backups / f"before-restore-{datetime.now():%Y-%m-%d-%H%M%S}-{secrets.token_hex(2)}"
    before.replace(kept)
    sync_folder(backups)
    return kept
