"""The cards of a simulated box of Banque Fatale; chips and money bear no tags."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, cast

from companion.core.events import Event
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.games.banque_fatale.state import CardChosen, CardSold, CardTurned
from companion.pieces.pieces import BoxPieces, Fields, Pickups
from companion.pieces.piles import BOX, PLACE, Heap
from companion.pieces.sync import Lies

PILE, SOLD = Heap("pile"), Heap("sold")
AUCTION, SALE = Heap(PLACE, 4), Heap(PLACE, 5)
FRONT = "in front of"


class BanqueFatalePieces(BoxPieces[Any]):
    """A card in front of everyone, three open ones beside the board, and a pile."""

    @property
    def box(self) -> BanqueFataleBox:
        return cast(BanqueFataleBox, self.rules.box)

    @property
    def _open(self) -> list[Heap]:
        """The heaps of the open cards."""
        return [Heap(PLACE, place) for place in range(1, self.box.open_cards + 1)]

    def _lay_out(self, seats: int, _started: Fields) -> None:
        singles = sorted(tag for tag, card in self.things.items() if "-" not in card)
        for seat, tag in enumerate(self._random.sample(singles, seats), 1):
            self._shift_pieces([tag], Heap(FRONT, seat))
        self._shuffle_into(self._heap_tags(BOX), PILE)
        for heap in (*self._open, AUCTION, SALE):
            self._heap_tags(heap)

    # Hands.

    def _turn_card(self, _seat: int, _fields: Fields) -> None:
        """Turn up the next card of the pile, on the first open place that is empty."""
        card = self._top_piece(PILE)
        empty = next((heap for heap in self._open if not self._heap_tags(heap)), None)
        if empty is None:
            raise LookupError("Every open place has its card.")
        self._shift_pieces([card], empty)
        self._untagged["turned"] = self.things[card]

    def _auction_off(self, _seat: int, fields: Fields) -> None:
        for heap in self._open:
            if fields["card"] in self._heap_names(heap):
                self._shift_pieces([self._find_piece(heap, fields["card"])], AUCTION)
                return
        raise LookupError(f"The card {fields['card']} does not lie open.")

    def _sell_card(self, seat: int, fields: Fields) -> None:
        self._shift_pieces([self._find_piece(Heap(FRONT, seat), fields["card"])], SALE)

    def _clear_table(self, _before: Lies, _lies: Lies, public: Any) -> None:
        """Give the auctioned card to its winner, and take a sold one out of the game."""
        for seat, player in enumerate(public.seats, 1):
            won = [tag for tag in self._heap_tags(AUCTION) if self.things[tag] in player.cards]
            if won:
                self._shift_pieces(won, Heap(FRONT, seat))
        sold = [tag for tag in self._heap_tags(SALE) if self.things[tag] in public.sold]
        if sold:
            self._shift_pieces(sold, SOLD)

    # The meaning follows the game.

    def _source_heaps(self, event: Event) -> Sequence[Heap]:
        match event:
            case CardTurned():
                return [PILE]
            case CardChosen():
                return self._open
            case CardSold():
                return [Heap(FRONT, event.seat)]
        return []

    def _agree_with_game(self, _events: Sequence[Event], public: Any) -> None:
        """Take a sold card out of the game at once, wherever it was laid."""
        for tag, card in self.things.items():
            if card in public.sold and self.home_heap(tag) != SOLD:
                self._move_piece(tag, SOLD)

    # Eyes.

    spot_kinds: ClassVar = {FRONT: "front"}

    def list_spots(self) -> Iterable[Heap]:
        yield from (*self._open, AUCTION, SALE, PILE, SOLD)
        yield from (Heap(FRONT, seat) for seat in range(1, self._untagged.get("seats", 0) + 1))

    def visible_face(self, seat: int, tag: str, at: Heap) -> str | None:
        """Return the face of a card; one from the pile lies open as soon as it lies at a place."""
        if at == PILE or (self.home_heap(tag) in (PILE, BOX) and at.kind != PLACE):
            return None
        return self.things[tag]

    def _report_dealt_card(self, seat: int, _fields: Fields) -> Fields:
        return {"card": self.things[self._top_piece(Heap(FRONT, seat))]}

    def _report_turned_card(self, _seat: int, _fields: Fields) -> Fields:
        """Report the card that was turned up last."""
        return {"card": self._untagged["turned"]}

    # What to pick up.

    def _pick_to_open(self, _seat: int, _choice: Fields, public: Any) -> Pickups:
        empty = (*public.open_cards, "").index("") + 1
        yield from ((tag, empty) for tag in self._takeable_tags(PILE))

    def _pick_to_auction(self, _seat: int, choice: Fields, _public: object) -> Pickups:
        yield from (
            (t, AUCTION.number) for t, card in self.things.items() if card == choice["card"]
        )

    def _pick_to_sale(self, _seat: int, choice: Fields, _public: object) -> Pickups:
        yield from ((t, SALE.number) for t, card in self.things.items() if card == choice["card"])

    pickups_by_event: ClassVar = {
        "card_turned": _pick_to_open,
        "card_chosen": _pick_to_auction,
        "card_sold": _pick_to_sale,
    }
    moves_by_event: ClassVar = {
        "card_turned": _turn_card,
        "card_chosen": _auction_off,
        "card_sold": _sell_card,
    }
    reports_by_event: ClassVar = {
        "card_dealt": _report_dealt_card,
        "card_turned": _report_turned_card,
    }
