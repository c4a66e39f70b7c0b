"""The book of a league: what was agreed, one JSON line each, tied together by a chain of hashes.

Laws: nothing in it is changed or taken out. It holds no name: members are random ids. A line must
be byte by byte as a book writes it. The code of a sheet is a hash of the chain at its round, so it
stands for the seats of that table and for all that was agreed before; one who changes a seat
afterwards gets another code, which no game bears.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.safe_text import show_safely
from companion.league.meetings import Tables
from companion.league.pairing import Pairing

FORMAT = 1
CONSENT = 1
"""The number of the words with which a member agrees (`CONSENT_WORDS`)."""
CONSENT_WORDS = N_(
    "I agree that this league shows my name with my results, on its pages and in its lists, until"
    " I take that back."
)
MOST_BYTES = 16_000_000
MEMBER = re.compile(r"[0-9a-f]{8}")
_SHEET = "companion league sheet 1"


class Entry(msgspec.Struct, frozen=True, tag_field="entry", forbid_unknown_fields=True):
    """Something that was agreed."""


class LeagueFounded(Entry, frozen=True, tag="founded"):
    """The league: which game, how many at a table, how it is paired and scored.

    `points` are those of each place; without them, a point for everyone who is beaten. Where it
    asks for `phones`, only games count whose end every seat has signed.
    """

    format: int
    id: str
    title: str
    game: str
    seats: int
    pairing: Pairing
    points: tuple[int, ...] = ()
    phones: bool = False


class PointsChosen(Entry, frozen=True, tag="points"):
    """What each place is worth from now on, or a point for everyone who is beaten; only while no
    result counts."""

    points: tuple[int, ...]


class MemberJoined(Entry, frozen=True, tag="joined"):
    """A member joined; `consent` is the number of the words they agreed to, 0 without a name."""

    member: str
    consent: int


class MemberLeft(Entry, frozen=True, tag="left"):
    """A member left, or took back the name: it is in the league no more."""

    member: str


class RoundPaired(Entry, frozen=True, tag="paired"):
    """A round was paired: the members by table and seat, who sits out, and what was drawn."""

    round: int
    tables: Tables
    byes: tuple[str, ...]
    draw: str


class GameArrived(Entry, frozen=True, tag="arrived"):
    """The record of a game arrived, was verified and is counted.

    `chain` is that of the line with which the game ended, `file` the hash of the whole record;
    `totals` and `places` are by seat.
    """

    round: int
    table: int
    game: str
    chain: str
    file: str
    totals: tuple[int, ...]
    places: tuple[int, ...]


class ResultStruck(Entry, frozen=True, tag="struck"):
    """A result was taken back: its game was put right since, or counted by mistake."""

    round: int
    table: int


AnyEntry = (
    LeagueFounded
    | PointsChosen
    | MemberJoined
    | MemberLeft
    | RoundPaired
    | GameArrived
    | ResultStruck
)


class BookLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line: its number, what was agreed, and the chain up to it."""

    n: int
    said: AnyEntry
    chain: str


class BadBook(Malformed):
    """A book that was changed, or is none; `line` is the first that does not fit."""

    def __init__(self, line: int, text: str, /, **facts: object) -> None:
        self.line = line
        super().__init__("book.jsonl", text, line=line, **facts)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(BookLine).decode


def write_line(said: AnyEntry, before: BookLine | None) -> BookLine:
    """Return the line that comes after another one, or the first."""
    n, chain = (1, "") if before is None else (before.n + 1, before.chain)
    told = f"companion league book {FORMAT}\n{chain}\n{n}\n".encode() + _encode(said)
    return BookLine(n, said, hashlib.sha256(told).hexdigest())


def to_bytes(lines: Iterable[BookLine]) -> bytes:
    """Return the book as a file."""
    return b"".join(_encode(line) + b"\n" for line in lines)


def parse_lines(data: bytes) -> Iterator[BookLine]:
    """Yield the lines of a book; raise BadBook at the first that does not follow from the last."""
    before: BookLine | None = None
    if len(data) > MOST_BYTES or not data.endswith(b"\n"):
        raise BadBook(1, N_("{field} breaks off, or is no book of a league."))
    for n, told in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            line = _decode(told)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            text = N_("Line {line} of {field} cannot be read: {reason}.")
            raise BadBook(n, text, reason=show_safely(error)) from None
        if line != write_line(line.said, before) or _encode(line) != told:
            text = N_(
                "Line {line} of {field} does not follow from those before it: one was changed."
            )
            raise BadBook(n, text)
        yield line
        before = line


def sheet_code(chain: str, table: int) -> str:
    """Return the code of a table, from 1, in the round that was paired with this chain."""
    return hashlib.sha256(f"{_SHEET}\n{chain}\n{table}".encode()).hexdigest()[:32]
