"""Where things are kept on this machine.

Law: one folder holds all that must survive; it is made when something is first kept.
"""

import os
from pathlib import Path

SHARED = Path("/var/lib/companion")


def data_dir() -> Path:
    """$COMPANION_DATA; else the system's own folder, where we may write; else the user's."""
    chosen = os.environ.get("COMPANION_DATA")
    if chosen:
        return Path(chosen)
    if SHARED.is_dir() and os.access(SHARED, os.W_OK):
        return SHARED
    home = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not home.is_absolute():  # then it does not count
        home = Path.home() / ".local" / "share"
    return home / "companion"


def deck_path(game: str, folder: Path | None = None) -> Path:
    """The deck of a game."""
    return (folder or data_dir()) / "decks" / f"{game}.json"


def journal_path(folder: Path | None = None) -> Path:
    """The journal of all games."""
    return (folder or data_dir()) / "journal.sqlite3"
