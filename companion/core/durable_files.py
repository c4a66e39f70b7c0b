"""Durable files: the one function by which a file outside the databases is written.

Laws: a file is there whole or as it was before, readable by its owner only unless told otherwise,
and on disk when the function returns. What cannot be written is refused with one sentence.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path

from companion.core.errors import MaybeWritten, NotWritten
from companion.core.i18n import N_

DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace a file atomically: write aside, sync, rename, sync the folder.

    Raise NotWritten if the old file stays, MaybeWritten if the new one may not survive a power cut.
    """
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.unlink(missing_ok=True)
        _write_aside(aside, data, mode)
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):  # It is only a leftover; the next write replaces it.
            aside.unlink()
        raise not_written(path, error) from None
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise maybe_written(path, error) from None


def write_new_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file that must not exist yet: FileExistsError if it does, else as `write_file`."""
    try:
        _write_aside(path, data, mode)
        sync_folder(path.parent)
    except FileExistsError:
        raise
    except OSError as error:
        with suppress(OSError):  # Half a file is useless, and keeps the name from a whole one.
            path.unlink()
        raise not_written(path, error) from None


def remove_file(path: Path) -> None:
    """Remove a file, if it is there, and sync the folder; OSError if that fails."""
    if path.exists():
        path.unlink()
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_aside(path: Path, data: bytes, mode: int) -> None:
    """Write and sync a new file."""
    made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(made, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def not_written(path: Path, error: OSError) -> NotWritten:
    """Return the error of a file that stays as it is, with the reason in words."""
    return NotWritten(path.name, disk_sentence(error.errno), reason=os.strerror(error.errno or 0))


def maybe_written(path: Path, error: OSError) -> MaybeWritten:
    """Return the error of a file that is replaced, but not surely on disk."""
    return MaybeWritten(path.name, MAYBE_SENTENCE, reason=os.strerror(error.errno or 0))


MAYBE_SENTENCE = N_("The disk is failing: look again whether this counts.")


def disk_sentence(number: int | None) -> str:
    """Return the sentence for an error number of the disk."""
    if number in DISK_FULL_ERRORS:
        return N_("The disk is full: nothing more can be written until there is room.")
    if number == errno.EROFS:
        return N_("The disk can only be read: nothing can be written.")
    if number == errno.EIO:
        return N_("The disk does not take what is written: it is full or failing.")
    return N_("{field} cannot be written: {reason}.")
