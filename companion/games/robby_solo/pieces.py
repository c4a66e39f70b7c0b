"""The loot of a simulated box of Robby Solo, and Robby Junior's robbery cards.

The robbery cards of people bear no tags: a phone holds what they lay.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, cast

from companion.core.events import Event
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.corrections import as_loot
from companion.games.robby_solo.raid import Raid
from companion.games.robby_solo.state import LootLaid
from companion.pieces.pieces import Fields, Pickups
from companion.pieces.piles import BOX, PLACE, Heap, check_choice
from companion.pieces.swept_piles import SweptPieces
from companion.pieces.sync import Lies
from companion.pieces.visibility import VisiblePiece, VisibleSpot

DECK = Heap("deck")
LOOT = "loot of"
JUNIOR = 0
"""Whose loot is no seat's."""


class RobbySoloPieces(SweptPieces[Any]):
    """A row of banks, a deck, everyone's pile of loot."""

    @property
    def box(self) -> RobbySoloBox:
        return cast(RobbySoloBox, self.rules.box)

    def _lay_out(self, seats: int, started: Fields) -> None:
        number = seats + bool(started.get("junior")) + 1
        row = list(started.get("banks") or self.box.banks[:number])
        self._shuffle_into(self._heap_tags(BOX), DECK)
        for place in range(1, len(row) + 1):
            self._heap_tags(Heap(PLACE, place))
        junior = self._random.sample(row, len(row))
        self._untagged |= {"row": row, "junior": junior, "plays": bool(started.get("junior"))}

    # Hands.

    def _lay_loot(self, _seat: int, fields: Fields) -> None:
        self._shift_pieces([self._top_piece(DECK)], self._bank_heap(fields["bank"]))

    def _clear_table(self, before: Lies, lies: Lies, public: Any) -> None:
        """At the end of a round give the loot to the seats that took it, or to the police."""
        self._untagged["shows"] = public.phase == "junior"
        ended = [place for place, cards in before.items()
                 if tuple(lies.get(place, ()))[: len(cards)] != tuple(cards)]  # fmt: skip
        if not ended or public.verdict is None:
            return
        owners = {seat.name: n for n, seat in enumerate(public.seats, 1)}
        for name, taken in public.verdict.taken.items():
            cards = tuple(str(card) for card in taken)
            lying = [place for place in ended if tuple(before[place]) == cards]
            place = self._chosen_place(public.choices.get(name)) or next(iter(lying), 0)
            if cards and place:
                ended = [other for other in ended if other != place]
                self._shift_pieces(
                    self._heap_tags(Heap(PLACE, place))[: len(cards)], _loot_heap(name, owners)
                )
        for raid in public.verdict.raids:
            self._clear_raided_bank(raid, owners)

    def _chosen_place(self, bank: str | None) -> int:
        """Return the place of the bank that was chosen; 0 if that is forgotten already."""
        return 0 if bank is None else self._bank_heap(bank).number

    def _clear_raided_bank(self, raid: Raid, owners: dict[str, int]) -> None:
        """Put the bank's loot under the deck, and under that what the robbers give up."""
        self._shift_pieces(
            self._heap_tags(self._bank_heap(raid.bank))[: len(raid.removed)], DECK, under=True
        )
        piles = [(_loot_heap(name, owners), str(card)) for name, card in raid.returns.items()]
        # Nobody gives up what they do not have, whatever the log says.
        given = [
            self._find_piece(pile, card) for pile, card in piles if card in self._heap_names(pile)
        ]
        self._shift_pieces(given, DECK, under=True)

    # The meaning follows the game.

    def _agree_with_game(self, _events: Sequence[Event], public: Any) -> None:
        self._note_shown_cards(public)

    def _swept_place(self, fields: Fields) -> int:
        return self._bank_heap(fields["bank"]).number

    def _source_heaps(self, event: Event) -> Sequence[Heap]:
        return [DECK] if isinstance(event, LootLaid) else []

    # Eyes.

    spot_kinds: ClassVar = {DECK.kind: "pile", LOOT: "loot"}

    def list_spots(self) -> Iterable[Heap]:
        row = range(1, len(self._untagged.get("row", ())) + 1)
        yield from (Heap(PLACE, place) for place in row)
        yield DECK
        yield from (Heap(LOOT, seat) for seat in range(self._untagged.get("seats", 0) + 1))

    def _untagged_spots(self) -> list[VisibleSpot]:
        """Return Robby Junior's next card, face down until the game wants it shown."""
        if not self._untagged.get("plays"):
            return []
        face = self._report_junior_card(JUNIOR, {})["bank"] if self._untagged.get("shows") else None
        return [VisibleSpot(Heap("junior"), "junior", (VisiblePiece("", "card", face, False),), ())]

    def visible_face(self, seat: int, tag: str, at: Heap) -> str | None:
        """Return the face of loot: open at a bank, and on top of a pile of loot."""
        home = self.home_heap(tag)
        if home.kind == LOOT and self._heap_tags(home)[-1] != tag:
            return None
        if at == DECK or (home in (DECK, BOX) and at.kind != PLACE):
            return None
        return self.things[tag]

    def _bank_heap(self, bank: str) -> Heap:
        row = self._untagged["row"]
        return Heap(PLACE, row.index(check_choice("bank", row, bank)) + 1)

    def _report_laid_loot(self, _seat: int, fields: Fields) -> Fields:
        """Report the loot on top at the bank, as the game names it."""
        return {"card": as_loot(self.things[self._top_piece(self._bank_heap(fields["bank"]))])}

    def _report_shown_loot(self, seat: int, fields: Fields) -> Fields:
        """Report the loot in hand, which the reader did not hear."""
        return {"card": as_loot(self._report_shown_card(seat, fields)["card"])}

    def _report_junior_card(self, _seat: int, _fields: Fields) -> Fields:
        """Report the card of Robby Junior for this round."""
        order = self._untagged["junior"]
        return {"bank": order[(self._untagged["round"] - 1) % len(order)]}

    # What to pick up.

    def _pick_to_bank(self, _seat: int, choice: Fields, _public: object) -> Pickups:
        yield from (
            (tag, self._bank_heap(choice["bank"]).number) for tag in self._takeable_tags(DECK)
        )

    turning_events = ("loot_shown",)
    pickups_by_event: ClassVar = {
        "loot_laid": _pick_to_bank,
        "loot_shown": SweptPieces._pick_unshown,
    }
    moves_by_event: ClassVar = {"loot_laid": _lay_loot, "loot_shown": SweptPieces._show_card}
    reports_by_event: ClassVar = {
        "loot_laid": _report_laid_loot,
        "loot_shown": _report_shown_loot,
        "junior_shown": _report_junior_card,
    }


def _loot_heap(name: str, owners: dict[str, int]) -> Heap:
    """Return the pile of loot of an owner; Robby Junior's is that of no seat."""
    return Heap(LOOT, owners.get(name, JUNIOR))
