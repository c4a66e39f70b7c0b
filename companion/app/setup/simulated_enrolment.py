"""The table of `companion enrol GAME --sim`: a simulated hand lays what is asked for.

Law: the hand reads the state of the walk and nothing else, and lays simulated stickers on the
simulated readers, in the physical air. Its stickers are the same every time, so that a deck made
once can be checked later. On its way through the box it makes each possible mistake once.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from companion.core.sensor_events import Evidence
from companion.enrol import DeckCheck, Walk
from hardware.simulator import faults
from hardware.simulator.faults import Undo
from hardware.simulator.hands_on_table import SimulatedTabletop
from hardware.simulator.world import World

CLASSIC, TELEPHONE, STRANGER, SPOILT = "9a8b7c6d", "08a1b2c3", "04fedcba987654", "04fedcba987655"
SETTLE = 1.0
"""Seconds until every reader has looked at what lies there from before."""
MOMENT = 3.0
FIRST = 0
"""A reader as the world counts them."""
MAX_TRIES = 2
"""One try in vain may have been undone by a key; after two the deck is not of this table."""


def sticker_uid(thing: str, n: int) -> str:
    """Return the UID of the simulated sticker on the n-th thing of a kind."""
    return "04" + hashlib.blake2b(f"{thing} {n}".encode(), digest_size=6).hexdigest()


def lay_spoilt(world: World, uid: str, reader: int) -> Undo:
    """Lay a damaged sticker; return the function that lifts it."""
    tag = world.lay(uid, reader)
    faults.spoil_tag(world, uid)
    return lambda: world.lift(tag)


class SimulatedEnrolment:
    """A simulated table with a hand that enrols a whole box, or sweeps it for the check."""

    def __init__(self, profile: str, holds: Mapping[str, int]) -> None:
        self._top = SimulatedTabletop(profile)
        self._other = min(2, len(self._top.world.chips) - 1)
        self._tags = {sticker_uid(thing, n): thing
                      for thing, total in holds.items() for n in range(1, total + 1)}  # fmt: skip
        self._top.stick_tags(self._tags)
        self._holds = holds
        self._state: Walk | DeckCheck | None = None
        self._laid: list[str] = []
        self._first = ""
        """The first sticker that was enrolled."""
        self._moves: Iterator[None] | None = None
        self.light, self.close = self._top.light, self._top.close

    def sense(self) -> Sequence[Evidence]:
        return self._top.sense()

    def settle(self) -> None:
        self._top.pass_time(SETTLE)

    def wait_for_move(self, state: Walk | DeckCheck) -> bool:
        """Make one move; return False when there is none left."""
        self._state = state
        if self._moves is None:
            self._moves = self._enrol_all() if isinstance(state, Walk) else self._sweep_box()
        return next(self._moves, self) is not self

    @property
    def _walk(self) -> Walk:
        assert isinstance(self._state, Walk)
        return self._state

    def _lay_tags(self, *tags: str) -> Iterator[None]:
        for place, tag in enumerate(tags, 1):
            self._top.lay_tag(tag, place)
            self._laid.append(tag)
        yield

    def _clear_table(self) -> Iterator[None]:
        """Take everything off and wait until the readers report nothing odd any more."""
        while self._laid:
            self._top.lift_tags(self._laid.pop())
        yield
        while isinstance(self._state, Walk) and self._state.odd:
            self._top.pass_time(MOMENT)
            yield

    def _enrol_all(self) -> Iterator[None]:
        mishaps = iter(MISHAPS)
        yield from self._clear_table()
        in_vain = 0
        while self._walk.asked is not None and in_vain < MAX_TRIES:
            before = self._walk.asked
            yield from next(mishaps, SimulatedEnrolment._no_mishap)(self)
            yield from self._lay_asked()
            in_vain = in_vain + 1 if self._walk.asked == before else 0

    def _lay_asked(self) -> Iterator[None]:
        """Lay a thing of the kind that is asked for, until one is enrolled."""
        thing, first = self._walk.asked or ("", 1)
        numbers = range(1, self._holds.get(thing, 0) + 1)
        for n in chain(numbers[first - 1 :], numbers[: first - 1]):
            asked = self._walk.asked
            if asked != (thing, first):
                return  # A step was taken back meanwhile.
            yield from self._lay_tags(sticker_uid(thing, n))
            enrolled = self._walk.asked != asked
            yield from self._clear_table()
            if enrolled:
                self._first = self._first or sticker_uid(thing, n)
                return

    def _fresh_uid(self) -> str:
        return sticker_uid(*(self._walk.asked or ("", 1)))

    def _no_mishap(self) -> Iterator[None]:
        return iter(())

    def _lay_first_again(self) -> Iterator[None]:
        """Lay the first enrolled sticker once more."""
        yield from self._lay_tags(*filter(None, [self._first]))
        yield from self._clear_table()

    def _lay_two_at_once(self) -> Iterator[None]:
        yield from self._lay_tags(self._fresh_uid(), STRANGER)
        yield from self._clear_table()

    def _lay_classic(self) -> Iterator[None]:
        yield from self._lay_tags(CLASSIC)
        yield from self._clear_table()

    def _lay_telephone(self) -> Iterator[None]:
        yield from self._lay_tags(TELEPHONE)
        yield from self._clear_table()

    def _lay_damaged(self) -> Iterator[None]:
        yield from self._suffer_fault(lay_spoilt, SPOILT, self._other)

    def _lay_twin(self) -> Iterator[None]:
        """Lay two stickers with the same UID over the middles of two readers, if there are two."""
        if self._other == FIRST:
            return
        uid, world = self._fresh_uid(), self._top.world
        first = world.lay(uid, FIRST)
        self._top.pass_time(MOMENT)
        yield
        yield from self._suffer_fault(faults.add_twin, uid, self._other)
        world.lift(first)
        self._top.pass_time(MOMENT)
        yield from self._clear_table()

    def _suffer_fault(self, fault: Callable[..., Undo], *how: object) -> Iterator[None]:
        over = fault(self._top.world, *how)
        self._top.pass_time(MOMENT)
        yield
        over()
        self._top.pass_time(MOMENT)
        yield

    def _sweep_box(self) -> Iterator[None]:
        """Pass a tag that is not in the deck over one reader, then the whole box, card by card."""
        for tag in (STRANGER, *self._tags):
            yield from self._lay_tags(tag)
            yield from self._clear_table()


MISHAPS = (
    SimulatedEnrolment._no_mishap,
    SimulatedEnrolment._lay_first_again,
    SimulatedEnrolment._lay_two_at_once,
    SimulatedEnrolment._lay_classic,
    SimulatedEnrolment._lay_telephone,
    SimulatedEnrolment._lay_damaged,
    SimulatedEnrolment._lay_twin,
)
"""One mishap before each of the first things."""
