"""A line of the journal, and the two hashes that prove it.

Law: `own` is the hash of what the line says, so each line can be proven by itself, wherever a copy
of it is found; `chain` is the hash of the chain before it and of `own`, so no line can be changed,
dropped, slipped in or moved without it showing. The number of a line is in neither: the chain
says its place.
"""

import hashlib
import math
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_

CHAIN_START = "0" * 64
MAX_LINE_BYTES = 3_500
"""Bytes of text in a line, so that every line lies within one page of the file."""

LineFields = tuple[str, str, float, str, bytes]
"""What a line is made of: game, id, at, via, event."""

IMPORTED_TAG = "brought"
"""What stands in the place of a tag where the game was played elsewhere."""


class JournalEntry(NamedTuple):
    """A line to be written: its moment, the key of its request, what was noted of its tag."""

    moment: LineFields
    key: str = ""
    tag: str = ""


class JournalLine(msgspec.Struct, frozen=True):
    """One line: which game, when by the Pi's clock, through what it came, the event, the hashes."""

    n: int
    game: str
    id: str
    at: float
    via: str
    event: msgspec.Raw
    own: str
    chain: str

    def decode_event(self, kind: Any) -> Any:
        """The event in this line."""
        return msgspec.json.decode(self.event, type=kind)


def own_hash(game: str, id: str, at: float, via: str, event: str) -> str:
    """The hash of what a line says."""
    return hashlib.sha256(msgspec.json.encode([game, id, at, via, event])).hexdigest()


def chain_hash(before: str, own: str) -> str:
    """The hash that ties a line to the one before it."""
    return hashlib.sha256(bytes.fromhex(before + own)).hexdigest()


def build_line(n: int, before: str, moment: LineFields) -> JournalLine:
    """The line that comes after `before`."""
    game, id, at, via, event = moment
    if len(event) + len((game + id + via).encode()) > MAX_LINE_BYTES or not math.isfinite(at):
        raise Malformed(id, N_("Game {field}: this does not fit into a line of the journal."))
    mine = own_hash(game, id, at, via, event.decode())
    return JournalLine(n, game, id, at, via, msgspec.Raw(event), mine, chain_hash(before, mine))


def hash_parts(*parts: object) -> bytes:
    """The hash of what belongs to a line or stands for one: only what hashes to it is believed."""
    return hashlib.sha256(msgspec.json.encode(parts)).digest()


def mark_hash(n: int, own: str, chain: str, key: str, tag: str) -> bytes:
    """The hash by which the number, the chain, the key and the tag of a line are believed."""
    return hash_parts(n, own, chain, key, tag)
