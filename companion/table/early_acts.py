"""What a floor does at a table before its first game, kept until a journal of a game is there.

Laws: an act is on disk here before it is done. The first game that begins takes all of them into
its journal, behind its first line and in the same transaction, with their author and their time;
then the file goes. Each has a key of its own, so that one whose file a power cut left counts once.
"""

import secrets
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.core.durable_files import remove_file, write_file
from companion.core.events import to_json
from companion.core.table_events import FloorActed
from companion.journal.line import JournalEntry

FILE = "floor-acts.json"


class EarlyAct(msgspec.Struct, frozen=True):
    """An act of a floor: when and by which floor it was done, and under which key."""

    at: float
    via: str
    event: FloorActed
    key: str


_decode = msgspec.json.Decoder(tuple[EarlyAct, ...]).decode


class EarlyActs:
    """The file of one table, beside its journal."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(FILE)

    def keep_act(self, at: float, via: str, event: FloorActed) -> None:
        """Add an act; NotWritten if the disk does not take it."""
        act = EarlyAct(at, via, event, f"{via} {secrets.token_hex(8)}")
        write_file(self._path, msgspec.json.encode((*self._read_file(), act)), 0o600)

    def list_acts(self, known: Collection[str]) -> tuple[EarlyAct, ...]:
        """Return the acts that are in no journal yet, the oldest first; `known` are the keys of the
        newest game."""
        return tuple(act for act in self._read_file() if act.key not in known)

    def forget_acts(self) -> None:
        """Remove the file, whose acts are in the journal; one that stays does no harm."""
        with suppress(OSError):
            remove_file(self._path)

    def _read_file(self) -> tuple[EarlyAct, ...]:
        try:
            return _decode(self._path.read_bytes())
        except (OSError, ValueError):
            return ()


def write_entries(game: str, id: str, acts: Collection[EarlyAct]) -> list[JournalEntry]:
    """Return the lines of these acts for the journal of a game."""
    return [JournalEntry((game, id, act.at, act.via, to_json(act.event)), act.key) for act in acts]
