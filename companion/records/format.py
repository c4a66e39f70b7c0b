"""Format of a record: its lines, its hash chain, and how it is written.

Laws: a header line says which game and which rules, then comes one JSON line for each moment; a
chain that begins with the header ties them together, so that a line edited, dropped, repeated or
moved shows. A record speaks of seats; names are in it only where they were asked for, and in its
header, so that the chain holds each to its seat. What else is private (tags, keys, readings) is in
no record. Anyone can compute a chain: that it fits proves nothing more.
"""

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from companion import __version__
from companion.games.rulebook import AnyRulebook

FORMAT_VERSION = 4


class RecordHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: which game, by which version of its rules, how many moments follow."""

    record: int
    game: str
    id: str
    title: str
    rules: int
    companion: str
    moments: int
    names: tuple[str, ...] = ()
    """Who plays at the seats, where that was wanted in the file; the chain begins with it."""


class RecordedMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line: a moment in its place, the time on the Pi's clock, the device."""

    n: int
    at: float
    via: str
    event: msgspec.Raw
    chain: str


class Record(msgspec.Struct, frozen=True):
    header: RecordHeader
    moments: tuple[RecordedMoment, ...]


def chain_start(header: RecordHeader) -> str:
    """Return the hash with which the chain begins: that of the header."""
    return hashlib.sha256(msgspec.json.encode(header)).hexdigest()


def chain_moment(header: RecordHeader, chain_before: str, at: float, via: str, event: bytes) -> str:
    """Return the chain with one more moment."""
    told = msgspec.json.encode([header.game, header.id, at, via, event.decode()])
    own = hashlib.sha256(told).digest()
    return hashlib.sha256(bytes.fromhex(chain_before) + own).hexdigest()


def build_record(
    rules: AnyRulebook,
    id: str,
    version: int,
    moments: Iterable[tuple[float, str, bytes]],
    names: Sequence[str] = (),
) -> Record:
    """Build the record of these moments: time, device, event as JSON; with names, if there are."""
    told = list(moments)
    box = rules.box
    about = (FORMAT_VERSION, box.game, id, box.title, version, __version__, len(told))
    header = RecordHeader(*about, tuple(names))
    chain, lines = chain_start(header), []
    for n, (at, via, event) in enumerate(told, 1):
        chain = chain_moment(header, chain, at, via, event)
        lines.append(RecordedMoment(n, at, via, msgspec.Raw(event), chain))
    return Record(header, tuple(lines))


def to_bytes(record: Record) -> bytes:
    """Encode the record as a file."""
    lines = (record.header, *record.moments)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
