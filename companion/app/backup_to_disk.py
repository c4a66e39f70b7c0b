"""Write a backup of a data folder to a disk, also while the companion runs.

Laws: a named file is never overwritten; only backups named after their day are. No folder is made
for a stick that is not there. A copy that left the disk of the data folder is noted for the host's
page.
"""

import errno
import os
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from companion.app.settings import config_path, file_exists_error
from companion.backup import daily_name, finish_restore, remove_old_backups, write_backup
from companion.backup.format import FOLDER
from companion.backup.last_copy import LastCopy, save_last_copy
from companion.backup.places import check_place, leaves_disk, read_mounts
from companion.backup.privileges import as_owner
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_
from companion.journal.copy import read_end


class BackupOrder(NamedTuple):
    """What to back up and where to: to a folder, to a new file, or to the usual place if None.

    `keep` is how many daily backups stay in a folder, `config` the config if not the service's.
    """

    folder: Path
    to: Path | None = None
    keep: int | None = None
    config: Path | None = None


class WrittenBackup(NamedTuple):
    """A backup that was written: where, when, its members, and the last line in it."""

    to: Path
    made: str
    members: list[str]
    end: tuple[int, str]


def write_to_disk(order: BackupOrder) -> WrittenBackup:
    """Write the backup, then delete old daily ones; Malformed if the order cannot be met."""
    now = datetime.now().astimezone()
    to = _choose_file(order, daily_name(now.date()))
    if order.config and not order.config.is_file():
        raise not_read(order.config, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    if order.to is not None:
        check_place(order.to, read_mounts())
    finish_restore(order.folder)
    config, made = order.config or config_path(order.folder), now.isoformat("T", "seconds")
    ends: list[tuple[int, str]] = []
    manifest = write_backup(
        order.folder, config, to, made, check_journal=lambda copy: ends.append(read_end(copy))
    )
    if order.keep:
        remove_old_backups(to.parent, order.keep)
    return WrittenBackup(to, made, list(manifest.members), ends[0])


def _choose_file(order: BackupOrder, name: str) -> Path:
    """Return the file to write: of this name in a folder, else the new one that was named."""
    if order.to is None:
        return order.folder / FOLDER / name
    if order.to.is_dir():
        return order.to / name
    if order.to.exists():
        raise file_exists_error(order.to)
    if order.keep:
        raise Malformed("--keep", N_("{field} goes with a folder, not with a file."))
    return order.to


def note_copy(folder: Path, written: WrittenBackup) -> None:
    """Keep for the host's page that a copy has left, if it lies on another disk."""
    if leaves_disk(written.to, folder, read_mounts()):
        with as_owner(folder):
            save_last_copy(folder, LastCopy(written.made, *written.end))
