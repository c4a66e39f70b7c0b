"""Format of a record: its lines, its hash chain, and how it is written.

Laws: a header line says which game and which rules, then comes one JSON line for each moment; a
chain that begins with the header ties them together, so that a line edited, dropped, repeated or
moved shows. The hash of a moment is the one that it has in the journal. What is private (tags,
keys, readings) is in no record. The versions of the companion and of the package that brings the
box are told for the person who has to install them; no hash covers them, so that an update
changes none.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Annotated

import msgspec

from companion import __version__
from companion.core.table_events import AFTERWARDS
from companion.games import find_package
from companion.games.rulebook import AnyRulebook
from companion.journal.line import chain_hash, own_hash
from companion.records.fingerprint import group_digits

FORMAT_VERSION = 1
REWRITTEN_VERSION = 2
"""The version of a record whose names were erased after phones had signed it."""
_AFTERWARDS = frozenset(str(kind.__struct_config__.tag) for kind in AFTERWARDS)


CHAIN = r"^[0-9a-f]{64}$"
PACKAGE_NAME = r"^([A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?)?$"
PACKAGE_VERSION = r"^[A-Za-z0-9.!+_-]{0,40}$"


class RecordHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: which game, by which version of its rules, how many moments follow.

    `package` brings the box, in the version `package_version`; older records do not name it.
    """

    record: int
    game: str
    id: str
    title: str
    rules: int
    companion: str
    moments: int
    package: Annotated[str, msgspec.Meta(pattern=PACKAGE_NAME)] = ""
    package_version: Annotated[str, msgspec.Meta(pattern=PACKAGE_VERSION)] = ""
    former: dict[int, Annotated[str, msgspec.Meta(pattern=CHAIN)]] = {}
    """The chain up to some lines before the names were erased, which phones may have signed."""


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
    """Return the hash with which the chain begins: that of what identifies the game."""
    told = [FORMAT_VERSION, header.game, header.id, header.title, header.rules]
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


def chain_moment(header: RecordHeader, chain_before: str, at: float, via: str, event: bytes) -> str:
    """Return the chain with one more moment."""
    return chain_hash(chain_before, own_hash(header.game, header.id, at, via, event.decode()))


def build_record(
    rules: AnyRulebook,
    id: str,
    version: int,
    moments: Iterable[tuple[float, str, bytes]],
    former: Mapping[int, str] = MappingProxyType({}),
) -> Record:
    """Build the record of these moments: time, device, event as JSON; `former` are the chains of a
    game that was rewritten."""
    told = list(moments)
    header = _build_header(rules, id, version, len(told))
    if former:
        header = msgspec.structs.replace(header, record=REWRITTEN_VERSION, former=dict(former))
    chain, lines = chain_start(header), []
    for n, (at, via, event) in enumerate(told, 1):
        chain = chain_moment(header, chain, at, via, event)
        lines.append(RecordedMoment(n, at, via, msgspec.Raw(event), chain))
    return Record(header, tuple(lines))


def _build_header(rules: AnyRulebook, id: str, version: int, moments: int) -> RecordHeader:
    box, package = rules.box, find_package(rules.box.game)
    told = (FORMAT_VERSION, box.game, id, box.title, version, __version__, moments)
    # Nothing that a reader would refuse is written, whatever a package calls itself.
    if re.search(PACKAGE_NAME, package.name) and re.search(PACKAGE_VERSION, package.version):
        return RecordHeader(*told, package.name, package.version)
    return RecordHeader(*told)


def fingerprint(record: Record) -> str:
    """Return the digits that two people compare: equal only for the same game, byte by byte.

    They are of the line with which it ended: the same before and after phones sign it.
    """
    return group_digits(end_chain(record))


def end_chain(record: Record) -> str:
    """Return the chain up to the line with which the game ended."""
    return record.moments[end_line(record) - 1].chain


def former_chain(record: Record) -> str:
    """Return the chain up to the end as it was before the names were erased; "" if none were."""
    return record.header.former.get(end_line(record), "")


def end_line(record: Record) -> int:
    """Return the number of the last line that belongs to the game itself."""
    return count_to_end([each.event for each in record.moments])


def count_to_end(events: Sequence[msgspec.Raw]) -> int:
    """Return how many of these events there are without those that came after the end."""
    n = len(events)
    while n > 1 and _TAG.decode(events[n - 1]).event in _AFTERWARDS:
        n -= 1
    return n


class _Tagged(msgspec.Struct):
    event: str


_TAG = msgspec.json.Decoder(_Tagged)


def chain_of_hashes(rules: AnyRulebook, id: str, version: int, hashes: Sequence[str]) -> str:
    """Return the chain of a record up to the last of these own hashes."""
    return reduce(chain_hash, hashes, chain_start(_build_header(rules, id, version, len(hashes))))


def to_bytes(record: Record) -> bytes:
    """Encode the record as a file."""
    lines = (record.header, *record.moments)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
