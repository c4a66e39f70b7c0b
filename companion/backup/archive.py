"""The zip of a backup: write one, unpack one that anybody may have made.

Laws: under its name there is a whole backup or none. Of a foreign archive nothing is unpacked but
members that a backup has, each once, plain and no larger or denser than a table's; the version is
told before the content. Memory does not grow with the journal. Only files named like a daily backup
are ever removed, and never the newest.
"""

import errno
import fcntl
import os
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion.core.durable_files import DISK_FULL_ERRORS, new_file, sync_file
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.journal.file import check_file, copy_journal, is_of_other_version, require_own_format
from companion.journal.repair import JOURNAL

CONFIG = "companion.toml"
WIRING, SETUP = "wiring.toml", "table.json"
"""The learnt wiring and the choices of the set-up wizard."""
DECKS = "decks"
SINGLES = "|".join(map(re.escape, (JOURNAL, CONFIG, WIRING, SETUP)))
MEMBER_NAME = re.compile(rf"{SINGLES}|{DECKS}/[a-z0-9_]{{1,60}}\.json")
DAILY_NAME = re.compile(r"companion-\d{4}-\d\d-\d\d\.zip")
PACKING = ".packing"
"""The folder beside a backup where it is made."""

COMPRESSION_LEVEL = 3
"""Half as slow again as level 6, for a file that is 3 % larger: most of a journal is hashes."""
ROOM_LEFT = 16 << 20
"""Bytes that a backup or a restore leaves free, so that the table can go on."""
MAX_SIZE = (1 << 32) - 1
"""Bytes that a backup may unpack to: the largest file that a memory stick with FAT holds."""
MAX_RATIO = 200
"""Bytes that one packed byte may become; a journal, which is mostly hashes, has less than ten."""
ANY_RATIO_SIZE = 1 << 20
"""Bytes of a member up to which the ratio does not count."""
MAX_SIZE_BESIDE_JOURNAL = 1 << 22
"""Bytes of everything beside the journal, which is read into memory at every start."""
DAMAGE_ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, NotImplementedError,
    OverflowError, RuntimeError, ValueError,
)  # fmt: skip
"""The exceptions that reading a damaged archive raises."""

MemberCheck = Callable[[Path], object]
"""Reads a member as its users do; raises Malformed where it cannot be used here."""


class Unpacked(NamedTuple):
    """A verified backup: when it was made, to the minute, and its members."""

    made: str
    members: list[str]


def write_error(path: Path, error: OSError) -> Malformed:
    """Return the Malformed for a path that cannot be written, with the reason."""
    if error.errno in DISK_FULL_ERRORS:
        return Malformed(str(path), N_("There is no room for {field}: the disk is full."))
    text = N_("{field} cannot be written: {reason}.")
    return Malformed(str(path), text, reason=error.strerror or str(error))


def require_room(folder: Path, size: int) -> None:
    """Raise OSError if this many bytes do not fit on the disk of this folder."""
    if shutil.disk_usage(folder).free < size + ROOM_LEFT:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def daily_name(day: date) -> str:
    """Return the file name of the backup of a day."""
    return f"companion-{day.isoformat()}.zip"


def remove_old_backups(folder: Path, count: int) -> None:
    """Remove all but the newest daily backups."""
    names = sorted(path.name for path in folder.iterdir() if DAILY_NAME.fullmatch(path.name))
    for name in names[: -max(1, count)]:
        (folder / name).unlink(missing_ok=True)


# Writing.


def write_backup(
    folder: Path, config: Path | None, target: Path, check: MemberCheck = lambda _journal: None
) -> list[str]:
    """Back up the data folder and the config into this file; return the names of its members.

    `check` gets the copy of the journal that is packed. Raise Malformed if the journal is damaged,
    JournalFailed if it cannot be read.
    """
    if not (folder / JOURNAL).exists():
        raise Malformed(str(folder / JOURNAL), N_("There is no journal at {field}."))
    try:
        require_own_format(folder / JOURNAL)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _work_folder(target) as beside:
            require_room(beside, 2 * (folder / JOURNAL).stat().st_size)  # As a copy, and packed.
            copy_journal(folder / JOURNAL, beside / JOURNAL)
            check_file(beside / JOURNAL)
            check(beside / JOURNAL)
            members = {JOURNAL: beside / JOURNAL} | _find_members(folder, config)
            packed = _write_zip(beside / "packed", members)
            packed.replace(target)
            sync_file(target)
    except OSError as error:
        raise write_error(target, error) from None
    return list(members)


