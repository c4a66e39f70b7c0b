"""A line of the journal, and the two hashes that prove it.

Law: `own` is the hash of what the line says, so each line can be verified by itself, wherever a
copy of it is found; `chain` is the hash of the chain before it and of `own`, so no line can be
changed, dropped, slipped in or moved without it showing. The number of a line is in neither: the
chain says its place.
"""

import hashlib
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import Malformed
from companion.core.events import Event, to_json
from companion.core.i18n import N_

CHAIN_START = "0" * 64
MAX_LINE_BYTES = 3_500
"""Bytes of text in a line, so that every line lies within one page of the file."""

LineFields = tuple[str, str, float, str, bytes]
"""What the hash of a line covers: game, id, at, via, event."""

IMPORTED_TAG = "brought"
"""Stands in place of the tag where the game was played elsewhere."""


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
    """One line: game, time by the Pi's clock, device, event, hashes."""

    n: int
    game: str
    id: str
    at: float
    via: str
    event: msgspec.Raw
    own: str
    chain: str

    def decode_event(self, kind: object) -> Any:
        return msgspec.json.decode(self.event, type=kind)


def own_hash(game: str, id: str, at: float, via: str, event: str) -> str:
    """Return the hash of what a line says."""
    return hashlib.sha256(msgspec.json.encode([game, id, at, via, event])).hexdigest()


def chain_hash(chain_before: str, own: str) -> str:
    """Return the hash that ties a line to the one before it."""
    return hashlib.sha256(bytes.fromhex(chain_before + own)).hexdigest()


def build_line(n: int, chain_before: str, moment: LineFields) -> JournalLine:
    """Return the line that comes after the chain `before`; raise Malformed if it is too long."""
    game, id, at, via, event = moment
    if len(event) + len((game + id + via).encode()) > MAX_LINE_BYTES or not math.isfinite(at):
        raise Malformed(id, N_("Game {field}: this does not fit into a line of the journal."))
    mine = own_hash(game, id, at, via, event.decode())
    return JournalLine(
        n, game, id, at, via, msgspec.Raw(event), mine, chain_hash(chain_before, mine)
    )


def hash_parts(*parts: object) -> bytes:
    """Return the hash of what belongs to a line or stands for one."""
    return hashlib.sha256(msgspec.json.encode(parts)).digest()


def mark_hash(n: int, own: str, chain: str, key: str, tag: str) -> bytes:
    """Return the hash that vouches for the number, chain, key and tag of a line."""
    return hash_parts(n, own, chain, key, tag)


def line_row(line: JournalLine, key: str = "", tag: str = "") -> tuple[Any, ...]:
    """Return the row of a new line."""
    told = line.n, line.game, line.id, line.at, line.via, bytes(line.event).decode()
    return (
        *told,
        *hash_bytes(line.own, line.chain),
        key,
        tag,
        mark_hash(line.n, line.own, line.chain, key, tag),
    )


def hash_bytes(own: str, chain: str) -> tuple[bytes, bytes]:
    """Return both hashes as they stand in a row."""
    return bytes.fromhex(own), bytes.fromhex(chain)


def anchor_row(n: int, chain: str) -> tuple[int, bytes, bytes]:
    """Return the row of an anchor: a line up to which the chain was verified."""
    return n, bytes.fromhex(chain), hash_parts(n, chain)


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
