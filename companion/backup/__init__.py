"""Backup and restore: the journal, the decks, the config and the host's PIN as one file.

Laws: what is restored is what was backed up, or nothing is: every member is hashed, and the journal
is proven line by line on a copy first. Whatever ends a restore leaves the old state or the new one,
and the old one stays beside it as a backup of its own. What lets a browser in is in no backup: the
key of the cookies stays on its Pi, a restore frees all seats and signs the host out, so that no
phone wakes up in somebody else's game. But hands that were seen are in it: who has it has them.
"""

from companion.backup.format import (
    CONFIG,
    DECKS,
    JOURNAL,
    PIN,
    SETUP,
    WIRING,
    DiskFull,
    Manifest,
    daily_name,
    remove_old_backups,
)
from companion.backup.read import Backup
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
    "PIN",
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
    "prepare_restore",
    "read_folder_state",
    "remove_old_backups",
    "restore_backup",
    "try_restore",
    "write_backup",
]  # fmt: skip
