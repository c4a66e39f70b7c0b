"""The cards, tiles and figure of a simulated box of Banküberfall."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, cast

from companion.core.cards import FIGURE, TILE
from companion.core.events import Event
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.bankueberfall.state import BankRefilled, CardPlaced, CardSpied, TileTurned
from companion.games.bankueberfall.view import UNNAMED
from companion.pieces.pieces import Fields, Pickups
from companion.pieces.piles import BOX, FIGURE_AT, PLACE, Heap, check_choice
from companion.pieces.swept_piles import SweptPieces
from companion.pieces.sync import Lies
from companion.tracking.picture import EIGHTH_SPOT, is_card

PILE, DISCARD = Heap("pile"), Heap("discard")
FACE_DOWN, TURNED = Heap("tiles face down"), Heap(PLACE, EIGHTH_SPOT)
USED = Heap("tiles used")
FACES_DOWN = (PILE, DISCARD, FACE_DOWN)
HAND = "hand"


class BankueberfallPieces(SweptPieces[Any]):
    """A card at each bank, hands of five, seven tiles, and the figure beside the banks."""

    @property
    def box(self) -> BankueberfallBox:
        return cast(BankueberfallBox, self.rules.box)

    @property
    def _banks(self) -> range:
        return range(1, self.box.banks + 1)

    def _lay_out(self, seats: int, _started: Fields) -> None:
        self._shuffle_into(
            (tag for tag, thing in self.things.items() if thing in self.box.cards), PILE
        )
        self._shuffle_into((tag for tag, thing in self.things.items() if thing.startswith(TILE)),
                      FACE_DOWN)  # fmt: skip
        self._heap_tags(TURNED)
        for bank in self._banks:
            self._shift_pieces([self._top_piece(PILE)], Heap(PLACE, bank))
        for seat in range(1, seats + 1):
            for _ in range(self.box.hand):
                self._shift_pieces([self._top_piece(PILE)], Heap(HAND, seat))

    def hand_cards(self, seat: int) -> list[str]:
        with self._busy:
            return self._heap_names(Heap(HAND, seat))

    # Hands.

    def _turn_tile(self, _seat: int, _fields: Fields) -> None:
        """Turn the next face-down tile on the eighth spot."""
        if not self._heap_tags(FACE_DOWN):
            self._shuffle_into(list(self._heap_tags(TURNED) + self._heap_tags(USED)), FACE_DOWN)
        self._shift_pieces(list(self._heap_tags(TURNED)), USED)
        self._shift_pieces([self._top_piece(FACE_DOWN)], TURNED)

    def _make_room(self, tag: str, place: int) -> None:
        """Put the tile that was turned last aside, before another one is turned."""
        if place == EIGHTH_SPOT and self.things[tag].startswith(TILE):
            for old in self._top.tags_at(place):
                if old != tag and self.things[old].startswith(TILE):
                    self._top.take_tags(old)
                    self._beside[old] = USED

    def _lay_card(self, seat: int, fields: Fields) -> None:
        """Lay a card of the own hand at a bank, and draw another."""
        bank, hand = self._chosen_bank(fields), Heap(HAND, seat)
        card = self._find_piece(hand, fields["card"])
        self._shift_pieces([card], Heap(PLACE, bank))
        self._add_known(seat, card)
        if self._heap_tags(PILE):
            self._shift_pieces([self._top_piece(PILE)], hand)

    def _lift_and_return(self, _seat: int, fields: Fields) -> None:
        bank = self._chosen_bank(fields)
        self._top.lay_tag(self._card_in_slot(bank, fields["slot"]), bank)

    def _swept_place(self, fields: Fields) -> int:
        return self._chosen_bank(fields)

    def _stand_figure(self, _seat: int, fields: Fields) -> None:
        (figure,) = (tag for tag, thing in self.things.items() if thing == FIGURE)
        self._shift_pieces([figure], Heap(FIGURE_AT, self._chosen_bank(fields)))

    def _refill_bank(self, _seat: int, fields: Fields) -> None:
        """Clear the robbed bank, and lay a new card there."""
        bank, card = self._chosen_bank(fields), self._top_piece(PILE)
        self._clear_robbed(bank)
        self._take_figure(bank)
        self._shift_pieces([card], Heap(PLACE, bank))

    def _clear_robbed(self, bank: int) -> None:
        self._shift_pieces(list(self._heap_tags(Heap(PLACE, bank))), DISCARD)

    def _take_figure(self, bank: int) -> None:
        self._shift_pieces(list(self._heap_tags(Heap(FIGURE_AT, bank))), BOX)

    def _clear_table(self, before: Lies, lies: Lies, public: Any) -> None:
        """Clear a robbed bank, and remove the figure when the robbery is over."""
        for bank, cards in lies.items():
            if before.get(bank) and not cards:
                self._clear_robbed(bank)
        stood = self._untagged.get("figure", 0)
        if stood and public.figure != stood:
            self._take_figure(stood)
        self._untagged["figure"] = public.figure

    # The meaning follows the game.

    def _source_heaps(self, event: Event) -> Sequence[Heap]:
        if isinstance(event, CardPlaced):
            return [Heap(HAND, event.seat)]
        return [PILE] if isinstance(event, BankRefilled) else []

    def _accept_move(self, tag: str, to: Heap) -> None:
        """Accept the move; a seat that laid a card from its hand knows the card."""
        home = self.home_heap(tag)
        super()._accept_move(tag, to)
        if home.kind == HAND:
            self._add_known(home.number, tag)

    def _agree_with_game(self, events: Sequence[Event], public: Any) -> None:
        for event in events:
            self._note_seen_card(event)
        self._note_open_cards(public.banks)
        self._note_shown_cards(public)
        self._even_out_hands([seat.hand for seat in public.seats])
        if any(isinstance(event, TileTurned) for event in events):
            self._move_turned_tile(public.tiles)
        if sum(public.tiles.values()) == sum(self.box.tiles.values()) and len(
            self._heap_tags(FACE_DOWN)
        ) < sum(self.box.tiles.values()):
            self._shuffle_into(
                [*self._heap_tags(FACE_DOWN), *self._heap_tags(TURNED), *self._heap_tags(USED)],
                FACE_DOWN,
            )
        (figure,) = (tag for tag, thing in self.things.items() if thing == FIGURE)
        if public.figure and self.home_heap(figure) != Heap(FIGURE_AT, public.figure):
            self._move_piece(figure, Heap(FIGURE_AT, public.figure))

    def _note_seen_card(self, event: Event) -> None:
        """Note that the seat that looked at a card knows it."""
        if isinstance(event, CardSpied) and event.slot <= len(
            self._heap_tags(Heap(PLACE, event.bank))
        ):
            self._add_known(event.seat, self._heap_tags(Heap(PLACE, event.bank))[event.slot - 1])

    def _note_open_cards(self, banks: Sequence[Sequence[str | None]]) -> None:
        """Note the cards at the banks that lie open."""
        for bank, faces in enumerate(banks, 1):
            for tag, face in zip(self._heap_tags(Heap(PLACE, bank)), faces, strict=False):
                if face in (UNNAMED, self.things[tag]):
                    self._add_known(0, tag)

    def _even_out_hands(self, hands: Sequence[int]) -> None:
        """Have every hand draw up to the count of the game; once the pile is empty, from a hand
        that holds too many, because a card was played for it."""
        for seat, count in enumerate(hands, 1):
            while len(self._heap_tags(Heap(HAND, seat))) < count:
                rich = (other for other, most in enumerate(hands, 1)
                        if len(self._heap_tags(Heap(HAND, other))) > most)  # fmt: skip
                source = (
                    PILE if self._heap_tags(PILE) else next((Heap(HAND, n) for n in rich), None)
                )
                if source is None:
                    return
                self._move_piece(self._top_piece(source), Heap(HAND, seat))

    def _move_turned_tile(self, down: Mapping[str, int]) -> None:
        """Move the tile that the game no longer counts as face down to the eighth spot."""
        for tag in [tag for tag in self.things if self.things[tag].startswith(TILE)]:
            name = self.things[tag]
            left = self._heap_names(FACE_DOWN).count(name)
            if self.home_heap(tag) == FACE_DOWN and left > down[name.removeprefix(TILE)]:
                at_eight = [t for t in self._top.tags_at(EIGHTH_SPOT) if self.things[t] == name
                            and self.home_heap(t) == FACE_DOWN]  # fmt: skip
                for old in list(self._heap_tags(TURNED)):
                    self._move_piece(old, USED)
                self._move_piece(next(iter(at_eight), tag), TURNED)

    # Eyes.

    spot_kinds: ClassVar = {"tiles face down": "tiles", "tiles used": "used", BOX.kind: "figure"}

    def list_spots(self) -> Iterable[Heap]:
        yield from (Heap(PLACE, bank) for bank in self._banks)
        yield from (TURNED, BOX, FACE_DOWN, USED, PILE, DISCARD)
        yield from (Heap(HAND, seat) for seat in range(1, self._untagged.get("seats", 0) + 1))

    def visible_face(self, seat: int, tag: str, at: Heap) -> str | None:
        thing, home = self.things[tag], self.home_heap(tag)
        if thing == FIGURE:
            return thing
        if not is_card(thing):
            return thing.removeprefix(TILE) if home in (TURNED, USED) or at == TURNED else None
        if at in FACES_DOWN or (at.kind == HAND and at.number != seat):
            return None
        known = self._untagged.get("known", {}).get(tag, ())
        return thing if home == Heap(HAND, seat) or 0 in known or seat in known else None

    def _chosen_bank(self, fields: Fields) -> int:
        bank: int = fields["bank"]
        return check_choice("bank", self._banks, bank)

    def _card_in_slot(self, bank: int, slot: int) -> str:
        cards = self._heap_tags(Heap(PLACE, bank))
        return cards[check_choice("card number", range(1, len(cards) + 1), slot) - 1]

    def _report_tile(self, _seat: int, _fields: Fields) -> Fields:
        return {"tile": self.things[self._top_piece(TURNED)].removeprefix(TILE)}

    def _report_laid_card(self, _seat: int, fields: Fields) -> Fields:
        """Report the top card of the bank, unless the laying seat has named it already."""
        if "card" in fields:
            return {}
        return {"card": self.things[self._top_piece(Heap(PLACE, self._chosen_bank(fields)))]}

    def _report_named_card(self, _seat: int, fields: Fields) -> Fields:
        return {"card": self.things[self._card_in_slot(self._chosen_bank(fields), fields["slot"])]}

    def _report_revealed_card(self, seat: int, fields: Fields) -> Fields:
        """Report the card only where it is asked for: one that no reader knows."""
        return self._report_named_card(seat, fields) if "card" in fields else {}

    # What to pick up.

    def _pick_tile(self, _seat: int, _choice: Fields, _public: object) -> Pickups:
        yield from ((tag, EIGHTH_SPOT) for tag in self._takeable_tags(FACE_DOWN))

    def _pick_from_hand(self, seat: int, choice: Fields, _public: object) -> Pickups:
        yield from ((tag, choice["bank"]) for tag in self._heap_tags(Heap(HAND, seat)))

    def _pick_in_slot(self, _seat: int, choice: Fields, _public: object) -> Pickups:
        cards, slot = self._heap_tags(Heap(PLACE, choice["bank"])), choice["slot"]
        yield from ((tag, choice["bank"]) for tag in cards[slot - 1 : slot])

    def _pick_figure(self, _seat: int, choice: Fields, _public: object) -> Pickups:
        yield from ((t, choice["bank"]) for t, thing in self.things.items() if thing == FIGURE)

    def _pick_new_card(self, _seat: int, choice: Fields, _public: object) -> Pickups:
        yield from ((tag, choice["bank"]) for tag in self._takeable_tags(PILE))

    turning_events = ("card_spied", "card_revealed", "card_named", "card_shown")
    pickups_by_event: ClassVar = {
        "tile_turned": _pick_tile,
        "card_placed": _pick_from_hand,
        "card_spied": _pick_in_slot,
        "card_revealed": _pick_in_slot,
        "card_named": _pick_in_slot,
        "card_shown": SweptPieces._pick_unshown,
        "bank_chosen": _pick_figure,
        "bank_refilled": _pick_new_card,
    }
    moves_by_event: ClassVar = {
        "tile_turned": _turn_tile,
        "card_placed": _lay_card,
        "card_spied": _lift_and_return,
        "card_revealed": _lift_and_return,
        "card_shown": SweptPieces._show_card,
        "bank_chosen": _stand_figure,
        "bank_refilled": _refill_bank,
    }
    reports_by_event: ClassVar = {
        "tile_turned": _report_tile,
        "card_placed": _report_laid_card,
        "card_named": _report_named_card,
        "card_shown": SweptPieces._report_shown_card,
        "card_revealed": _report_revealed_card,
    }
