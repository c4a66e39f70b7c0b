"""The backups that a floor keeps of its tables: the newest few of each, in one folder.

Laws: only the number in a file's name says which backup is newer, as no clock is trusted; the date
behind it is for people. A file has its name once it is whole and on disk, its owner alone may read
it, and only then the oldest goes. What a floor that was killed has left is removed.
"""

import errno
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.core.durable_files import make_folder, not_written, remove_file, sync_folder

FOLDER, ASIDE = "backups", ".part"
KEPT = 5
"""How many backups of a table are kept."""
SPARED = 100_000_000
"""Bytes of the disk that no backup uses: the floor itself has to write."""
NAME = re.compile(
    r"(?P<table>[0-9a-f]{12})(-(?P<n>[0-9]{6,9})-(?P<day>[0-9]{4}(-[0-9]{2}){2}))?\.zip"
)


class KeptBackup(NamedTuple):
    """A backup of a table: its number, the day of its name, and its size in bytes.

    One of an earlier version has no number and no day: it counts as the oldest.
    """

    table: str
    number: int
    day: str
    size: int
    path: Path


class BackupFolder:
    """The folder of the backups in the folder of a floor; used on one thread."""

    def __init__(self, folder: Path, kept: int = KEPT, spared: int = SPARED) -> None:
        self._folder, self._kept, self._spared = folder / FOLDER, kept, spared
        for left in self._folder.glob(f".*{ASIDE}"):
            with suppress(OSError):
                left.unlink()

    def list_backups(self, table: str = "") -> list[KeptBackup]:
        """Return the backups of a table, or of all, the newest first."""
        found = (one for one in self._read_folder() if table in ("", one.table))
        return sorted(found, key=lambda one: (one.table, -one.number))

    def _read_folder(self) -> Iterator[KeptBackup]:
        with suppress(OSError):
            for path in self._folder.iterdir():
                named = NAME.fullmatch(path.name)
                if named is not None:
                    number, size = int(named["n"] or 0), path.stat().st_size
                    yield KeptBackup(named["table"], number, named["day"] or "", size, path)

    def has_room(self, size: int) -> bool:
        """Return whether so many bytes more leave the disk what it is spared."""
        return shutil.disk_usage(self._folder).free - size >= self._spared

    def require_room(self, table: str) -> None:
        """Make the folder; raise NotWritten unless one like the largest of this table fits."""
        make_folder(self._folder)
        largest = max((one.size for one in self.list_backups(table)), default=0)
        try:
            is_enough = self.has_room(largest)
        except OSError as error:
            raise not_written(self._folder, error) from None
        if not is_enough:
            raise not_written(self._folder, OSError(errno.ENOSPC, ""))

    def name_aside(self, table: str) -> Path:
        """Return where a new backup is written until it is whole."""
        return self._folder / f".{table}-{secrets.token_hex(4)}{ASIDE}"

    def keep_file(self, aside: Path, table: str, day: str) -> None:
        """Give a synced file its name, with this day in it (2026-11-24), and remove the oldest
        ones; NotWritten if that fails."""
        before = self.list_backups(table)
        number = max((one.number for one in before), default=0) + 1
        try:
            aside.rename(self._folder / f"{table}-{number:06}-{day}.zip")
            sync_folder(self._folder)
            for old in before[self._kept - 1 :]:
                remove_file(old.path)
        except OSError as error:
            raise not_written(aside, error) from None
