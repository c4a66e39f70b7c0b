"""The cards, tiles and figure of a simulated box of Banküberfall, moved as hands would move them.

Law: this is the table, not the program. It holds the shuffled pile and everyone's hand, as the
real table does; what it does with them the readers see, and nothing else is told to anybody.
"""

import threading
from random import Random
from typing import Any

from companion.cards import BankueberfallBox
from companion.deck import FIGURE, TILE
from companion.tracking import EIGHTH_SPOT
from hardware.simulator.tabletop import Tabletop


class Pieces:
    """One box, its pieces tagged, spread over a simulated table."""

    def __init__(self, box: BankueberfallBox, top: Tabletop, random: Random) -> None:
        self._top = top
        self._random = random
        self._banks = box.banks
        self._hand_size = box.hand
        self._busy = threading.RLock()
        self._cards = self._tag(card for card, n in box.cards.items() for _ in range(n))
        self._tiles = self._tag(TILE + tile for tile, n in box.tiles.items() for _ in range(n))
        (self._figure,) = self._tag([FIGURE])
        self.things = {**self._cards, **self._tiles, self._figure: FIGURE}
        self._pile: list[str] = []
        self._hands: dict[int, list[str]] = {}
        self._face_down: list[str] = []
        self._at_bank: dict[int, list[str]] = {}

    def _tag(self, things: Any) -> dict[str, str]:
        """Stick a fresh seven-byte tag to each thing."""
        return {"04" + self._random.randbytes(6).hex(): thing for thing in things}

    def deal(self, seats: int) -> None:
        """Clear the table, shuffle, deal a card to each bank and a hand to each seat."""
        with self._busy:
            for tag in self.things:
                self._top.lift(tag)
            self._pile = self._shuffled(self._cards)
            self._face_down = self._shuffled(self._tiles)
            self._at_bank = {bank: [] for bank in range(1, self._banks + 1)}
            for bank in self._at_bank:
                self._lay(self._pile.pop(), bank)
            self._hands = {seat: self._draw(self._hand_size) for seat in range(1, seats + 1)}

    def _shuffled(self, tags: dict[str, str]) -> list[str]:
        return self._random.sample(sorted(tags), len(tags))

    def _draw(self, n: int) -> list[str]:
        return [self._pile.pop() for _ in range(min(n, len(self._pile)))]

    def _lay(self, tag: str, bank: int) -> None:
        self._at_bank[bank].append(tag)
        self._top.lay(tag, bank)

    def _clear_robbed(self) -> None:
        """Take the figure and the cards of the bank it robbed off the table."""
        for bank, tags in self._at_bank.items():
            if self._figure in self._top.lying(bank):
                for tag in (self._figure, *tags):
                    self._top.lift(tag)
                tags.clear()

    def hand(self, seat: int) -> list[str]:
        """The cards in somebody's hand, as they see them."""
        with self._busy:
            return [self._cards[tag] for tag in self._hands.get(seat, [])]

    def move(self, seat: int, do: str, **fields: Any) -> None:
        """Do with the pieces what a player does; `fields` say which card and which bank."""
        with self._busy:
            MOVES[do](self, seat, **fields)

    def _turn_tile(self, _seat: int, tile: str | None = None) -> None:
        """Turn the next face-down tile on the eighth spot; nobody chooses which it is."""
        self._clear_robbed()
        for used in self._top.lying(EIGHTH_SPOT):
            self._top.lift(used)
        if not self._face_down:
            self._face_down = self._shuffled(self._tiles)
        self._top.lay(self._face_down.pop(), EIGHTH_SPOT)

    def _lay_card(self, seat: int, bank: int, card: str) -> None:
        hand = self._hands[seat]
        tag = next(tag for tag in hand if self._cards[tag] == card)
        hand.remove(tag)
        self._lay(tag, bank)
        hand += self._draw(1)

    def _lift_and_return(self, _seat: int, bank: int, slot: int, card: str | None = None) -> None:
        self._top.lay(self._at_bank[bank][slot - 1], bank)

    def _stand_figure(self, _seat: int, bank: int) -> None:
        self._top.lay(self._figure, bank)

    def _refill(self, _seat: int, bank: int) -> None:
        """Clear the robbed bank, and lay a new card there."""
        self._clear_robbed()
        for tag in self._draw(1):
            self._lay(tag, bank)


MOVES: dict[str, Any] = {
    "tile_turned": Pieces._turn_tile,
    "card_placed": Pieces._lay_card,
    "card_spied": Pieces._lift_and_return,
    "card_revealed": Pieces._lift_and_return,
    "bank_chosen": Pieces._stand_figure,
    "bank_refilled": Pieces._refill,
}
