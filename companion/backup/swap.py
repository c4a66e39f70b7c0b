"""Swap a prepared restore into the data folder, safe against a power cut at any point.

Law: one rename makes the restore valid; after it, the next opening of the folder completes what was
interrupted. The config is replaced first, since only root may write it: if that did not happen,
nothing has been moved, and the old state stays.
"""

import shutil
from pathlib import Path

from companion.backup.format import CONFIG, JOURNAL, write_error
from companion.backup.privileges import as_owner
from companion.core.durable_files import write_file
from companion.journal.lock import JournalBusy, JournalLock
from companion.journal.open import move_aside
from companion.journal.schema import sync_to_disk, wal_path

PREPARING, PREPARED = ".restoring", ".restored"
"""Folders in the data folder: still being prepared, and valid from now on."""
CONFIG_PLACE = "place"
"""The file beside a prepared config that holds the path it goes to."""
DAMAGED = "damaged"
"""The file that marks the old journal as damaged: it is set aside, not deleted."""


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
                return swap_in(folder)
            finally:
                lock.release()
    except JournalBusy:
        return None
    except OSError as error:
        raise write_error(folder, error) from None


def swap_in(folder: Path) -> bool:
    """Swap the prepared state in; return False if there is none or the old state stays."""
    ready, over = folder / PREPARED, folder / PREPARING
    shutil.rmtree(over, ignore_errors=True)
    if not ready.exists():
        return False
    if not _config_is_there(ready):
        ready.replace(over)
        shutil.rmtree(over)
        return False
    if (ready / JOURNAL).exists():
        _clear_old_journal(folder / JOURNAL, (ready / DAMAGED).exists())
    for new in sorted(ready.iterdir()):
        if new.name not in (DAMAGED, CONFIG, CONFIG_PLACE):
            _move_into_place(new, folder / new.name)
    sync_to_disk(folder)
    ready.replace(over)
    shutil.rmtree(over)
    return True


def replace_config(config: bytes, path: Path) -> None:
    """Replace a config atomically, keeping its mode."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    write_file(path, config, mode)


def _config_is_there(ready: Path) -> bool:
    """Return whether the prepared config, if any, is in its place already."""
    if not (ready / CONFIG_PLACE).exists():
        return True
    place, config = Path((ready / CONFIG_PLACE).read_text("utf-8")), (ready / CONFIG).read_bytes()
    try:
        return place.read_bytes() == config
    except OSError:
        return False


def _clear_old_journal(journal: Path, damaged: bool) -> None:
    """Remove the side files of the old journal: its log, its index, what was being mended."""
    if damaged:
        move_aside(journal)
    for end in (
        "-shm",
        ".index",
        ".index-journal",
        ".mended",
        ".mending",
        ".mending-wal",
        ".mending-journal",
    ):
        journal.with_name(journal.name + end).unlink(missing_ok=True)
    wal_path(journal).unlink(missing_ok=True)


def _move_into_place(new: Path, target: Path) -> None:
    if new.is_dir() and target.exists():
        shutil.rmtree(target)
    new.replace(target)
