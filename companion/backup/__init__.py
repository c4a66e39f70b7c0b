"""Backup and restore: the journal, the decks, the config and the host's PIN as one file.

Laws: what is restored is what was backed up, or nothing is: every member is hashed, and the journal
is proven line by line on a copy first. Whatever ends a restore leaves the old state or the new one,
and the old one stays beside it as a backup of its own. What lets a browser in is in no backup: the
key of the cookies stays on its Pi, a restore frees all seats and signs the host out, so that no
phone wakes up in somebody else's game. But hands that were seen are in it: who has it has them.
"""

from companion.backup.format import (
    CHOSEN,
    CONFIG,
    DECKS,
    JOURNAL,
    PIN,
    WIRING,
    Full,
    Manifest,
    daily,
    rotate,
)
from companion.backup.read import Backup
from companion.backup.restore import (
    Fits,
    Restored,
    Stand,
    Target,
    agree,
    prepare,
    restore,
    stand,
    take_back,
    tried,
)
from companion.backup.swap import finish
from companion.backup.write import write

__all__ = [
    "CHOSEN", "CONFIG", "DECKS", "JOURNAL", "PIN", "WIRING",
    "Backup", "Fits", "Full", "Manifest", "Restored", "Stand", "Target",
    "agree", "daily", "finish", "prepare", "restore", "rotate", "stand", "take_back",
    "tried", "write",
]  # fmt: skip
