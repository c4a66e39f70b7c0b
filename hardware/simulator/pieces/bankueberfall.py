"""The cards, tiles and figure of a simulated box of Banküberfall."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from companion.core.cards import BankueberfallBox
from companion.core.events import Event
from companion.games.bankueberfall.state import BankRefilled, CardPlaced, CardSpied, TileTurned
from companion.games.bankueberfall.view import UNNAMED
from companion.tracking import EIGHTH_SPOT, FIGURE, TILE
from companion.tracking.picture import is_card
from hardware.simulator.hands_on_table import Tabletop
from hardware.simulator.pieces.pieces import Fields, Pieces
from hardware.simulator.pieces.piles import BOX, FIGURE_AT, PLACE, Heap, one_of
from hardware.simulator.pieces.sync import Lies

PILE, DISCARD = Heap("pile"), Heap("discard")
FACE_DOWN, TURNED = Heap("tiles face down"), Heap(PLACE, EIGHTH_SPOT)
USED = Heap("tiles used")
FACES_DOWN = (PILE, DISCARD, FACE_DOWN)
HAND = "hand"


class BankueberfallPieces(Pieces):
    """A card at each bank, hands of five, seven tiles, and the figure beside the banks."""

    def __init__(self, box: BankueberfallBox, top: Tabletop, random: Random) -> None:
        cards = [card for card, n in box.cards.items() for _ in range(n)]
        tiles = [TILE + tile for tile, n in box.tiles.items() for _ in range(n)]
        super().__init__([*cards, *tiles, FIGURE], top, random)
        self._banks = range(1, box.banks + 1)
        self._tiles = sum(box.tiles.values())
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
                self._shift([self._next(PILE)], Heap(HAND, seat))

    def hand(self, seat: int) -> list[str]:
        with self._busy:
            return self._names(Heap(HAND, seat))

    # Hands.

    def _turn_tile(self, _seat: int, _fields: Fields) -> None:
        """Turn the next face-down tile on the eighth spot; nobody chooses which it is."""
        if not self._at(FACE_DOWN):
            self._shuffle(list(self._at(TURNED) + self._at(USED)), FACE_DOWN)
        self._shift(list(self._at(TURNED)), USED)
        self._shift([self._next(FACE_DOWN)], TURNED)

    def _lay_card(self, seat: int, fields: Fields) -> None:
        """Lay a card of one's own at a bank, and draw another."""
        bank, hand = self._bank(fields), Heap(HAND, seat)
        card = self._find(hand, fields["card"])
        self._shift([card], Heap(PLACE, bank))
        self._knows(seat, card)
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

    # The meaning follows the game.

    def _from(self, event: Event) -> Sequence[Heap]:
        if isinstance(event, CardPlaced):
            return [Heap(HAND, event.seat)]
        return [PILE] if isinstance(event, BankRefilled) else []

    def _accept(self, tag: str, to: Heap) -> None:
        """Whoever laid a card from their hand knows it, at turn or not."""
        home = self.home(tag)
        super()._accept(tag, to)
        if home.kind == HAND:
            self._knows(home.number, tag)

    def _agree(self, events: Sequence[Event], public: Any) -> None:
        for event in events:
            self._learn(event)
        self._turned_up(public.banks)
        self._even_out([seat.hand for seat in public.seats])
        if any(isinstance(event, TileTurned) for event in events):
            self._tile_was_turned(public.tiles)
        if sum(public.tiles.values()) == self._tiles and len(self._at(FACE_DOWN)) < self._tiles:
            self._shuffle([*self._at(FACE_DOWN), *self._at(TURNED), *self._at(USED)], FACE_DOWN)
        (figure,) = (tag for tag, thing in self.things.items() if thing == FIGURE)
        if public.figure and self.home(figure) != Heap(FIGURE_AT, public.figure):
            self._move(figure, Heap(FIGURE_AT, public.figure))

    def _learn(self, event: Event) -> None:
        """Who laid a card, or looked at one, knows it from then on."""
        if isinstance(event, CardSpied) and event.slot <= len(self._at(Heap(PLACE, event.bank))):
            self._knows(event.seat, self._at(Heap(PLACE, event.bank))[event.slot - 1])

    def _turned_up(self, banks: Sequence[Sequence[str | None]]) -> None:
        """What everyone sees lies open."""
        for bank, faces in enumerate(banks, 1):
            for tag, face in zip(self._at(Heap(PLACE, bank)), faces, strict=False):
                if face in (UNNAMED, self.things[tag]):
                    self._knows(0, tag)

    def _even_out(self, hands: Sequence[int]) -> None:
        """Everyone draws until they hold as many as the game counts; once the pile is empty, from
        whoever holds too many, because somebody's card was played for them."""
        for seat, count in enumerate(hands, 1):
            while len(self._at(Heap(HAND, seat))) < count:
                rich = (other for other, most in enumerate(hands, 1)
                        if len(self._at(Heap(HAND, other))) > most)  # fmt: skip
                source = PILE if self._at(PILE) else next((Heap(HAND, n) for n in rich), None)
                if source is None:
                    return
                self._move(self._next(source), Heap(HAND, seat))

    def _tile_was_turned(self, down: Any) -> None:
        """The tile that the game counts among those face down no longer lies on the eighth spot."""
        for tag in [tag for tag in self.things if self.things[tag].startswith(TILE)]:
            name = self.things[tag]
            left = self._names(FACE_DOWN).count(name)
            if self.home(tag) == FACE_DOWN and left > down[name.removeprefix(TILE)]:
                at_eight = [t for t in self._top.lying(EIGHTH_SPOT) if self.things[t] == name
                            and self.home(t) == FACE_DOWN]  # fmt: skip
                for old in list(self._at(TURNED)):
                    self._move(old, USED)
                self._move(next(iter(at_eight), tag), TURNED)

    # Eyes.

    shown: ClassVar = {"tiles face down": "tiles", "tiles used": "used", BOX.kind: "figure"}

    def spots(self) -> Iterable[Heap]:
        yield from (Heap(PLACE, bank) for bank in self._banks)
        yield from (TURNED, BOX, FACE_DOWN, USED, PILE, DISCARD)
        yield from (Heap(HAND, seat) for seat in range(1, self._untagged.get("seats", 0) + 1))

    def face(self, seat: int, tag: str, at: Heap) -> str | None:
        thing, home = self.things[tag], self.home(tag)
        if thing == FIGURE:
            return thing
        if not is_card(thing):
            return thing.removeprefix(TILE) if home in (TURNED, USED) or at == TURNED else None
        if at in FACES_DOWN or (at.kind == HAND and at.number != seat):
            return None
        known = self._untagged.get("known", {}).get(tag, ())
        return thing if home == Heap(HAND, seat) or 0 in known or seat in known else None

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

    # What to pick up.

    def _to_eight(self, _seat: int, _choice: Fields, _public: Any) -> Iterator[tuple[str, int]]:
        yield from ((tag, EIGHTH_SPOT) for tag in self._taken(FACE_DOWN))

    def _from_hand(self, seat: int, choice: Fields, _public: Any) -> Iterator[tuple[str, int]]:
        yield from ((tag, choice["bank"]) for tag in self._at(Heap(HAND, seat)))

    def _in_place(self, _seat: int, choice: Fields, _public: Any) -> Iterator[tuple[str, int]]:
        cards, slot = self._at(Heap(PLACE, choice["bank"])), choice["slot"]
        yield from ((tag, choice["bank"]) for tag in cards[slot - 1 : slot])

    def _the_figure(self, _seat: int, choice: Fields, _public: Any) -> Iterator[tuple[str, int]]:
        yield from ((t, choice["bank"]) for t, thing in self.things.items() if thing == FIGURE)

    def _new_card(self, _seat: int, choice: Fields, _public: Any) -> Iterator[tuple[str, int]]:
        yield from ((tag, choice["bank"]) for tag in self._taken(PILE))

    calls_for: ClassVar = {
        "tile_turned": _to_eight,
        "card_placed": _from_hand,
        "card_spied": _in_place,
        "card_revealed": _in_place,
        "card_named": _in_place,
        "bank_chosen": _the_figure,
        "bank_refilled": _new_card,
    }
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
