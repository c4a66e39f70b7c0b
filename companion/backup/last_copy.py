"""The last copy that left this Pi: when, and up to which line of the journal.

Laws: it is a note about what was done, not a promise that the copy still exists. A backup that lies
only on the table's own disk leaves no note. The note counts only for the journal that it is about,
and it is in no backup.
"""

from pathlib import Path

import msgspec

from companion.core.durable_files import write_file
from companion.core.i18n import Message, message

FILE = "last-copy.json"
MINUTES_LENGTH = len("2026-11-20T18:20")


class LastCopy(msgspec.Struct, frozen=True):
    """When the copy was made, by the Pi's clock, and the last line in it with its chain."""

    made: str
    n: int
    chain: str


def load_last_copy(folder: Path) -> LastCopy | None:
    """Return the note in this data folder; None if there is none, or none that can be read."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=LastCopy)
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return None


def save_last_copy(folder: Path, copy: LastCopy) -> None:
    """Note that this copy has left; NotWritten or MaybeWritten if that fails."""
    write_file(folder / FILE, msgspec.json.encode(copy))


def describe_last_copy(copy: LastCopy | None, games: int | None) -> Message:
    """Return the note in words; `games` have begun since, None if it is of another journal."""
    if copy is None or games is None:
        return message(
            "No copy of these games is known to have left this Pi. What lies on its SD card alone"
            " is lost with the card."
        )
    made = copy.made[:MINUTES_LENGTH].replace("T", " ")
    if games == 0:
        return message(
            "The last copy left this Pi at {made} by its clock; no game has begun since.", made=made
        )
    if games == 1:
        text = "The last copy left this Pi one game ago, at {made} by its clock."
        return message(text, made=made)
    text = "The last copy left this Pi {n} games ago, at {made} by its clock."
    return message(text, n=games, made=made)
