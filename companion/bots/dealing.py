"""A dealer: the shuffled pieces of a box, for games that are played by the rules without a table.

Law: a dealer holds what no player may know, and shows it only as the rules have it shown: it fills
in the card or tile that comes up, and hands each bot its own cards.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from companion.core.cards import Box
from companion.core.events import Event
from companion.core.json_values import JsonObject


class Dealer:
    """Deals the pieces of one game; by default they are one pile, from which cards are drawn."""

    def __init__(self, box: Box, seats: int, random: Random) -> None:
        """Shuffle the box and deal for so many seats."""
        self.random = random
        self.shuffle(box, seats)

    def shuffle(self, box: Any, seats: int) -> None:
        """Shuffle what the box holds, and deal it."""
        pieces = box.tagged_pieces().items()
        self._pile = self.shuffled(piece for piece, n in pieces for _ in range(n))

    def draw_card(self) -> str:
        """Return the next card of the pile; IndexError if it is empty."""
        return str(self._pile.pop())

    def hand(self, _seat: int) -> Sequence[str]:
        """Return the cards in the hand of a seat."""
        return ()

    def show_pieces(self, _state: Any) -> Iterable[Event]:
        """Yield what the readers of a table would tell at the beginning."""
        return ()

    def fill_in(self, state: Any, seat: int, do: str, fields: JsonObject) -> JsonObject:
        """Return the fields of a move, with the pieces that it brings to light."""
        return fields

    def shuffled(self, things: Iterable[object]) -> list[Any]:
        """Return these things in an order of chance."""
        pile = list(things)
        self.random.shuffle(pile)
        return pile
