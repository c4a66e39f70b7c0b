"""The cards of a simulated box of Banque Fatale; chips and money bear no tags."""

from random import Random
from typing import Any, ClassVar

from companion.cards import BanqueFataleBox
from hardware.simulator.pieces.heaps import BOX, PLACE, Heap
from hardware.simulator.pieces.pieces import Fields, Lies, Pieces
from hardware.simulator.tabletop import Tabletop

PILE, SOLD = Heap("pile"), Heap("sold")
AUCTION, SALE = Heap(PLACE, 4), Heap(PLACE, 5)
FRONT = "in front of"


class BanqueFatalePieces(Pieces):
    """A card in front of everyone, three open ones beside the board, and a pile."""

    def __init__(self, box: BanqueFataleBox, top: Tabletop, random: Random) -> None:
        super().__init__(box.cards, top, random)
        self._open = [Heap(PLACE, place) for place in range(1, box.open_cards + 1)]

    def _lay_out(self, seats: int, _started: Fields) -> None:
        singles = sorted(tag for tag, card in self.things.items() if "-" not in card)
        for seat, tag in enumerate(self._random.sample(singles, seats), 1):
            self._shift([tag], Heap(FRONT, seat))
        self._shuffle(self._at(BOX), PILE)
        for heap in (*self._open, AUCTION, SALE):
            self._at(heap)

    # Hands.

    def _turn_card(self, _seat: int, _fields: Fields) -> None:
        """Turn up the next card of the pile, on the first open place that is empty."""
        card = self._next(PILE)
        empty = next((heap for heap in self._open if not self._at(heap)), None)
        if empty is None:
            raise LookupError("Every open place has its card.")
        self._shift([card], empty)
        self._untagged["turned"] = self.things[card]

    def _auction_off(self, _seat: int, fields: Fields) -> None:
        for heap in self._open:
            if fields["card"] in self._names(heap):
                self._shift([self._find(heap, fields["card"])], AUCTION)
                return
        raise LookupError(f"The card {fields['card']} does not lie open.")

    def _sell(self, seat: int, fields: Fields) -> None:
        self._shift([self._find(Heap(FRONT, seat), fields["card"])], SALE)

    def _clear(self, _before: Lies, _lies: Lies, public: Any) -> None:
        """The card that was auctioned goes to its winner, one that was sold leaves the game."""
        for seat, player in enumerate(public.seats, 1):
            won = [tag for tag in self._at(AUCTION) if self.things[tag] in player.cards]
            if won:
                self._shift(won, Heap(FRONT, seat))
        sold = [tag for tag in self._at(SALE) if self.things[tag] in public.sold]
        if sold:
            self._shift(sold, SOLD)

    # Eyes.

    def _dealt(self, seat: int, _fields: Fields) -> Fields:
        return {"card": self.things[self._next(Heap(FRONT, seat))]}

    def _turned(self, _seat: int, _fields: Fields) -> Fields:
        """The card that was turned up last."""
        return {"card": self._untagged["turned"]}

    moves: ClassVar = {"card_turned": _turn_card, "card_chosen": _auction_off, "card_sold": _sell}
    says: ClassVar = {"card_dealt": _dealt, "card_turned": _turned}
