"""Write a backup: gather its members, pack them, read the archive back, and rename it.

Laws: under its name there is a whole backup or none, and what was left by one that was killed is
removed by the next. Only a journal whose every line is verified is kept, so that no good backup
is rotated away for a bad one; the lines are verified in a thread of their own while the file is
packed, and it gets its name only if they are sound. Memory does not grow with the journal; the disk
holds a copy of it meanwhile, in a folder beside the backup.
"""

import fcntl
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.backup.format import (
    CONFIG,
    DECKS,
    JOURNAL,
    MANIFEST,
    MEMBER_NAME,
    PACKING_NAME,
    SETUP,
    WIRING,
    Manifest,
    make_manifest,
    write_error,
)  # fmt: skip
from companion.backup.places import require_room
from companion.backup.privileges import as_owner
from companion.backup.read import Backup
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.journal.copy import copy_journal, copy_unproven_journal, require_sound_journal
from companion.journal.schema import sync_to_disk

EPOCH = (1980, 1, 1, 0, 0, 0)
COMPRESSION_LEVEL = 3
"""Half as slow again as level 6, for a file that is 3 % larger: most of a journal is hashes."""
CHUNK_SIZE = 1 << 18
"""Bytes of a member that are packed at once."""
LARGE_SIZE = 1 << 30
"""Bytes of a member from which on its place in the archive is written with long numbers."""

JournalCheck = Callable[[Path], None]
"""Raises Malformed if this journal may not go out."""


def allow_any(_journal: Path) -> None:
    """Allow every journal: the backup stays with users who can read the journal anyway."""


class Packing(NamedTuple):
    """How the journal is copied, what is checked while it is packed, the method of the archive."""

    copy: Callable[[Path, Path], list[Message]]
    check_journal: JournalCheck
    method: int


def write_backup(
    folder: Path,
    config: Path | None,
    target: Path,
    made: str,
    *,
    check_journal: JournalCheck = allow_any,
) -> Manifest:
    """Back up the data folder and the config into this file; return its manifest.

    `check_journal` gets the very copy of the journal that is packed.
    """
    if not (folder / JOURNAL).exists():
        raise Malformed(str(folder / JOURNAL), N_("There is no journal at {field}."))
    with as_owner(folder) if target.is_relative_to(folder) else nullcontext():
        told, _ = _write_archive(
            _find_members(folder, config),
            folder,
            target,
            made,
            Packing(_copy_pages, partial(_check_sound, check=check_journal), zipfile.ZIP_DEFLATED),
        )
    return told


def keep_old_state(
    folder: Path, config: Path | None, target: Path, made: str, proven: Path | None = None
) -> list[Message]:
    """Back up what can be read before it is replaced; return the losses.

    Lines that stand in the same place of a `proven` journal are not proven again. The archive is
    not compressed: it stays on the disk where the journal was, and compressing takes half the time.
    """
    _, lost = _write_archive(
        _find_members(folder, config),
        folder,
        target,
        made,
        Packing(partial(_copy_remains, proven=proven), allow_any, zipfile.ZIP_STORED),
    )
    return lost


def _write_archive(
    members: dict[str, Path],
    folder: Path,
    target: Path,
    made: str,
    packing: Packing,
) -> tuple[Manifest, list[Message]]:
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        require_room(target.parent, 2 * _file_size(folder / JOURNAL))  # As a copy, and packed.
        with work_folder(target.with_name(f".{target.name}.packing")) as beside:
            lost = packing.copy(folder / JOURNAL, beside / JOURNAL)
            with _meanwhile(partial(packing.check_journal, beside / JOURNAL)):
                told = make_manifest(made, _gather_members(members, beside))
                packed = write_zip(told, beside, packing.method)
                with packed.open("rb") as file, Backup(file, target.name) as again:
                    again.verify()
            packed.replace(target)
            sync_to_disk(target)
    except OSError as error:
        raise write_error(target, error) from None
    return told, lost


def _file_size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@contextmanager
def _meanwhile(job: Callable[[], None]) -> Iterator[None]:
    """Run a job beside the block, in a thread of its own; raise at the end what it raised."""
    with ThreadPoolExecutor(1) as other:
        try:
            done = other.submit(job)
        except RuntimeError:  # There is no room for the stack of a thread.
            raise MemoryError from None
        yield
        done.result()


def _copy_pages(journal: Path, target: Path) -> list[Message]:
    copy_unproven_journal(journal, target)
    return []


def _check_sound(journal: Path, check: JournalCheck) -> None:
    """Raise Malformed unless every line of this copy is sound and it may go out."""
    require_sound_journal(journal)
    check(journal)


def _copy_remains(journal: Path, target: Path, proven: Path | None) -> list[Message]:
    """Copy the readable lines; an empty journal if there are none."""
    try:
        return copy_journal(journal, target, proven)
    except Malformed as nothing:
        copy_journal(target.with_name("none"), target)
        return [nothing.say]


@contextmanager
def work_folder(beside: Path) -> Iterator[Path]:
    """Create a private folder, locked while it is used; remove it at the end.

    The kernel frees the lock of a process that is killed: a folder without one was left behind.
    """
    for left in filter(lambda path: PACKING_NAME.fullmatch(path.name), beside.parent.iterdir()):
        _remove_unless_locked(left)
    _remove_unless_locked(beside)
    try:
        beside.mkdir(mode=0o700)
    except FileExistsError:
        text = N_("{field} is being written by another backup just now; wait a moment.")
        raise Malformed(str(beside.with_name(_packed_name(beside))), text) from None
    lock = os.open(beside, os.O_RDONLY)
    try:
        with suppress(OSError):  # A file system without locks.
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        os.close(lock)


def _packed_name(beside: Path) -> str:
    return beside.name.removeprefix(".").removesuffix(".packing")


def _remove_unless_locked(folder: Path) -> None:
    """Remove a folder in which no process packs a backup any more."""
    with suppress(OSError):
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if not _is_locked(lock):
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)


def _is_locked(descriptor: int) -> bool:
    """Return whether another process holds a lock; False on a file system without locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _find_members(folder: Path, config: Path | None) -> dict[str, Path]:
    """Return the paths of the members besides the journal, whether or not they exist."""
    found = {name: folder / name for name in (WIRING, SETUP)}
    found |= {CONFIG: config} if config else {}
    return found | {f"{DECKS}/{path.name}": path for path in (folder / DECKS).glob("*.json")}


def _gather_members(members: dict[str, Path], beside: Path) -> dict[str, Path]:
    """Copy each existing member, so that it does not change while it is packed."""
    (beside / DECKS).mkdir()
    names = [JOURNAL]
    for name, path in sorted(members.items()):
        if path.is_file() and MEMBER_NAME.fullmatch(name):
            (beside / name).write_bytes(path.read_bytes())
            names.append(name)
    return {name: beside / name for name in names}


def write_zip(manifest: Manifest, beside: Path, method: int) -> Path:
    packed = beside / "packed"
    descriptor = os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with zipfile.ZipFile(file, "w", method, compresslevel=COMPRESSION_LEVEL) as zipped:
            zipped.writestr(zipfile.ZipInfo(MANIFEST, EPOCH), msgspec.json.encode(manifest))
            for name, told in manifest.members.items():
                is_large = told.size > LARGE_SIZE
                with (
                    zipped.open(name, "w", force_zip64=is_large) as into,
                    (beside / name).open("rb") as member,
                ):
                    shutil.copyfileobj(member, into, CHUNK_SIZE)
        file.flush()
        os.fsync(file.fileno())
    return packed
