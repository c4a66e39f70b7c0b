"""The state file beside the journal: the saved set-up.

Laws: only the companion's user may read them, and a file is there whole or not at all. What cannot
be read is made anew, and what cannot be written is refused.
"""

import errno
import os
from pathlib import Path

import msgspec

from companion.app.settings import file_exists_error
from companion.core.durable_files import write_file, write_new_file
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, Message, message
from companion.setup.steps import SavedSetup

UNREADABLE = (OSError, ValueError, msgspec.MsgspecError, RecursionError)
"""The exceptions of reading a file that is missing or damaged."""


def load_choices(folder: Path) -> SavedSetup:
    """Load what was chosen in the set-up wizard."""
    try:
        return msgspec.json.decode((folder / "table.json").read_bytes(), type=SavedSetup)
    except UNREADABLE:
        return SavedSetup()


def chosen_language(folder: Path, usual: str = LANGUAGES[0]) -> str:
    """Return the language chosen in the browser, else the usual one."""
    kept = load_choices(folder).language
    return kept if kept in LANGUAGES else usual


def save_choices(folder: Path, saved: SavedSetup) -> None:
    """Save the choices; NotWritten if that fails."""
    write_file(folder / "table.json", msgspec.json.encode(saved))


def write_copy(path: Path, data: bytes) -> None:
    """Write a copy into a file that does not exist yet; Malformed if it does, or on a full disk."""
    try:
        write_new_file(path, data)
    except FileExistsError:
        raise file_exists_error(path) from None


def say_without_folder(error: Malformed) -> Message:
    """Return the message of an error for a page: without folders; a full disk has its own."""
    if error.say.facts.get("reason") == os.strerror(errno.ENOSPC):
        return message("The disk is full: nothing more can be written until there is room.")
    return Message(error.say.text, {**error.say.facts, "field": Path(error.field).name})
