"""The format of a backup: its manifest, the members it may have, and the names of daily backups.

Laws: the version is read before anything else, so that a backup of another version is refused as
one. Only
files named like a daily backup are ever removed, and never the newest.
"""

import errno
import re
from datetime import date
from hashlib import file_digest
from pathlib import Path

import msgspec

from companion import __version__
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.journal.schema import SCHEMA_VERSION

FORMAT = 4
"""The format of a backup."""
MANIFEST, JOURNAL, CONFIG = "manifest.json", "journal.sqlite3", "companion.toml"
WIRING, SETUP = "wiring.toml", "table.json"
"""The learnt wiring and the choices of the set-up wizard."""
DECKS = "decks"
SINGLE_MEMBERS = (JOURNAL, CONFIG, WIRING, SETUP)
MEMBER_NAME = re.compile(
    rf"{'|'.join(map(re.escape, SINGLE_MEMBERS))}|{DECKS}/[a-z0-9_]{{1,60}}\.json"
)
DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class BackupMember(msgspec.Struct, frozen=True):
    """Length and hash of a member."""

    size: int
    sha256: str


class FormatVersions(msgspec.Struct, frozen=True):
    """The format versions, which every backup has."""

    backup: int
    journal: int


class Manifest(msgspec.Struct, frozen=True):
    """The manifest of a backup; `made` is an ISO 8601 time."""

    backup: int
    journal: int
    companion: str
    made: str
    members: dict[str, BackupMember]


def make_manifest(made: str, files: dict[str, Path]) -> Manifest:
    """Describe these files, by member name."""
    members = {name: _describe_member(path) for name, path in sorted(files.items())}
    return Manifest(FORMAT, SCHEMA_VERSION, __version__, made, members)


def _describe_member(path: Path) -> BackupMember:
    with path.open("rb") as file:
        return BackupMember(path.stat().st_size, file_digest(file, "sha256").hexdigest())


def parse_manifest(data: bytes, name: str) -> Manifest:
    """Parse a manifest; raise Malformed if another version wrote it, ValueError if invalid."""
    told = msgspec.json.decode(data, type=FormatVersions)
    if (told.backup, told.journal) != (FORMAT, SCHEMA_VERSION):
        text = N_("{field} was made by another version of the companion: restore it with that one.")
        raise Malformed(name, text)
    found = msgspec.json.decode(data, type=Manifest)
    if JOURNAL not in found.members or not all(map(MEMBER_NAME.fullmatch, found.members)):
        raise ValueError("it has other members than a backup has")
    return found


class DiskFull(Malformed):
    """The disk is full."""


def write_error(path: Path, error: OSError) -> Malformed:
    """Return the Malformed that says why this path cannot be written; MemoryError is raised."""
    if error.errno == errno.ENOMEM:  # Where the system notices it before Python does.
        raise MemoryError from error
    if error.errno in DISK_FULL_ERRORS:
        return DiskFull(str(path), N_("There is no room for {field}: the disk is full."))
    text = N_("{field} cannot be written: {reason}.")
    return Malformed(str(path), text, reason=error.strerror or str(error))


FOLDER = "backups"
DAILY_NAME = re.compile(r"companion-\d{4}-\d\d-\d\d\.zip")
PACKING_NAME = re.compile(rf"\.({DAILY_NAME.pattern}|before-restore-[\d-]+\.zip)\.packing")
"""The folder in which a backup of such a name is packed."""


def daily_name(day: date) -> str:
    """Return the file name of the backup of a day."""
    return f"companion-{day.isoformat()}.zip"


def remove_old_backups(folder: Path, count: int) -> list[str]:
    """Remove all but the newest daily backups; return the removed names."""
    names = sorted(path.name for path in folder.iterdir())
    old = list(filter(DAILY_NAME.fullmatch, names))[: -max(1, count)]
    for name in old:
        (folder / name).unlink(missing_ok=True)
    return old
