"""A line of the journal, the game that it belongs to, and the hash that ties both together.

Law: the chain of a line is the hash of the chain before it in its game and of everything in its
row, its number too. So no line of a game can be changed, dropped, slipped in or moved without it
showing, and each game is verified by itself.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from companion.core.databases import DamagedFile, Row
from companion.core.events import Event, to_json

CHAIN_START = bytes(32)
MAX_LINE_BYTES = 3_500
"""Bytes of text in a line, so that every line lies within one page of the file."""
MAX_TIME = 6e10
"""Seconds from 1970 that a time may be away: a calendar can show them."""

LineFields = tuple[str, str, float, str, bytes]
"""Fields of a line: game, id, at, via, event."""

COLUMNS_OF_GAME = (str, str, float, float, int, int, int, int, int, bytes)
IMPORTED_TAG = "brought"
"""Stands in place of the tag where the game was played elsewhere."""

_encode = msgspec.json.Encoder().encode


class JournalEntry(NamedTuple):
    """A line to be written: its fields, the key of its request, the tags behind it."""

    moment: LineFields
    key: str = ""
    tag: str = ""


class NotedEvent(NamedTuple):
    """An event to be written, with its place and the tags there."""

    event: Event
    place: int = 0
    tags: tuple[str, ...] = ()


class JournalLine(msgspec.Struct, frozen=True):
    """One line: its number, game, time by the Pi's clock, device and event; the key of its request
    and the tags behind it, which leave the Pi with no record."""

    n: int
    game: str
    id: str
    at: float
    via: str
    event: msgspec.Raw
    key: str
    tag: str

    def decode_event(self, kind: object) -> Any:
        return msgspec.json.decode(self.event, type=kind)


class StoredGame(msgspec.Struct, frozen=True):
    """A game in the journal, as its lines tell it."""

    id: str
    game: str
    at: float
    """The earliest time of a line."""
    until: float
    """The latest time of a line."""
    first: int
    last: int
    lines: int
    imported: bool
    """Whether it came from a record."""
    is_over: bool
    """Whether nothing more could be played after its last line."""
    chain: bytes


def read_row(row: Row) -> JournalLine:
    """Return the line in this row."""
    n, game, id, at, via, event, key, tag, _, _ = row
    return JournalLine(n, game, id, at, via, msgspec.Raw(event.encode()), key, tag)


def chain_row(chain_before: bytes, row: Row) -> bytes:
    """Hash this row, without its last column, together with the hash of the row before."""
    return sha256(chain_before + _encode(row[:9])).digest()


def build_row(n: int, chain_before: bytes, entry: JournalEntry, is_over: bool) -> Row:
    """Return the row of a new line."""
    game, id, at, via, event = entry.moment
    row = n, game, id, float(at), via, event.decode(), entry.key, entry.tag, int(is_over)
    return *row, chain_row(chain_before, row)


def add_row(game: StoredGame | None, row: Row) -> StoredGame:
    """Return a game with its next row; raise DamagedFile unless that follows on its last."""
    n, box, id, at, _, _, _, tag, is_over, chain = row
    if game is None:
        game = StoredGame(id, box, at, at, n, 0, 0, tag == IMPORTED_TAG, False, CHAIN_START)
    try:
        follows = chain_row(game.chain, row) == chain and (id, box) == (game.id, game.game)
        follows = follows and abs(at) < MAX_TIME
    except (TypeError, ValueError):  # A column that holds something of another type.
        follows = False
    if not follows or n <= game.last:
        raise DamagedFile(f"line {n}")
    return StoredGame(
        id, box, min(game.at, at), max(game.until, at), game.first, n, game.lines + 1,
        game.imported, bool(is_over), chain,
    )  # fmt: skip


def read_game(row: Row) -> StoredGame:
    """Return the game in this row; raise DamagedFile if a column holds something else."""
    if tuple(map(type, row)) != COLUMNS_OF_GAME:
        raise DamagedFile("game")
    *facts, imported, is_over, chain = row
    id, game, at, until, first, last, lines = facts
    return StoredGame(id, game, at, until, first, last, lines, bool(imported), bool(is_over), chain)


def game_row(game: StoredGame) -> Row:
    """Return the row of a game."""
    return msgspec.structs.astuple(game)


def journal_entries(
    game: str, id: str, noted: Sequence[NotedEvent], via: str, at: float, key: str
) -> list[JournalEntry]:
    """Return the entries of these events; the last one bears the key of the request."""
    last = noted[-1]
    return [
        JournalEntry(
            (game, id, at, via, to_json(each.event)),
            key if each is last else "",
            ",".join(each.tags),
        )
        for each in noted
    ]
