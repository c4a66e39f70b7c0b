"""Anticollision: find every tag in the field, one by one.

Law: a UID counts only when its tag has answered a SELECT that carried all of it, so what was
misheard on the way falls away by itself. A collision leaves *hints*, prefixes worth asking for
next; a hint may be wrong and costs one silence. Chips disagree on how a collision's position
counts from the second one in a level on, so both readings become hints. The search is over only
when two calls in a row stay silent; on a visit one is enough where nothing was heard before,
because the next visit calls again.
"""

from typing import NamedTuple

from hardware.rc522.exchange import Exchange, HeardBits, Silence, select_tag
from hardware.rc522.frames import (
    CASCADE_TAG,
    HALT,
    LEVELS,
    MORE_UID,
    REQA,
    anticollision_frame,
    bcc,
)

FRUITLESS = 40  # calls in a row that lead to no new tag: noise, and the other readers wait


class Hint(NamedTuple):
    """The levels resolved so far, then the known bits of the next one."""

    path: tuple[bytes, ...] = ()
    known: int = 0
    bits: int = 0


NO_HINT = Hint()


class CollisionPositions:
    """Learns this chip's way of counting the position of a collision."""

    def __init__(self) -> None:
        self._from_first_byte = self._from_first_bit = 0

    def candidate_positions(self, known: int, position: int) -> list[int]:
        """Return possible positions of the first collision, 1…32, likeliest first; an impossible
        one teaches the chip's way of counting."""
        by_byte, by_bit = 8 * (known // 8) + position, position
        if by_byte == by_bit:
            return [position] if position > known else []
        fits = [known < by_byte <= 32, known < by_bit <= 32]
        self._from_first_byte += fits[0] and not fits[1]
        self._from_first_bit += fits[1] and not fits[0]
        order = [(by_byte, fits[0]), (by_bit, fits[1])]
        if self._from_first_bit > self._from_first_byte:
            order.reverse()
        return [position for position, possible in order if possible]


class TagSearch:
    """One search on one reader. The field is on, and the known tags are halted, or one of them is
    still selected."""

    def __init__(self, exchange: Exchange, positions: CollisionPositions) -> None:
        self._exchange, self._positions = exchange, positions
        self._hints: list[Hint] = []
        self.gave_up = False
        """Whether a tag went on answering that never could be understood."""

    def find_all(self, patient: bool = True) -> list[bytes]:
        """Return the UIDs of all tags that are not halted, and halt them. An impatient search of a
        field that was switched on just now ends when its first call stays silent."""
        found: list[bytes] = []
        silences, enough, fruitless = 0, 2 if patient else 1, 0
        while silences < enough and fruitless < FRUITLESS:
            if isinstance(self._exchange.call_tags(REQA), Silence):
                silences += 1
                continue
            silences, enough = 0, 2
            uid = self._follow_hint(self._hints.pop() if self._hints else NO_HINT)
            fruitless += 1
            if uid is not None and uid not in found:
                found.append(uid)
                fruitless = 0
        self.gave_up = fruitless == FRUITLESS
        return found

    def _follow_hint(self, hint: Hint) -> bytes | None:
        """Select and halt one tag along this hint; return its UID, or None and maybe new hints."""
        uid = b""
        for level in range(len(LEVELS)):
            part = hint.path[level] if level < len(hint.path) else self._read_level(hint)
            sak = None if part is None else select_tag(self._exchange, level, part)
            if part is None or sak is None:
                return None
            if not sak & MORE_UID:
                self._exchange.send_order(HALT)
                return uid + part
            if part[0] != CASCADE_TAG:
                return None
            uid += part[1:]
            if level == len(hint.path):
                hint = Hint((*hint.path, part))
        return None

    def _read_level(self, hint: Hint) -> bytes | None:
        """Return the four bytes of one tag at this level, resolving collisions."""
        level, known, bits = len(hint.path), hint.known, hint.bits
        while known < 32:
            heard = self._exchange.ask_tag(
                anticollision_frame(level, known, bits), 5 - known // 8, known
            )
            if not isinstance(heard, HeardBits):
                return None
            bits = _join_bits(bits, known, heard.data)
            if heard.collision is None:
                return _check_bcc(bits) if len(heard.data) == 5 - known // 8 else None
            places = self._positions.candidate_positions(known, heard.collision)
            if not places:
                return None
            ways = [
                Hint(hint.path, at, _choose_bit(bits, at, way)) for at in places for way in (1, 0)
            ]
            self._hints.extend(reversed(ways[1:]))
            known, bits = ways[0].known, ways[0].bits
        return bits.to_bytes(4, "little")


def _join_bits(bits: int, known: int, data: bytes) -> int:
    """Join the known bits with those received, which start at their own position."""
    mask = (1 << known) - 1
    return bits & mask | (int.from_bytes(data, "little") << 8 * (known // 8)) & ~mask


def _choose_bit(bits: int, position: int, way: int) -> int:
    """Return the bits before the collision followed by one of the two values."""
    return bits & (1 << position - 1) - 1 | way << position - 1


def _check_bcc(bits: int) -> bytes | None:
    data = bits.to_bytes(5, "little")
    return data[:4] if bcc(data[:4]) == data[4] else None
