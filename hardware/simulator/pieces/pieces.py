"""The pieces of a box at a simulated table, as hands move them: what all games share.

Laws:
1. This is the table, not the program: piles, hands, and who owns what are known here as people
   know them. What hands do the readers see, and nothing else is told to anybody.
2. Heaps are as people mean them; where a prankster put a card only the table top knows.
3. What cannot be done with these pieces raises LookupError, and nothing has moved.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any, ClassVar

from hardware.simulator.pieces.heaps import ON_TABLE, PLACE, Heap, Heaps
from hardware.simulator.tabletop import Tabletop

Fields = Mapping[str, Any]
Lies = Mapping[int, Sequence[str | None]]
"""What lies at each place as the game has it; None for a card that nobody has named."""


class Pieces(Heaps, ABC):
    """One box, its pieces tagged, spread over a simulated table."""

    moves: ClassVar[Mapping[str, Callable[[Any, int, Fields], None]]]
    """What hands do, by the name of the event; every other event is done without pieces."""
    says: ClassVar[Mapping[str, Callable[[Any, int, Fields], Fields]]]
    """What somebody who looks at the table can say of an event that no reader noticed."""

    def __init__(self, things: Iterable[str], top: Tabletop, random: Random) -> None:
        self._top, self._random = top, random
        self._busy = threading.RLock()
        super().__init__({"04" + random.randbytes(6).hex(): thing for thing in things})
        self._untagged: dict[str, Any] = {"round": 1, "heard": []}
        """What the table holds besides, and what people remember of it."""

    # Hands.

    def deal(self, seats: int, **started: Any) -> None:
        """Clear the table, shuffle and lay out a game as its event of starting says."""
        with self._busy:
            self.put_away()
            self._untagged = {"round": 1, "heard": []}
            self._lay_out(seats, started)

    def put_away(self) -> None:
        """Clear the table; everything goes into the box."""
        with self._busy:
            self._top.lift(*self._on_table())
            self._all_in_the_box()

    def move(self, seat: int, do: str, **fields: Any) -> None:
        """Do with the pieces what a player does."""
        with self._busy:
            if do in self.moves:
                self.moves[do](self, seat, fields)

    def tidy(self, lies: Lies, public: Any) -> None:
        """Clear up as the rules say, now that the game has it so: what should lie at each place,
        and what everyone sees. To be called after every event."""
        with self._busy:
            ended = public.round > self._untagged["round"]
            self._clear(dict(self._untagged["heard"]) if ended else {}, lies, public)
            self._untagged["round"] = public.round
            self._untagged["heard"] = [[place, list(cards)] for place, cards in lies.items()]

    @abstractmethod
    def _lay_out(self, seats: int, started: Fields) -> None:
        """Set the game up from what is in the box."""

    @abstractmethod
    def _clear(self, before: Lies, lies: Lies, public: Any) -> None:
        """Clear up. Where a round has just ended, `before` is what lay there until then."""

    # Eyes.

    def hand(self, _seat: int) -> list[str]:
        """The cards in somebody's hand, as they see them."""
        return []

    def truth(self, seat: int, do: str, fields: Fields) -> dict[str, Any]:
        """What somebody who looks at the table taps on a phone, once the pieces are moved."""
        with self._busy:
            return {**fields, **(self.says[do](self, seat, fields) if do in self.says else {})}

    def lying(self, place: int) -> list[str]:
        """The cards at a place as people mean them to lie, in the order in which they came."""
        with self._busy:
            return self._names(Heap(PLACE, place))

    def truly(self, place: int) -> list[str]:
        """Everything that lies at a place now."""
        with self._busy:
            return [self.things[tag] for tag in self._top.lying(place)]

    def whereabouts(self) -> dict[Heap, list[str]]:
        """Every thing of the box, and where people keep it."""
        with self._busy:
            return self._everything()

    # Mischief.

    def stray(self, random: Random) -> str | None:
        """Somebody lifts a card and lays it down wrongly, or beside; which one, if there was."""
        with self._busy:
            places = sorted(heap.number for heap in self._heaps if heap.kind == PLACE)
            cards = [t for place in places for t in self._at(Heap(PLACE, place))
                     if self._top.where(t) == place]  # fmt: skip
            if not cards:
                return None
            tag = random.choice(cards)
            wrong = random.choice([None, *(p for p in places if p != self._top.where(tag))])
            if wrong is None:
                self._top.lift(tag)
            else:
                self._top.lay(tag, wrong)
            return tag

    def strayed(self) -> dict[str, int]:
        """The tags that do not lie where they should, and where that is."""
        with self._busy:
            return {tag: place for tag, place in self._meant().items()
                    if self._top.where(tag) != place}  # fmt: skip

    def put_right(self) -> None:
        """Put every card back where it belongs."""
        with self._busy:
            for tag, place in self.strayed().items():
                self._top.lay(tag, place)

    # The table outlives the program.

    def save(self) -> dict[str, Any]:
        """Everything that lies there, is held or remembered; of use to nobody but `restore`."""
        with self._busy:
            return {
                **self._written(),
                "lie": [[tag, self._top.where(tag)] for tag in self._on_table()],
                "untagged": deepcopy(self._untagged),
            }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Have it all be as it was, before a reader looks."""
        with self._busy:
            self._read(saved)
            self._untagged = deepcopy(saved["untagged"])
            self._top.sweep()
            for tag, place in saved["lie"]:
                self._top.put(tag, place)

    # What the games' hands are made of.

    def _shift(self, tags: Iterable[str], to: Heap, under: bool = False) -> None:
        """Move things to another heap, onto it or under it; hands follow on the table top."""
        tags = list(tags)
        self._keep(tags, to, under)
        if to.kind in ON_TABLE:
            for tag in tags:
                self._top.lay(tag, to.number)
        else:
            self._top.lift(*tags)

    def _shuffle(self, tags: Iterable[str], to: Heap) -> None:
        """Things of the box, in an order that only chance knows."""
        tags = sorted(tags)
        self._shift(self._random.sample(tags, len(tags)), to)

    def _on_table(self) -> list[str]:
        return [tag for tag in self.things if self._top.where(tag) is not None]
