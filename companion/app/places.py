"""Where the companion keeps what it must not lose.

Law: one folder, found in the same way by every command; whoever says where it is has the last word.
"""

import os
from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_

SYSTEM = Path("/var/lib/companion")
"""Where the service on the Pi keeps it."""

CONFIG = Path("/etc/companion/companion.toml")
"""Where the service on the Pi is told how to run."""


def data_folder() -> Path:
    """$COMPANION_DATA, else the service's folder where it may be written, else the user's own."""
    if told := os.environ.get("COMPANION_DATA"):
        return Path(told)
    if SYSTEM.is_dir() and os.access(SYSTEM, os.W_OK | os.X_OK):
        return SYSTEM
    own = os.environ.get("XDG_DATA_HOME", "")
    return (Path(own) if os.path.isabs(own) else Path.home() / ".local" / "share") / "companion"


def journal_path(folder: Path | None = None) -> Path:
    """The journal, if nobody says otherwise."""
    return (folder or data_folder()) / "journal.sqlite3"


def deck_path(game: str, folder: Path | None = None) -> Path:
    """The deck of a game."""
    return (folder or data_folder()) / "decks" / f"{game}.json"


def config_path(folder: Path) -> Path | None:
    """The config that goes with a data folder; none but the service has one."""
    return CONFIG if folder == SYSTEM and CONFIG.parent.is_dir() else None


def is_there(file: Path) -> Malformed:
    """What is said where a copy is to go into a file that is there: it may be all somebody has."""
    return Malformed(str(file), N_("{field} exists already; name a file that does not exist yet."))
