"""The pieces of a box at a simulated table, as hands move them: what all games share.

Laws:
1. This is the table, not the program: piles, hands, and who owns what are known here as people
   know them. What hands do the readers see, and nothing else is told to anybody.
2. Heaps are as people mean them; where a prankster put a card only the table top knows, until
   the game takes it for done: then the meaning follows.
3. What cannot be done with these pieces raises LookupError, and nothing has moved.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from random import Random
from typing import Any, ClassVar

from hardware.simulator.hands_on_table import Tabletop
from hardware.simulator.pieces.piles import ON_TABLE, PLACE, Heap
from hardware.simulator.pieces.sync import Lies, SyncedPieces

Fields = Mapping[str, Any]


class Pieces(SyncedPieces, ABC):
    """One box, its pieces tagged, spread over a simulated table."""

    moves_by_event: ClassVar[Mapping[str, Callable[[Any, int, Fields], None]]]
    """What hands do, by the name of the event; every other event is done without pieces."""
    pickups_by_event: ClassVar[
        Mapping[str, Callable[[Any, int, Fields, Any], Iterable[tuple[str, int]]]]
    ]
    """What hands pick up for an event, and at which place they put it."""
    reports_by_event: ClassVar[Mapping[str, Callable[[Any, int, Fields], Fields]]]
    """What somebody who looks at the table can say of an event that no reader noticed."""

    def __init__(self, things: Iterable[str], top: Tabletop, random: Random) -> None:
        self._random = random
        super().__init__({"04" + random.randbytes(6).hex(): thing for thing in things}, top)
        self._untagged: dict[str, Any] = {"round": 1, "heard": []}
        """What the table holds besides, and what people remember of it."""

    # Hands.

    def lay_out_game(self, seats: int, **started: Any) -> None:
        """Clear the table, shuffle and lay out a game as its event of starting says."""
        with self._busy:
            self.put_away()
            self._untagged = {"round": 1, "heard": [], "seats": seats}
            self._lay_out(seats, started)

    def put_away(self) -> None:
        """Clear the table; everything goes into the box."""
        with self._busy:
            self._top.lift_tags(*self._on_table())
            self._put_all_in_box()

    def make_move(self, seat: int, do: str, **fields: Any) -> None:
        """Do with the pieces what a player does."""
        with self._busy:
            if do in self.moves_by_event:
                self.moves_by_event[do](self, seat, fields)

    def clear_up(self, lies: Lies, public: Any) -> None:
        """Clear up as the rules say, now that the game has it so: what should lie at each place,
        and what everyone sees. To be called after every event."""
        with self._busy:
            ended = public.round > self._untagged["round"]
            self._clear_table(dict(self._untagged["heard"]) if ended else {}, lies, public)
            self._untagged["round"] = public.round
            self._untagged["heard"] = [[place, list(cards)] for place, cards in lies.items()]

    @abstractmethod
    def _lay_out(self, seats: int, started: Fields) -> None:
        """Set the game up from what is in the box."""

    @abstractmethod
    def _clear_table(self, before: Lies, lies: Lies, public: Any) -> None:
        """Clear up. Where a round has just ended, `before` is what lay there until then."""

    # Eyes.

    def hand_cards(self, _seat: int) -> list[str]:
        """The cards in somebody's hand, as they see them."""
        return []

    def reported_fields(self, seat: int, do: str, fields: Fields) -> dict[str, Any]:
        """What somebody who looks at the table taps on a phone, once the pieces are moved."""
        with self._busy:
            return {
                **fields,
                **(
                    self.reports_by_event[do](self, seat, fields)
                    if do in self.reports_by_event
                    else {}
                ),
            }

    def wanted_pieces(
        self, seat: int, do: str, choice: Fields, public: Any
    ) -> list[tuple[str, int]]:
        """The tags that a seat picks up to do this, each with the place where it puts it."""
        with self._busy:
            return (
                list(self.pickups_by_event[do](self, seat, choice, public))
                if do in self.pickups_by_event
                else []
            )

    def show_to_all(self, tag: str) -> None:
        """Everyone has seen this card: it was turned up on the table."""
        self._add_known(0, tag)

    def _add_known(self, seat: int, tag: str) -> None:
        """This seat has seen the face of a card; with 0 everyone has."""
        with self._busy:
            knowing = self._untagged.setdefault("known", {}).setdefault(tag, [])
            if seat not in knowing:
                knowing.append(seat)

    def cards_meant_at(self, place: int) -> list[str]:
        """The cards at a place as people mean them to lie, in the order in which they came."""
        with self._busy:
            return self._heap_names(Heap(PLACE, place))

    def cards_actually_at(self, place: int) -> list[str]:
        """Everything that lies at a place now."""
        with self._busy:
            return [self.things[tag] for tag in self._top.tags_at(place)]

    def cards_by_heap(self) -> dict[Heap, list[str]]:
        """Every thing of the box, and where people keep it."""
        with self._busy:
            return self._all_heaps()

    # Mischief.

    def misplace_card(self, random: Random) -> str | None:
        """Somebody lifts a card and lays it down wrongly, or beside; which one, if there was."""
        with self._busy:
            places = sorted(heap.number for heap in self._heaps if heap.kind == PLACE)
            cards = [t for place in places for t in self._heap_tags(Heap(PLACE, place))
                     if self._top.place_of(t) == place]  # fmt: skip
            if not cards:
                return None
            tag = random.choice(cards)
            wrong = random.choice([None, *(p for p in places if p != self._top.place_of(tag))])
            if wrong is None:
                self._top.lift_tags(tag)
            else:
                self._top.lay_tag(tag, wrong)
            return tag

    def misplaced_tags(self) -> dict[str, int]:
        """What does not lie where it should, by its tag, and at which place it should: at none, 0.

        What somebody holds does not lie anywhere.
        """
        with self._busy:
            meant = self._meant_places()
            return {tag: meant.get(tag, 0) for tag in self.things if self.is_astray(tag)}

    def put_right(self) -> None:
        """Put every thing back where it belongs."""
        with self._busy:
            for tag, place in self.misplaced_tags().items():
                self._release_pieces([tag])
                if place:
                    self._top.lay_tag(tag, place)
                else:
                    self._top.lift_tags(tag)

    # The table outlives the program.

    def save(self) -> dict[str, Any]:
        """Everything that lies there, is held or remembered; of use to nobody but `restore`."""
        with self._busy:
            return {**self._to_json(), "untagged": deepcopy(self._untagged)}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Have it all be as it was, before a reader looks."""
        with self._busy:
            self._from_json(saved)
            self._untagged = deepcopy(saved["untagged"])

    # What the games' hands are made of.

    def _shift_pieces(self, tags: Iterable[str], to: Heap, under: bool = False) -> None:
        """Move things to another heap, onto it or under it; hands follow on the table top."""
        tags = list(tags)
        self._release_pieces(tags)
        self._put_in_heap(tags, to, under)
        if to.kind in ON_TABLE:
            for tag in tags:
                self._top.lay_tag(tag, to.number)
        else:
            self._top.lift_tags(*tags)

    def _shuffle_into(self, tags: Iterable[str], to: Heap) -> None:
        """Things of the box, in an order that only chance knows."""
        tags = sorted(tags)
        self._shift_pieces(self._random.sample(tags, len(tags)), to)

    def _takeable_tags(self, pile: Heap) -> list[str]:
        """What lies on top of a pile, and what somebody took from it already."""
        away = [tag for tag in self._heap_tags(pile) if self.actual_heap(tag) != pile]
        top = [tag for tag in self._heap_tags(pile) if tag not in away][-1:]
        return [*away, *top]
