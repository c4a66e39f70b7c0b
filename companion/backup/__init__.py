"""Backup and restore: the journal, the decks and the config as one file.

Laws: a restore gives back exactly what was backed up, or nothing: every member is hashed, and the
journal is verified line by line on a copy first. A restore that is interrupted leaves the old state
or the new one, and the old one is kept as a backup of its own. The identity file is in no backup
and is never read for one; a restore frees all seats and signs all hosts out, so that no
phone returns to the wrong game. Hands that were seen are in a backup: it has to
be kept private.
"""

from companion.backup.format import (
    CONFIG,
    DECKS,
    JOURNAL,
    SETUP,
    WIRING,
    DiskFull,
    Manifest,
    daily_name,
    remove_old_backups,
)
from companion.backup.read import Backup, open_backup
from companion.backup.restore import (
    FolderState,
    MemberCheck,
    RestoreResult,
    RestoreTarget,
    confirm_restore,
    discard_restore,
    prepare_restore,
    read_folder_state,
    restore_backup,
    try_restore,
)
from companion.backup.swap import finish_restore
from companion.backup.write import write_backup

__all__ = [
    "CONFIG",
    "DECKS",
    "JOURNAL",
    "SETUP",
    "WIRING",
    "Backup",
    "DiskFull",
    "FolderState",
    "Manifest",
    "MemberCheck",
    "RestoreResult",
    "RestoreTarget",
    "confirm_restore",
    "daily_name",
    "discard_restore",
    "finish_restore",
    "open_backup",
    "prepare_restore",
    "read_folder_state",
    "remove_old_backups",
    "restore_backup",
    "try_restore",
    "write_backup",
]  # fmt: skip
