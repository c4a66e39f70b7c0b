"""Carve rows out of the bytes of a damaged file, whatever else in it is broken.

Law: a row never changes and lies in one piece, so any copy of it, anywhere in the database or in
its write-ahead log, is as good as any other; and a row is believed only if it hashes to itself.
Nothing here depends on page, frame, tree or header of a row: those may be broken.

A row is: length, number, then a header of column types, then the columns. A text of k bytes has
type 13 + 2k, a blob of 32 bytes type 76, the number itself is stored as type 0.
"""

import re
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from companion.journal.line import hash_parts, mark_hash, own_hash

_TEXT_TYPE = rb"(?:[\x0d-\x7f]|[\x81-\xff][\x00-\x7f])"
_TWO_TEXT_TYPES = _TEXT_TYPE + _TEXT_TYPE
_LINE_HEADER = re.compile(
    rb"(?=([\x0c-\x12]\x00"
    + _TWO_TEXT_TYPES
    + rb"[\x01-\x09]"
    + _TWO_TEXT_TYPES
    + rb"LL"
    + _TWO_TEXT_TYPES
    + rb"L))",
    re.DOTALL,
)
_ANCHOR_HEADER = re.compile(rb"(?=(\x04\x00LL))", re.DOTALL)

_INTEGER_SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class CarvedLine(NamedTuple):
    """A sound line as it lies in a file; `n` is 0 where no number can be read.

    Its mark tells whether that is its number, and whether its key and its tag are sound.
    """

    n: int
    game: str
    id: str
    at: float
    via: str
    event: str
    own: str
    chain: str
    key: str
    tag: str
    mark: bytes
    offset: int

    def is_number(self, n: int) -> bool:
        """Return whether this is its number, and chain, key and tag are sound too."""
        return mark_hash(n, self.own, self.chain, self.key, self.tag) == self.mark

    def is_finished(self) -> bool:
        """Return whether all of it was once written: its mark fits, but for one flipped bit."""
        if self.is_number(self.n) or len(self.mark) < 32:
            return len(self.mark) == 32
        marked = mark_hash(self.n, self.own, self.chain, self.key, self.tag)
        differing = int.from_bytes(marked, "big") ^ int.from_bytes(self.mark, "big")
        return differing.bit_count() == 1 or any(
            each.is_number(each.n) for each in self._unflipped()
        )

    def _unflipped(self) -> "Iterator[CarvedLine]":
        """Yield what this line can have been before one bit of its number, chain, key or tag."""
        yield from (self._replace(n=self.n ^ (1 << bit)) for bit in range(40))
        chain = int(self.chain, 16)
        yield from (self._replace(chain=f"{chain ^ (1 << bit):064x}") for bit in range(256))
        yield from (self._replace(key=key) for key in _other_texts(self.key))
        yield from (self._replace(tag=tag) for tag in _other_texts(self.tag))


def _other_texts(text: str) -> Iterator[str]:
    """Yield every text that differs from this one by one character."""
    for at in range(len(text)):
        yield from (text[:at] + chr(code) + text[at + 1 :] for code in range(32, 127))


class CarvedAnchor(NamedTuple):
    n: int
    chain: str


T = TypeVar("T")
Columns = list[bytes]


def carve_lines(data: bytes) -> Iterator[CarvedLine]:
    """Yield every sound line in these bytes, each copy once."""
    return _carve_rows(_LINE_HEADER, data, _decode_line, 6)


def carve_anchors(data: bytes) -> Iterator[CarvedAnchor]:
    """Yield every sound anchor in these bytes."""
    return _carve_rows(_ANCHOR_HEADER, data, _decode_anchor, 1)


def _carve_rows(
    shape: re.Pattern[bytes],
    data: bytes,
    read: Callable[[int, list[int], Columns, int], T | None],
    hashes: int,
) -> Iterator[T]:
    """Yield each row that decodes; from column `hashes` on, equal bytes are a copy."""
    seen: set[tuple[int, bytes]] = set()
    for match in shape.finditer(data):
        header, at = match[1], match.start()
        types = _decode_varints(header[1:])
        sizes = [_column_size(kind) for kind in types]
        if header[0] != len(header) or None in sizes:
            continue
        begin = at + len(header)
        end = begin + sum(size or 0 for size in sizes)
        n = _row_number(data, at, end - at)
        place = begin + sum(size or 0 for size in sizes[:hashes])
        copy = n, data[place:end]
        if place + 64 > len(data) or copy in seen:  # what comes after its hashes may be cut off
            continue
        row = _decode_row(read, n, types, _split_columns(data, begin, sizes), place)
        if row is not None:
            seen.add(copy)
            yield row


def _decode_row(
    read: Callable[[int, list[int], Columns, int], T | None],
    n: int, types: list[int], columns: Columns, place: int,
) -> T | None:  # fmt: skip
    try:
        return read(n, types, columns, place)
    except UnicodeDecodeError:
        return None


def _decode_line(n: int, types: list[int], columns: Columns, place: int) -> CarvedLine | None:
    game, id, via, event = (columns[k].decode() for k in (1, 2, 4, 5))
    at = _decode_real(types[3], columns[3])
    mine, chain = columns[6].hex(), columns[7].hex()
    if own_hash(game, id, at, via, event) != mine:
        return None
    key, tag = (columns[k].decode(errors="replace") for k in (8, 9))
    return CarvedLine(n, game, id, at, via, event, mine, chain, key, tag, columns[10], place)


def _decode_anchor(n: int, _: list[int], columns: Columns, __: int) -> CarvedAnchor | None:
    chain = columns[1].hex()
    return CarvedAnchor(n, chain) if hash_parts(n, chain) == columns[2] else None


def _decode_varints(header: bytes) -> list[int]:
    types, value = [], 0
    for byte in header:
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            types.append(value)
            value = 0
    return types


def _column_size(kind: int) -> int | None:
    """Return the bytes that a column of this type takes; None if no line has such a column."""
    if kind >= 12:
        return (kind - 12) // 2 if kind % 2 or kind == 76 else None
    return {0: 0, 7: 8, 8: 0, 9: 0, **_INTEGER_SIZES}.get(kind)


def _split_columns(data: bytes, at: int, sizes: list[int | None]) -> Columns:
    found = []
    for size in sizes:
        found.append(data[at : at + (size or 0)])
        at += size or 0
    return found


def _decode_real(kind: int, column: bytes) -> float:
    """Decode a time; the file stores whole seconds as integers."""
    if kind == 7:
        (number,) = struct.unpack(">d", column)
        return float(number)
    return float(int.from_bytes(column, "big", signed=True)) if column else float(kind == 9)


def _row_number(data: bytes, header: int, length: int) -> int:
    """Return the number of the row with this header: it precedes it, after the length."""
    told = _encode_varint(length)
    for width in range(1, 7):
        number = data[max(header - width, 0) : header]
        if data[max(header - width - len(told), 0) : header - width] == told and (
            len(_decode_varints(number)) == 1 and number[-1] < 0x80
        ):
            return _decode_varints(number)[0]
    return 0


def _encode_varint(number: int) -> bytes:
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(0x80 | (number & 0x7F))
    return bytes(reversed(digits))
