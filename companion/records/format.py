"""What a record is, and how it is written."""

import hashlib
from collections.abc import Iterable

import msgspec

from companion import __version__
from companion.games.rulebook import Rulebook
from companion.journal import link, own

FORMAT = 1
DIGITS = 16


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: of which game, by which version of its rules, how many moments follow."""

    record: int
    game: str
    id: str
    title: str
    rules: int
    companion: str
    moments: int


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line: a moment in its place, when by the Pi's clock, through what it came."""

    n: int
    at: float
    via: str
    event: msgspec.Raw
    chain: str


class Record(msgspec.Struct, frozen=True):
    """A whole record."""

    header: Header
    moments: tuple[Written, ...]


def begins(header: Header) -> str:
    """Where the chain begins: at what makes this record the record of this game."""
    told = [header.record, header.game, header.id, header.title, header.rules]
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


def tie(header: Header, before: str, at: float, via: str, event: bytes) -> str:
    """The chain with one more moment."""
    return link(before, own(header.game, header.id, at, via, event.decode()))


def record(
    rules: Rulebook, id: str, version: int, moments: Iterable[tuple[float, str, bytes]]
) -> Record:
    """The record of these moments: when, through what, the event as JSON."""
    told = list(moments)
    box = rules.box
    header = Header(FORMAT, box.game, id, box.title, version, __version__, len(told))
    chain, lines = begins(header), []
    for n, (at, via, event) in enumerate(told, 1):
        chain = tie(header, chain, at, via, event)
        lines.append(Written(n, at, via, msgspec.Raw(event), chain))
    return Record(header, tuple(lines))


def fingerprint(record: Record) -> str:
    """What two people read to each other: whoever has the same has the same game, to the letter."""
    digits = record.moments[-1].chain[:DIGITS]
    return " ".join(digits[at : at + 4] for at in range(0, DIGITS, 4))


def to_bytes(record: Record) -> bytes:
    """The file."""
    lines = (record.header, *record.moments)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
