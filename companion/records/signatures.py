"""Signatures in a record: which seats closed their hands and signed the end with one key.

Laws: a signature is right, wrong or missing, and only a wrong one accuses anybody. A seat without
any is unsigned: a bot, an old record, a phone that has lost its key. A key that signed for several
seats belongs to a shared phone and says nothing of who was who, so these seats are unsigned too.
No record proves whose key it is: who makes a record anew can make keys as well.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from companion.core.events import Event, Sealed
from companion.core.signatures import end_text, is_signature, seal_text
from companion.core.table_events import EndSigned
from companion.records.format import Record, end_line

Standing = Literal["signed", "in_part", "shared", "unsigned"]


class SeatSignatures(msgspec.Struct, frozen=True):
    """How often a seat closed a hand, how often signed, with which keys, and whether it signed the
    end."""

    seat: int
    name: str
    closed: int = 0
    signed: int = 0
    ended: bool = False
    keys: tuple[str, ...] = ()
    is_shared: bool = False

    @property
    def standing(self) -> Standing:
        """Return what can be said of this seat."""
        if self.is_shared:
            return "shared"
        if not self.keys:
            return "unsigned"
        whole = self.signed == self.closed and self.ended and len(self.keys) == 1
        return "signed" if whole else "in_part"


class WrongSignature(msgspec.Struct, frozen=True):
    """A signature that does not fit: the number of its moment, and its seat."""

    n: int
    seat: int


def find_wrong_signature(
    record: Record, events: Iterable[Event], rounds: Mapping[int, int]
) -> WrongSignature | None:
    """Return the first signature that is wrong; `rounds` has the round of each hand by the number
    of its moment. A hand whose round is not known is left out."""
    for n, event in enumerate(events, 1):
        if isinstance(event, Sealed) and (event.key or event.signature) and n in rounds:
            texts = [seal_text(record.header.id, rounds[n], event.seat, event.seal)]
        elif isinstance(event, EndSigned):
            if not 1 <= event.line < n:
                return WrongSignature(n, event.seat)
            chains = [record.moments[event.line - 1].chain, record.header.former.get(event.line)]
            own = record.header.id, event.seat, event.line
            texts = [end_text(*own, chain) for chain in chains if chain]
        else:
            continue
        if not any(is_signature(event.key, text, event.signature) for text in texts):
            return WrongSignature(n, event.seat)
    return None


def count_signatures(
    record: Record, events: Iterable[Event], names: tuple[str, ...]
) -> tuple[SeatSignatures, ...]:
    """Return what each seat signed, if none of the signatures is wrong."""
    last, seats = end_line(record), {n: SeatSignatures(n, name) for n, name in enumerate(names, 1)}
    for event in events:
        if isinstance(event, (Sealed, EndSigned)) and event.seat in seats:
            seats[event.seat] = _with_signature(seats[event.seat], event, last)
    return tuple(_mark_shared(tuple(seats.values())))


def _with_signature(seat: SeatSignatures, event: Sealed | EndSigned, last: int) -> SeatSignatures:
    keys = seat.keys if event.key in {"", *seat.keys} else (*seat.keys, event.key)
    if isinstance(event, EndSigned):
        return msgspec.structs.replace(seat, keys=keys, ended=seat.ended or event.line == last)
    closed, signed = seat.closed + 1, seat.signed + bool(event.key)
    return msgspec.structs.replace(seat, keys=keys, closed=closed, signed=signed)


def _mark_shared(seats: tuple[SeatSignatures, ...]) -> Iterator[SeatSignatures]:
    for seat in seats:
        others = {key for other in seats if other is not seat for key in other.keys}
        yield msgspec.structs.replace(seat, is_shared=not others.isdisjoint(seat.keys))
