"""Bots: they play the seats that nobody sits in.

Law: a bot knows its own view and its own hand of cards, and nothing else. It acts as a person
does: what is done with cards it does with cards, what is asked on a phone it answers like one.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from companion import sealed
from companion.events import Event, Opened, Sealed, Value
from companion.games.rulebook import May
from companion.view import View


class Move(msgspec.Struct, frozen=True):
    """Something to do with cards on the table."""

    do: str
    fields: dict[str, Any]


class Bot:
    """Plays one seat by simple rules of thumb."""

    def __init__(self, seat: int, random: Random) -> None:
        self.seat = seat
        self._random = random
        self._held: tuple[str, Value, str] = ("", 0, "")

    def decide(self, view: View, hand: Sequence[str]) -> Event | Move | None:
        """What to do next; None if nothing is asked of this seat."""
        if self.seat not in view.public.waiting:
            return None
        choices = {may.do: may for may in view.may}
        if "sealed" in choices:
            return self._close(view)
        if "opened" in choices:
            return Opened(self.seat, *self._held[1:]) if self.closed(view) else None
        return self._move(choices, hand)

    def closed(self, view: View) -> bool:
        """Whether the hand of its seat, as it is closed now, is one that this bot closed."""
        return bool(self._held[0] == view.public.seats[self.seat - 1].seal)

    def _close(self, view: View) -> Event:
        """Bid modestly: what is left of the loot goes to those who ask for little."""
        bid = self._random.randint(0, max(1, view.mine.coins // 3))
        bid = min(bid, view.mine.coins)
        nonce = self._random.randbytes(16).hex()
        public = view.public
        seal = sealed.seal(public.id, public.round, self.seat, bid, nonce)
        self._held = (seal, bid, nonce)
        return Sealed(self.seat, seal)

    def _move(self, choices: dict[str, May], hand: Sequence[str]) -> Move | None:
        """A card that it cannot see it leaves alone: it does without, or leaves it to others."""
        moves = {do: _seen(may) for do, may in choices.items() if do != "passed"}
        if not any(moves.values()):
            return Move("passed", {}) if "passed" in choices else None
        may = self._random.choice([choices[do] for do, seen in moves.items() if seen])
        fields = dict(self._random.choice(moves[may.do]))
        if may.do == "card_placed":
            fields["card"] = self._random.choice(hand)
        return Move(may.do, fields)


def _seen(may: May) -> list[Any]:
    """The choices in which no card has to be named."""
    return [choice for choice in may.choices if "card" not in choice]
