"""The pieces of a box at a simulated table: hands move them for an event, and the heaps follow the
game.

Laws:
1. This is the table, not the program: piles, hands and owners are known here as people know them.
   The readers see what hands do, and nothing else is reported; the game learns nothing here.
2. A card that the game has at a place is the one that free hands laid there; if none was laid, it
   is taken now from where it comes from in such an event.
3. What cannot be done with these pieces raises LookupError, and nothing has moved.
4. People count what the screens tick: a card that was held up in a sweep and not ticked was not
   shown; which of two equal cards was ticked is the one that was held up last.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from companion.app.simulated.heaps import Heaps, WantedPiece, spot_of
from companion.core.events import Event
from companion.core.table_events import AMENDMENTS
from companion.games.layout import ASIDE, OWN, PLACE, Fields, Heap, Layout, Lies, Move, infer_layout
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import is_card
from hardware.simulator.hands_on_table import SimulatedTabletop

SHUFFLING = 2.0
"""Seconds that hands shuffle: what comes on top may be what was taken off last, and a reader takes
a piece that comes back sooner to be still on its way off."""


class Pieces(Heaps):
    """One box, its pieces tagged, spread over a simulated table as its game declares it."""

    def __init__(
        self, layout: Layout | None, rules: AnyRulebook, top: SimulatedTabletop, random: Random
    ) -> None:
        """Tag all pieces of the box that carry a sticker, and put them into it; without a layout
        the one that follows from the rules."""
        self.rules, self.random = rules, random
        things = [thing for thing, n in rules.box.tagged_pieces().items() for _ in range(n)]
        tags = {"04" + random.randbytes(6).hex(): thing for thing in things}
        super().__init__(layout or infer_layout(rules.rows), tags, top)
        top.stick_tags(self.things)

    # Games.

    def lay_out_game(self, seats: int, **started: object) -> None:
        """Clear the table, and lay out a game from the fields of its start event."""
        self.put_away()
        self.memory = {"round": 1, "heard": [], "seats": seats}
        self.layout.deal(self, started)

    def put_away(self) -> None:
        """Clear the table; everything goes into the box."""
        self.top.lift_tags(*self.things)
        self._put_all_in_box()

    def shuffle_into(self, tags: Iterable[str], to: Heap) -> None:
        """Move pieces to a heap in random order, which takes a moment with pieces off the table."""
        tags = sorted(tags)
        is_lifted = any(self.top.place_of(tag) is not None for tag in tags)
        self.shift(self.random.sample(tags, len(tags)), to)
        if is_lifted:
            self.top.pass_time(SHUFFLING)

    # Hands.

    def make_move(self, seat: int, do: str, **fields: object) -> None:
        """Move the pieces as a player does for an event; other events need no pieces."""
        move = self.layout.moves.get(do)
        if move is None or move.pick == "look":
            return
        to = move.to(self, fields)
        tag = self.prefer_piece(self._candidates(move, seat, to, fields), spot_of(to))
        if move.pick != "next":
            self.lay_piece(tag, spot_of(to))
            return
        pile = [each for each in self.tags(to) if self.top.place_of(each) == to.number]
        self.top.lift_tags(*pile)
        self.memory["showing"] = tag
        self.top.lay_tag(tag, to.number)
        self.top.lift_tags(tag)

    def hand_cards(self, seat: int) -> list[str]:
        """Return the cards in the hand of a seat."""
        return self.names(Heap("hand", seat))

    def reported_fields(self, seat: int, do: str, fields: Fields) -> Fields:
        """Return what a player sees who has moved the pieces, and enters on a phone."""
        move, look = self.layout.moves.get(do), self.layout.looks.get(do)
        if look is not None:
            return look(self, seat)
        if move is None or not move.report or (move.pick == "slot" and "card" not in fields):
            return {}
        to = move.to(self, fields)
        tag = self.prefer_piece(self._candidates(move, seat, to, fields), spot_of(to))
        return {move.report: self.layout.read(self.things[tag])}

    def wanted_pieces(self, seat: int, do: str, choice: Fields) -> list[WantedPiece]:
        """Return the pieces that a seat may move for an event."""
        move = self.layout.moves.get(do)
        if move is None:
            return []
        try:
            to = move.to(self, choice)
            tags = self._candidates(move, seat, to, choice)
        except LookupError:
            return []
        is_asked = do in self.layout.turning_events and "card" in choice
        return [WantedPiece(tag, to.number, is_asked) for tag in tags]

    def _candidates(self, move: Move, seat: int, to: Heap, choice: Fields) -> Sequence[str]:
        """Return the pieces that could make a move, the likeliest last."""
        if move.pick == "next":
            shown = self.memory.get("shown", ())
            return [tag for tag in self.tags(to) if tag not in shown]
        if move.pick in ("slot", "look"):
            tags, slot = self.tags(to), choice["slot"]
            return tags[slot - 1 : slot] if slot > 0 else ()
        sources = list(move.source(self, seat))
        if move.pick == "top":
            pile = self.tags(sources[0])
            away = [tag for tag in pile if not self._is_present(tag)]
            return [*away, *[tag for tag in pile if tag not in away][-1:]]
        named, tags = choice.get("card"), [tag for heap in sources for tag in self.tags(heap)]
        return [tag for tag in tags if not isinstance(named, str) or self.things[tag] == named]

    # The heaps follow the game.

    def follow_game(self, events: Sequence[Any], lies: Lies, public: Any) -> None:
        """Adjust the heaps to events that the game has accepted, and clear up by its rules, given
        the expected cards and the public view."""
        if any(isinstance(event, AMENDMENTS) for event in events):
            self._release_missing(lies)
        moves = [(event, move) for event in events if (move := self._move_of(event))]
        sources = [
            heap for event, move in moves for heap in move.source(self, getattr(event, "seat", 0))
        ]
        for place, cards in lies.items():
            for card in self._missing_cards(place, cards):
                tag = self._find_meant_tag(place, card, sources)
                if tag is not None:
                    home = self.home_heap(tag)
                    self.shift([tag], Heap(PLACE, place))
                    if self.find_spot(home).faces == "own":
                        self.show_face(tag, home.number)
        for event, move in moves:
            if move.pick == "slot":  # A seat knows the card that it lifted and put back.
                tags = self.tags(move.to(self, msgspec.structs.asdict(event)))
                for tag in tags[event.slot - 1 : event.slot]:
                    self.show_face(tag, event.seat)
        if getattr(public, "sweep", None) or "shown" in self.memory:
            self._note_shown_cards(public.sweep)
        ended = public.round > self.memory["round"]
        self.layout.clear(self, dict(self.memory["heard"]) if ended else {}, lies, public)
        self.memory["round"] = public.round
        self.memory["heard"] = [[place, list(cards)] for place, cards in lies.items()]

    def _move_of(self, event: Event) -> Move | None:
        return self.layout.moves.get(type(event).__struct_config__.tag)  # type: ignore[arg-type]

    def _missing_cards(self, place: int, cards: Sequence[str | None]) -> list[str | None]:
        """Return the cards that the game has at a place beyond those meant to lie there."""
        here = self.names(Heap(PLACE, place))
        named = Counter(card for card in cards if card is not None) - Counter(here)
        return [*named.elements(), *[None] * len(cards)][: max(0, len(cards) - len(here))]

    def _find_meant_tag(self, place: int, card: str | None, sources: Sequence[Heap]) -> str | None:
        """Return the tag that this card must be: one laid here, even if it was given another name,
        else one of this name, rather one that is held."""
        cards = [tag for heap in sources for tag in reversed(self.tags(heap))]
        laid = [tag for tag in self.top.tags_at(place) if self.home_heap(tag) != Heap(PLACE, place)]
        return min(
            (tag for tag in (*laid, *cards) if is_card(self.things[tag])),
            key=lambda tag: (
                tag not in laid,
                card not in (None, self.things[tag]),
                tag not in cards,
                tag not in self.fingers.values(),
            ),
            default=None,
        )

    def _release_missing(self, lies: Lies) -> None:
        """Take a card's present place as its right one if a correction takes it from the other."""
        for place, cards in lies.items():
            lying = self.tags(Heap(PLACE, place))
            away = [tag for tag in lying if self.is_astray(tag)]
            for tag in away[: max(0, len(lying) - len(cards))]:
                self._keep_away(tag)

    def _keep_away(self, tag: str) -> None:
        """Take a piece's present place as the right one; in another's hand it stays face down."""
        at = self.actual_heap(tag)
        is_own = self.find_spot(at).shown in OWN
        is_unseen = is_own and self.visible_face(at.number, tag, at) is None
        self.shift([tag], ASIDE if is_unseen else at)
        if is_unseen:
            self._beside[tag] = at

    def _note_shown_cards(self, sweep: Any) -> None:
        """Note the shown cards, as the game counts them by their names."""
        before, held = self.memory.get("shown", ()), self.memory.get("showing")
        pile = self.tags(Heap(PLACE, sweep.place)) if sweep else []
        left = Counter(sweep.shown if sweep else ())
        shown = []
        for tag in sorted(pile, key=lambda tag: (tag not in before, tag != held)):
            if left[self.things[tag]] > 0:
                left[self.things[tag]] -= 1
                shown.append(tag)
        self.memory["shown"] = shown
