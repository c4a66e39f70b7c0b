"""The cards, tiles and figure of a simulated box of Banküberfall."""

from random import Random
from typing import Any, ClassVar

from companion.cards import BankueberfallBox
from companion.tracking import EIGHTH_SPOT, FIGURE, TILE
from hardware.simulator.pieces.heaps import BOX, FIGURE_AT, PLACE, Heap, one_of
from hardware.simulator.pieces.pieces import Fields, Lies, Pieces
from hardware.simulator.tabletop import Tabletop

PILE, DISCARD = Heap("pile"), Heap("discard")
FACE_DOWN, TURNED = Heap("tiles face down"), Heap(PLACE, EIGHTH_SPOT)


class BankueberfallPieces(Pieces):
    """A card at each bank, hands of five, seven tiles, and the figure beside the banks."""

    def __init__(self, box: BankueberfallBox, top: Tabletop, random: Random) -> None:
        cards = [card for card, n in box.cards.items() for _ in range(n)]
        tiles = [TILE + tile for tile, n in box.tiles.items() for _ in range(n)]
        super().__init__([*cards, *tiles, FIGURE], top, random)
        self._banks = range(1, box.banks + 1)
        self._hand_size = box.hand
        self._kinds = set(cards)

    def _lay_out(self, seats: int, _started: Fields) -> None:
        self._shuffle((tag for tag, thing in self.things.items() if thing in self._kinds), PILE)
        self._shuffle((tag for tag, thing in self.things.items() if thing.startswith(TILE)),
                      FACE_DOWN)  # fmt: skip
        self._at(TURNED)
        for bank in self._banks:
            self._shift([self._next(PILE)], Heap(PLACE, bank))
        for seat in range(1, seats + 1):
            for _ in range(self._hand_size):
                self._shift([self._next(PILE)], Heap("hand", seat))

    def hand(self, seat: int) -> list[str]:
        with self._busy:
            return self._names(Heap("hand", seat))

    # Hands.

    def _turn_tile(self, _seat: int, _fields: Fields) -> None:
        """Turn the next face-down tile on the eighth spot; nobody chooses which it is."""
        if not self._at(FACE_DOWN):
            self._shuffle(list(self._at(TURNED) + self._at(Heap("tiles used"))), FACE_DOWN)
        self._shift(list(self._at(TURNED)), Heap("tiles used"))
        self._shift([self._next(FACE_DOWN)], TURNED)

    def _lay_card(self, seat: int, fields: Fields) -> None:
        """Lay a card of one's own at a bank, and draw another."""
        bank, hand = self._bank(fields), Heap("hand", seat)
        self._shift([self._find(hand, fields["card"])], Heap(PLACE, bank))
        if self._at(PILE):
            self._shift([self._next(PILE)], hand)

    def _lift_and_return(self, _seat: int, fields: Fields) -> None:
        bank = self._bank(fields)
        self._top.lay(self._in_slot(bank, fields["slot"]), bank)

    def _stand_figure(self, _seat: int, fields: Fields) -> None:
        (figure,) = (tag for tag, thing in self.things.items() if thing == FIGURE)
        self._shift([figure], Heap(FIGURE_AT, self._bank(fields)))

    def _refill(self, _seat: int, fields: Fields) -> None:
        """Clear the robbed bank, and lay a new card there."""
        bank, card = self._bank(fields), self._next(PILE)
        self._clear_robbed(bank)
        self._take_figure(bank)
        self._shift([card], Heap(PLACE, bank))

    def _clear_robbed(self, bank: int) -> None:
        self._shift(list(self._at(Heap(PLACE, bank))), DISCARD)

    def _take_figure(self, bank: int) -> None:
        self._shift(list(self._at(Heap(FIGURE_AT, bank))), BOX)

    def _clear(self, before: Lies, lies: Lies, public: Any) -> None:
        """A robbed bank is cleared, and the figure leaves it when the robbery is over."""
        for bank, cards in lies.items():
            if before.get(bank) and not cards:
                self._clear_robbed(bank)
        stood = self._untagged.get("figure", 0)
        if stood and public.figure != stood:
            self._take_figure(stood)
        self._untagged["figure"] = public.figure

    # Eyes.

    def _bank(self, fields: Fields) -> int:
        return int(one_of("bank", self._banks, fields["bank"]))

    def _in_slot(self, bank: int, slot: Any) -> str:
        cards = self._at(Heap(PLACE, bank))
        return cards[int(one_of("card number", range(1, len(cards) + 1), slot)) - 1]

    def _tile(self, _seat: int, _fields: Fields) -> Fields:
        return {"tile": self.things[self._next(TURNED)].removeprefix(TILE)}

    def _laid(self, _seat: int, fields: Fields) -> Fields:
        """Whoever laid the card knows it, and it lies on top."""
        if "card" in fields:
            return {}
        return {"card": self.things[self._next(Heap(PLACE, self._bank(fields)))]}

    def _named(self, _seat: int, fields: Fields) -> Fields:
        return {"card": self.things[self._in_slot(self._bank(fields), fields["slot"])]}

    def _revealed(self, seat: int, fields: Fields) -> Fields:
        """Said only where it is asked: of a card that no reader knows."""
        return self._named(seat, fields) if "card" in fields else {}

    moves: ClassVar = {
        "tile_turned": _turn_tile,
        "card_placed": _lay_card,
        "card_spied": _lift_and_return,
        "card_revealed": _lift_and_return,
        "bank_chosen": _stand_figure,
        "bank_refilled": _refill,
    }
    says: ClassVar = {
        "tile_turned": _tile,
        "card_placed": _laid,
        "card_named": _named,
        "card_revealed": _revealed,
    }
