"""Durable files: the one function by which a file outside the databases is written.

Laws: a file is there whole or as it was before, readable by its owner only unless told otherwise,
and on disk when the function returns. What cannot be written is refused with one sentence. In a
folder of another user root acts as that user, so that no link in it can lead root to another place,
and new files belong to the owner.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.core.errors import ExplainedError, Malformed, MaybeWritten, NotWritten
from companion.core.i18n import N_, Message

DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace a file atomically: write aside, sync, rename, sync the folder.

    Raise NotWritten if the old file stays, MaybeWritten if the new one may not survive a power cut.
    """
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.unlink(missing_ok=True)
        with new_file(aside, mode=mode) as file:
            file.write(data)
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):  # It is only a leftover; the next write replaces it.
            aside.unlink()
        raise not_written(path, error) from None
    _sync_name(path)


def write_new_file(path: Path, data: bytes) -> None:
    """Write a copy for people into a file that must not exist yet, else Malformed."""
    try:
        with new_file(path, 0o666) as file:
            file.write(data)
    except FileExistsError:
        raise file_exists_error(path) from None
    except OSError as error:
        with suppress(OSError):  # Half a file is useless, and keeps the name from a whole one.
            path.unlink()
        raise not_written(path, error) from None
    _sync_name(path)


def file_exists_error(path: Path) -> Malformed:
    """Return the error for a copy into a file that exists and may be the only one."""
    return Malformed(str(path), N_("{field} exists already; name a file that does not exist yet."))


def make_folder(path: Path) -> None:
    """Make a private folder, if there is none, and sync its name; NotWritten if that fails."""
    if path.is_dir():
        return
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise not_written(path, error) from None


def remove_file(path: Path) -> None:
    """Remove a file and sync the folder; OSError if that fails or it does not exist."""
    path.unlink()
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Sync a file that is there, and its name, to disk; OSError if that fails."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # The file system of some sticks syncs no folders.
            raise
    finally:
        os.close(descriptor)


def _sync_name(path: Path) -> None:
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise MaybeWritten(path.name, MAYBE_SENTENCE, reason=_reason(error)) from None


@contextmanager
def new_file(path: Path, access: int = 0o600, mode: int | None = None) -> Iterator[BinaryIO]:
    """Yield a new file, by default a private one, which is synced to disk at the end; `mode`, if
    given, replaces the access that the umask leaves."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with open(os.open(path, flags, access), "wb") as file:
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def second_of_two_writes() -> Iterator[None]:
    """Turn NotWritten into MaybeWritten: another file of the same change is written already."""
    try:
        yield
    except NotWritten as error:
        raise MaybeWritten(error.field, MAYBE_SENTENCE) from None


def not_written(path: Path, error: OSError) -> NotWritten:
    """Return the error of a failed write, with its reason in words; the file is unchanged."""
    return NotWritten(path.name, disk_sentence(error.errno), reason=_reason(error))


def say_without_folder(error: ExplainedError) -> Message:
    """Return the message of an error for a page: without folders; a full disk has its own."""
    facts = dict(error.say.facts)
    if facts.get("reason") == os.strerror(errno.ENOSPC):
        return Message(DISK_FULL)
    if isinstance(named := facts.get("field"), str):
        facts["field"] = Path(named).name
    return Message(error.say.text, facts)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


DISK_FULL = N_("The disk is full: nothing more can be written until there is room.")
MAYBE_SENTENCE = N_("The disk is failing: check whether this was saved.")


def disk_sentence(number: int | None) -> str:
    """Return the sentence for an error number of the disk."""
    if number in DISK_FULL_ERRORS:
        return DISK_FULL
    if number == errno.EROFS:
        return N_("The disk can only be read: nothing can be written.")
    if number == errno.EIO:
        return N_("Nothing can be written to the disk: it is full or failing.")
    return N_("{field} cannot be written: {reason}.")


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Act as the owner of this folder while the block runs; without effect unless run by root."""
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups([])  # Else a link could lead to files that root's groups may write.
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)
