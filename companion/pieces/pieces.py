"""The pieces of a box at a simulated table: what all games share.

Laws:
1. This is the table, not the program: piles, hands and owners are known here as people know them.
   The readers see what hands do, and nothing else is reported.
2. Heaps are as people mean them; a misplaced card is known to the table top alone until the game
   accepts its new place: then the meaning follows.
3. What cannot be done with these pieces raises LookupError, and nothing has moved.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from random import Random
from typing import Any, ClassVar

from companion.games.rulebook import AnyRulebook
from companion.pieces.piles import ON_TABLE, PLACE, Heap
from companion.pieces.sync import Lies, SyncedPieces, V
from companion.pieces.tabletop import Tabletop

Fields = Mapping[str, Any]
Pickups = Iterable[tuple[str, int]]
"""Tags to pick up, each with the place where it goes."""


class BoxPieces(SyncedPieces[V], ABC):
    """One box, its pieces tagged, spread over a simulated table."""

    moves_by_event: ClassVar[Mapping[str, Callable[[Any, int, Fields], None]]]
    """What hands do, by the name of the event; every other event is done without pieces."""
    pickups_by_event: ClassVar[Mapping[str, Callable[[Any, int, Fields, Any], Pickups]]]
    """What hands pick up for an event, and at which place they put it."""
    reports_by_event: ClassVar[Mapping[str, Callable[[Any, int, Fields], Fields]]]
    """What a person who looks at the table can say of an event that no reader noticed."""

    turning_events: ClassVar[tuple[str, ...]] = ()
    """The events for which a card is turned over where it lies; one that asks which card it is
    shows it to all."""

    def __init__(self, rules: AnyRulebook, top: Tabletop, random: Random) -> None:
        """Tag all pieces of the box that carry a sticker, and put them into it."""
        self.rules = rules
        self._random = random
        things = [thing for thing, n in rules.box.tagged_pieces().items() for _ in range(n)]
        super().__init__({"04" + random.randbytes(6).hex(): thing for thing in things}, top)
        top.stick_tags(self.things)
        self._untagged: dict[str, Any] = {"round": 1, "heard": []}
        """What the table holds besides, and what people remember of it."""

    # Hands.

    def lay_out_game(self, seats: int, **started: object) -> None:
        """Clear the table, shuffle, and lay out a game from the fields of its start event."""
        with self._busy:
            self.put_away()
            self._untagged = {"round": 1, "heard": [], "seats": seats}
            self._lay_out(seats, started)

    def put_away(self) -> None:
        """Clear the table; everything goes into the box."""
        with self._busy:
            self._top.lift_tags(*self._on_table())
            self._put_all_in_box()

    def make_move(self, seat: int, do: str, **fields: object) -> None:
        """Move the pieces as a player does for an event; other events need no pieces."""
        with self._busy:
            if do in self.moves_by_event:
                self.moves_by_event[do](self, seat, fields)

    def clear_up(self, lies: Lies, public: V) -> None:
        """Clear up by the rules after an event, given the expected cards and the public view."""
        with self._busy:
            ended = public.round > self._untagged["round"]
            self._clear_table(dict(self._untagged["heard"]) if ended else {}, lies, public)
            self._untagged["round"] = public.round
            self._untagged["heard"] = [[place, list(cards)] for place, cards in lies.items()]

    @abstractmethod
    def _lay_out(self, seats: int, started: Fields) -> None:
        """Set the game up from what is in the box."""

    @abstractmethod
    def _clear_table(self, before: Lies, lies: Lies, public: V) -> None:
        """Clear up. Where a round has just ended, `before` is what lay there until then."""

    # Eyes.

    def hand_cards(self, _seat: int) -> list[str]:
        """Return the cards in the hand of a seat."""
        return []

    def reported_fields(self, seat: int, do: str, fields: Fields) -> dict[str, object]:
        """Return the fields that a player enters on a phone after moving the pieces."""
        with self._busy:
            return {
                **fields,
                **(
                    self.reports_by_event[do](self, seat, fields)
                    if do in self.reports_by_event
                    else {}
                ),
            }

    def wanted_pieces(self, seat: int, do: str, choice: Fields, public: V) -> list[tuple[str, int]]:
        """Return the tags that a seat picks up for an event, each with its goal."""
        with self._busy:
            return (
                list(self.pickups_by_event[do](self, seat, choice, public))
                if do in self.pickups_by_event
                else []
            )

    def show_to_all(self, tag: str) -> None:
        """Note that all seats have seen this card."""
        self._add_known(0, tag)

    def _add_known(self, seat: int, tag: str) -> None:
        """Note that a seat has seen the face of a card; 0 stands for all."""
        with self._busy:
            knowing = self._untagged.setdefault("known", {}).setdefault(tag, [])
            if seat not in knowing:
                knowing.append(seat)

    def cards_meant_at(self, place: int) -> list[str]:
        """Return the cards that are meant to lie at a place, in the order in which they came."""
        with self._busy:
            return self._heap_names(Heap(PLACE, place))

    def cards_actually_at(self, place: int) -> list[str]:
        """Return everything that lies at a place now."""
        with self._busy:
            return [self.things[tag] for tag in self._top.tags_at(place)]

    def cards_by_heap(self) -> dict[Heap, list[str]]:
        """Return every piece of the box by its heap."""
        with self._busy:
            return self._all_heaps()

    # Mischief.

    def misplace_card(self, random: Random) -> str | None:
        """Lay a random card down wrongly or beside; return its tag, None if there is none."""
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
        """Return the tags that do not lie where they should, each with its right place, 0 for none.
        A held piece does not lie anywhere."""
        with self._busy:
            meant = self._meant_places()
            return {tag: meant.get(tag, 0) for tag in self.things if self.is_astray(tag)}

    def put_right(self) -> None:
        """Put every piece back where it belongs."""
        with self._busy:
            for tag, place in self.misplaced_tags().items():
                self._release_pieces([tag])
                if place:
                    self._top.lay_tag(tag, place)
                else:
                    self._top.lift_tags(tag)

    # The table outlives the program.

    def save(self) -> dict[str, object]:
        """Return the state of all pieces for `restore`."""
        with self._busy:
            return {**self._to_json(), "untagged": deepcopy(self._untagged)}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a saved state before any reader looks."""
        with self._busy:
            self._from_json(saved)
            self._top.stick_tags(self.things)
            self._untagged = deepcopy(saved["untagged"])

    # What the games' hands are made of.

    def _shift_pieces(self, tags: Iterable[str], to: Heap, under: bool = False) -> None:
        """Move pieces onto another heap or under it, waiting for the readers on the table."""
        tags = list(tags)
        self._release_pieces(tags)
        self._put_in_heap(tags, to, under)
        if to.kind in ON_TABLE:
            for tag in tags:
                self._top.lay_tag(tag, to.number)
        else:
            self._top.lift_tags(*tags)

    def _shuffle_into(self, tags: Iterable[str], to: Heap) -> None:
        """Move pieces to a heap in random order."""
        tags = sorted(tags)
        self._shift_pieces(self._random.sample(tags, len(tags)), to)

    def _takeable_tags(self, pile: Heap) -> list[str]:
        """Return the top of a pile, and what was taken from it already."""
        away = [tag for tag in self._heap_tags(pile) if self.actual_heap(tag) != pile]
        top = [tag for tag in self._heap_tags(pile) if tag not in away][-1:]
        return [*away, *top]


Pieces = BoxPieces[Any]
"""The pieces of any box."""
