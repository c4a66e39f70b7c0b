"""Open the identity file, put a broken file aside.

Laws: nothing that is wrong with the file stops a start. A broken file is kept under another name,
and the guests sit down anew. Where the disk takes no writes, what it holds is read and counts.
"""

import logging
import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple

from companion.core.durable_files import disk_sentence, sync_folder
from companion.core.i18n import Message, message
from companion.core.log_lines import log_line
from companion.identity.schema import (
    READ_ERRORS,
    create_aside,
    create_file,
    journal_path,
    open_sound,
    read_copy,
)
from companion.identity.state import IdentityState, new_state

LOG = logging.getLogger("companion.identity")
NOT_DAMAGE = frozenset({None, 3, 5, 6, 7, 8, 10, 13, 14, 23})
"""SQLite's codes for a file that may itself be in order: no permission, busy, locked, no memory,
read-only, disk error, full, cannot open, not authorised. None: the call never came to SQLite."""
FULL, READ_ONLY, DISK_ERROR = 13, 8, 10
FREE_ALL_MARK = "free-all-seats"
"""The file that a restore leaves: all seats are freed and the host is signed out before it goes."""
BROKEN = message(
    "The file with seats and host was broken: all guests sit down again, and the host signs in "
    "again."
)


class OpenedIdentity(NamedTuple):
    """An open connection with what it holds, and what there is to tell the host.

    `fault` says why nothing can be written; then there is no connection.
    """

    disk: sqlite3.Connection | None
    state: IdentityState
    notices: tuple[Message, ...] = ()
    fault: Message | None = None


def open_identity(path: Path) -> OpenedIdentity:
    """Open the file, made first if it is missing; a broken one is put aside."""
    try:
        return _open_or_create(path)
    except (OSError, sqlite3.Error) as error:
        LOG.error(log_line("identity_not_writable"))
        return OpenedIdentity(None, _last_state(path), (), describe_disk(error))


def _open_or_create(path: Path) -> OpenedIdentity:
    if not path.exists():
        create_file(path, new_state())
        return OpenedIdentity(*open_sound(path))
    try:
        return OpenedIdentity(*open_sound(path))
    except READ_ERRORS as error:
        if not is_damage(error):
            raise
    replace_broken_file(path, new_state())
    LOG.warning(log_line("identity_put_aside"))
    return OpenedIdentity(*open_sound(path), (BROKEN,))


def replace_broken_file(path: Path, state: IdentityState) -> None:
    """Keep a broken file under another name, with its rollback journal; put a new one in its place.

    The new one is on disk first: where that fails, or the power does, the old one stays.
    """
    aside, n = create_aside(path, state), 1
    while (kept := path.with_name(f"{path.name}.damaged-{n}")).exists():
        n += 1
    if path.is_symlink():  # What a link leads to is not ours: keep the link, and copy nothing.
        path.replace(kept)
    else:
        shutil.copyfile(path, kept)
        kept.chmod(0o600)
    if journal_path(path).exists():
        journal_path(path).replace(journal_path(kept))
    aside.replace(path)
    sync_folder(path.parent)


def _last_state(path: Path) -> IdentityState:
    """Return what a file that cannot be opened holds, read as a copy; a new state if that fails."""
    try:
        return read_copy(path)
    except (OSError, *READ_ERRORS):
        return new_state()


def is_damage(error: Exception) -> bool:
    """Return whether the file is to blame, not the disk."""
    return not isinstance(error, sqlite3.Error) or _primary_code(error) not in NOT_DAMAGE


def _primary_code(error: sqlite3.Error) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def describe_disk(error: OSError | sqlite3.Error) -> Message:
    """Return why nothing can be written, in the user's words."""
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return Message(disk_sentence(error.errno), {"field": "identity", "reason": reason})
    code = _primary_code(error)
    if code == FULL:
        return message("The disk is full: nothing more can be written until there is room.")
    if code == READ_ONLY:
        return message("The disk can only be read: nothing can be written.")
    if code == DISK_ERROR:
        return message("The disk does not take what is written: it is full or failing.")
    return message("The seats cannot be written: {reason}.", reason=str(error))
