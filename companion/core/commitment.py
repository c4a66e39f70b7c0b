"""Closed hands: their possible values, how they close and open; no one sees early or changes late.

Laws: what a choice offers opens, and what it does not offer is not sealed: pages, bots and the
rules of opening all ask the same choice. A seal is the SHA-256 of game, round, seat, the value in
its one canonical spelling, and a nonce that only the phone knows. Until a hand is opened the Pi
itself holds nothing but the seal; once sealed, no other value fits. All three games, phones, bots
and shared phones use this form.

    make_seal("g1", 3, 2, 12, nonce)  =  sha256("g1|3|2|12|" + nonce)
"""

import hashlib
import re
from typing import TypeVar

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Value

NONCE = re.compile(r"[0-9a-f]{32,64}")
SEAL = re.compile(r"[0-9a-f]{64}")

T = TypeVar("T")


def canonical_text(value: Value) -> str:
    """Return the one spelling of a value: 12, yellow, or blue:2,red:1 (by name, none at nought)."""
    if isinstance(value, dict):
        return ",".join(f"{colour}:{n}" for colour, n in sorted(value.items()) if n)
    return str(value)


def make_seal(game: str, round: int, seat: int, value: Value, nonce: str) -> str:
    text = f"{game}|{round}|{seat}|{canonical_text(value)}|{nonce}"
    return hashlib.sha256(text.encode()).hexdigest()


class RoundHands(msgspec.Struct, frozen=True):
    """The hands of one round, one place a seat: its seal (or ""), and its value once opened."""

    round: int
    seals: tuple[str, ...]
    values: tuple[Value | None, ...]
    unproven: tuple[int, ...] = ()

    def unclosed_seats(self) -> tuple[int, ...]:
        """Return the seats whose hand is not closed yet."""
        return tuple(seat for seat, seal in enumerate(self.seals, 1) if not seal)

    def unopened_seats(self) -> tuple[int, ...]:
        """Return the seats whose hand is not open yet."""
        return tuple(seat for seat, value in enumerate(self.values, 1) if value is None)

    def is_sealed(self, seat: int) -> bool:
        """Return whether a seat holds a closed hand, which only its own phone can open."""
        return bool(self.seals[seat - 1]) and self.values[seat - 1] is None

    def visible_seals(self) -> tuple[str, ...]:
        """Return the seals as everyone may see them: none until the last hand is closed.

        Otherwise a changed seal would show that a hand was closed again.
        """
        return ("",) * len(self.seals) if self.unclosed_seats() else self.seals

    def close(self, seat: int, seal: str) -> "RoundHands":
        """Return the hands with this one closed, or closed again."""
        return RoundHands(self.round, replace_entry(self.seals, seat, seal), self.values)

    def open(self, seat: int, value: Value) -> "RoundHands":
        """Return the hands with this one open."""
        return msgspec.structs.replace(self, values=replace_entry(self.values, seat, value))

    def enter(self, seat: int, value: Value) -> "RoundHands":
        """Return the hands with a value that the table entered without proof."""
        return msgspec.structs.replace(self.open(seat, value), unproven=(*self.unproven, seat))


def fresh_hands(round: int, seats: int) -> RoundHands:
    """Return hands, none of them closed."""
    return RoundHands(round, ("",) * seats, (None,) * seats)


def replace_entry(row: tuple[T, ...], seat: int, entry: T) -> tuple[T, ...]:
    """Return the row with one seat's entry exchanged."""
    return (*row[: seat - 1], entry, *row[seat:])


def refuse_opening(
    hands: RoundHands, game: str, seat: int, value: Value, nonce: str
) -> Refusal | None:
    """Refuse an opening that does not fit the seal exactly."""
    if not NONCE.fullmatch(nonce):
        return refusal("bad_nonce", "S.open", "A nonce is 32 to 64 hexadecimal digits.")
    if make_seal(game, hands.round, seat, value, nonce) == hands.seals[seat - 1]:
        return None
    return refusal("broken_seal", "S.open", "This is not what seat {seat} sealed.", seat=seat)


# What a hand may hold, said by the game before it closes.


class NumberChoice(msgspec.Struct, frozen=True, tag_field="kind", tag="number"):
    """A whole number between two limits: coins, points."""

    most: int
    least: int = 0


class OneChoice(msgspec.Struct, frozen=True, tag_field="kind", tag="one"):
    """One of several names: a bank, a card of the own hand."""

    options: tuple[str, ...]


class SomeChoice(msgspec.Struct, frozen=True, tag_field="kind", tag="some"):
    """Some of a seat's things, by name, such as chips of several colours."""

    most: dict[str, int]


HandChoice = NumberChoice | OneChoice | SomeChoice


def is_offered(choice: HandChoice, value: Value) -> bool:
    """Return whether a hand may hold this."""
    match choice:
        case NumberChoice():
            return is_of_kind(choice, value) and value == limit_value(choice, value)
        case OneChoice():
            return value in choice.options
        case SomeChoice():
            return is_of_kind(choice, value) and drop_nothing(value) == limit_value(choice, value)


def is_of_kind(choice: HandChoice, value: Value) -> bool:
    """Check a value against the kind of hand, without regard to the seat's own things."""
    match choice:
        case NumberChoice():
            return type(value) is int and value >= 0
        case OneChoice():
            return isinstance(value, str)
        case SomeChoice():
            return isinstance(value, dict) and all(n >= 0 for n in value.values())


def limit_value(choice: HandChoice, value: Value) -> Value:
    """Return the offered value closest to one of the right kind."""
    match choice:
        case NumberChoice():
            number = value if isinstance(value, int) else choice.least
            return min(max(number, choice.least), choice.most)
        case OneChoice():
            return value if value in choice.options else next(iter(choice.options), "")
        case SomeChoice():
            some = value.items() if isinstance(value, dict) else ()
            return drop_nothing({name: min(n, choice.most.get(name, 0)) for name, n in some})


def drop_nothing(value: Value) -> Value:
    """Return a value in its one spelling, without names that have none."""
    return {name: n for name, n in value.items() if n} if isinstance(value, dict) else value