@contextmanager
def _work_folder(target: Path) -> Iterator[Path]:
    """Create a private folder beside the target, which no other backup uses; remove it, and one
    that was left by a process that was killed."""
    lock, work = os.open(target.parent, os.O_RDONLY), target.with_name(PACKING)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            text = N_("Another backup is being packed or looked into just now; wait a moment.")
            raise Malformed(str(target), text) from None
        except OSError:  # A file system without locks.
            pass
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        yield work
    finally:
        if not work.is_symlink():
            shutil.rmtree(work, ignore_errors=True)
        os.close(lock)


def _find_members(folder: Path, config: Path | None) -> dict[str, Path]:
    """Return the paths of the members besides the journal, as far as they exist."""
    found = {f"{DECKS}/{path.name}": path for path in sorted((folder / DECKS).glob("*.json"))}
    found |= {name: folder / name for name in (WIRING, SETUP)}
    found |= {CONFIG: config} if config else {}
    return {
        name: path for name, path in found.items() if MEMBER_NAME.fullmatch(name) and path.is_file()
    }


def _write_zip(packed: Path, members: Mapping[str, Path]) -> Path:
    """Write these members into a new private file, on disk."""
    method, level = zipfile.ZIP_DEFLATED, COMPRESSION_LEVEL
    with (
        new_file(packed) as file,
        zipfile.ZipFile(file, "w", method, compresslevel=level) as archive,
    ):
        for name, path in members.items():
            archive.write(path, name)
        archive.comment = _comment(len(members))
    return packed


def _comment(count: int) -> bytes:
    """Return the list of members for the archive's end, so that none is lost unnoticed."""
    return f"companion backup of {count} files".encode()


# Reading.


def unpack_backup(
    file: BinaryIO, name: str, into: Path, checks: Mapping[str, MemberCheck]
) -> Unpacked:
    """Unpack a backup into an empty folder and verify all of it.

    Raise Malformed if it is no backup, damaged, or of another version; OSError if there is no room.
    """
    begins = file.read(64)
    file.seek(0)
    is_ours = begins[:4] == b"PK\3\4" and begins[30:].startswith(JOURNAL.encode())
    try:
        with zipfile.ZipFile(file) as archive:
            is_ours = is_ours or JOURNAL in archive.namelist()
            members = _check_members(archive)
            require_room(into, sum(each.file_size for each in members.values()))
            (into / DECKS).mkdir(mode=0o700)
            for each in members.values():
                _unpack_member(archive, each, into / each.filename)
    except DAMAGE_ERRORS:
        text = N_("{field} is not a backup of the companion.")
        damaged = N_("{field} is damaged; take an older backup.")
        raise Malformed(name, damaged if is_ours else text) from None
    _check_journal(into / JOURNAL, name)
    for member in checks.keys() & members.keys():
        checks[member](into / member)
    made = "{}-{:02}-{:02} {:02}:{:02}".format(*members[JOURNAL].date_time)
    return Unpacked(made, list(members))


def _check_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the members by name; raise ValueError if they are not those of a backup."""
    told = archive.infolist()
    members = {each.filename: each for each in told}
    is_whole = len(members) == len(told) and archive.comment == _comment(len(told))
    if JOURNAL not in members or not is_whole:
        raise ValueError("not every member is there once")
    for each in told:
        is_plain = not each.flag_bits & 1 and not stat.S_ISLNK(each.external_attr >> 16)
        known = each.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        if not (MEMBER_NAME.fullmatch(each.orig_filename) and is_plain and known):
            raise ValueError("no backup has such a member")
        if each.file_size > max(ANY_RATIO_SIZE, MAX_RATIO * each.compress_size):
            raise ValueError("it is packed more densely than any journal")
    size = sum(each.file_size for each in told)
    if size > MAX_SIZE or size - members[JOURNAL].file_size > MAX_SIZE_BESIDE_JOURNAL:
        raise ValueError("no table is that large")
    return members


def _unpack_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, to: Path) -> None:
    """Write one member to a new private file; raise unless its length and sum are as stated."""
    with new_file(to) as file, archive.open(member) as packed:
        shutil.copyfileobj(packed, file)
        if file.tell() != member.file_size:
            raise ValueError("it is shorter than was said")


def _check_journal(journal: Path, name: str) -> None:
    """Raise Malformed unless it is a sound journal of this version."""
    if is_of_other_version(journal):
        text = N_("{field} was made by another version of the companion: restore it with that one.")
        raise Malformed(name, text)
    try:
        check_file(journal)
    except Malformed:
        raise Malformed(name, N_("{field} is damaged; take an older backup.")) from None
