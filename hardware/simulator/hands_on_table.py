"""Hands at a simulated table: lay tags on the simulated readers and press buttons.

Law: a hand moves what lies in the fields, and nothing else; the driver finds out over its wires.
Laying, lifting and pressing are no quicker than a person's: they wait until the readers have seen
what was done, as far as they can see it at all, and only the table's own time passes meanwhile.
Where no reader lies, or none that answers, there is nothing to wait for. Putting, taking and
pushing do not wait. At a place of `taps` the reader lies beside
the pile: a hand holds a card over it until it is heard, then lays it down in no field. Where one
reader serves all places by turns, hands hold one card after the other to it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from random import Random
from typing import NamedTuple

from companion.core.sensor_events import ButtonPressed, Evidence
from companion.tracking.evidence import BOUNCE
from companion.tracking.picture import is_card
from hardware.clock import Clock
from hardware.simulated_table import SimulatedHardware, chip_number
from hardware.simulator import faults
from hardware.simulator.air.airs import Air
from hardware.simulator.air.poses import Pose, deal_slots, draw_pose
from hardware.simulator.tag import Tag
from hardware.simulator.world import tag_of
from hardware.wiring import DEFAULT, Wiring, load_profile

GLANCE = 0.03
PATIENCE = 3.0
"""Seconds of the table's time after which a hand goes on, seen or not."""


class StillClock:
    """A clock that stands still: time passes only when hands wait or `pass_time` is called."""

    def monotonic(self) -> float:
        return 0.0

    def sleep(self, seconds: float, /) -> None:
        """Return at once."""


class PlacedSticker(NamedTuple):
    """A tag on the table: its place, the sticker itself, and how its card lies."""

    place: int
    sticker: Tag
    pose: Pose


class SimulatedTabletop(SimulatedHardware):
    """The places, buttons and lamps of one simulated table, as players use them."""

    def __init__(
        self,
        wiring: str | Wiring = DEFAULT,
        pace: Clock = time,
        air: Air | None = None,
        seed: object = 0,
    ) -> None:
        super().__init__(load_profile(wiring) if isinstance(wiring, str) else wiring, pace, air)
        self._slots: Mapping[str, int] = {}
        self._chance = Random(f"{seed} poses")
        self._tags = dict[str, PlacedSticker]()
        self._stuck_on = dict[Tag, str]()
        self._noticed: list[Evidence] = []
        self.taps: frozenset[int] = frozenset()
        """The places whose reader lies beside the pile."""
        self._waiting = list[str]()
        """The tags of cards that are held to a reader next; they lie in no field so far."""
        self._held = dict[str, float]()
        self._tapped = dict[str, float]()
        self._beside = set[str]()

    @property
    def now(self) -> float:
        """Seconds of the table's own time."""
        return self.world.now

    def stick_tags(self, things: Mapping[str, str]) -> None:
        """Stick each tag onto its thing: into the slots of the cards, the same ones whenever it is
        this box, and in the middle of all else."""
        cards = [tag for tag, thing in things.items() if is_card(thing)]
        slots = deal_slots([things[tag] for tag in cards], Random("".join(cards)))
        self._slots = dict(zip(cards, slots, strict=True))

    # Hands.

    def lay_tag(self, tag: str, place: int) -> None:
        """Lay a tag at a place, lifted from where it lay before."""
        self.lift_tags(tag)
        self._run_until(lambda: self._can_come_again(tag, place))
        self.put_tag(tag, place)
        self._wait_until_seen([tag], lambda seen: seen == self.reader_of(place))

    def lift_tags(self, *tags: str) -> None:
        """Lift tags off the table, all together."""
        lifted = [tag for tag in tags if self._take_tag(tag)]
        self._wait_until_seen(lifted, lambda seen: seen is None)

    def put_tag(self, tag: str, place: int) -> None:
        """Lay a tag at a place without waiting for a reader to see it."""
        lying = self._place_tag(tag, place)
        if self.reader_of(place) is None:
            return
        if place in self.taps:
            self._beside.add(tag)
            self._waiting.append(tag)
            self._hold_next()
        else:
            self._lay_stickers(tag, lying)

    def lay_untapped(self, tag: str, place: int) -> None:
        """Lay a tag down beside the reader of its place without holding it there."""
        self._place_tag(tag, place)
        self._beside.add(tag)

    def restore_tags(self, lying: Mapping[str, int]) -> None:
        """Have nothing lie there but these tags, as before the table was switched on."""
        self.take_tags(*self._tags)
        for tag, place in lying.items():
            if place in self.taps:
                self.lay_untapped(tag, place)
            else:
                self.put_tag(tag, place)

    def take_tags(self, *tags: str) -> None:
        """Take tags off the table without waiting for a reader to miss them."""
        for tag in tags:
            self._take_tag(tag)

    def push_button(self, seat: int, seconds: float) -> None:
        """Press the button of a seat for so long, without waiting for it to be noticed."""
        self.world.tap(seat, seconds)

    def press_button(self, seat: int, seconds: float = 0.12) -> None:
        """Press the button of a seat for so long."""
        self.world.tap(seat, seconds)
        before = len(self._noticed)
        self._run_until(
            lambda: any(
                isinstance(seen, ButtonPressed) and seen.seat == seat
                for seen in self._noticed[before:]
            )
        )

    def pass_time(self, seconds: float) -> None:
        """Let this many seconds of the table's own time pass."""
        end = self.world.now + seconds
        while self.world.now < end:
            self._run_for(min(GLANCE, end - self.world.now))

    def _place_tag(self, tag: str, place: int) -> PlacedSticker:
        """Note that a tag lies at a place from now on; it is in no field yet."""
        self._take_tag(tag)
        pose = draw_pose(self._slots.get(tag), self.world.air.slot_pitch, self._chance)
        self._tags[tag] = lying = PlacedSticker(place, tag_of(tag), pose)
        return lying

    def _take_tag(self, tag: str) -> bool:
        """Take a tag off the table; return whether it lay there."""
        lying = self._tags.pop(tag, None)
        self._held.pop(tag, None)
        self._waiting = [other for other in self._waiting if other != tag]
        if lying is not None and tag not in self._beside:
            for sticker in self._stickers_of(tag, lying):
                self.world.lift(sticker)
        self._beside.discard(tag)
        return lying is not None

    def _lay_stickers(self, tag: str, lying: PlacedSticker) -> None:
        """Lay a card with all that is stuck on it on top of the pile at its place."""
        pose = lying.pose
        for sticker in self._stickers_of(tag, lying):
            self.world.lay(sticker, self._chip_number(lying.place), pose)
            pose = lying.pose.opposite()

    def _hold_next(self) -> None:
        """Hold the next cards to their readers; to one that serves all places, one at a time."""
        while self._waiting and not (self.wiring.by_turns and self._held):
            tag = self._waiting.pop(0)
            self._beside.discard(tag)
            self._held[tag] = self.world.now + PATIENCE
            self._lay_stickers(tag, self._tags[tag])

    def _lay_down_heard(self) -> None:
        """Lay beside their reader the cards that it has heard, or that were held for too long."""
        for tag, until in list(self._held.items()):
            lying = self._tags[tag]
            is_heard = self._sensed_place(tag) == self.reader_of(lying.place)
            if is_heard:
                self._tapped[tag] = self.world.now
            if is_heard or self.world.now >= until:
                del self._held[tag]
                self._beside.add(tag)
                for sticker in self._stickers_of(tag, lying):
                    self.world.lift(sticker)
        self._hold_next()

    def _stickers_of(self, tag: str, lying: PlacedSticker) -> list[Tag]:
        """Return all stickers on the piece that bears this tag."""
        return [lying.sticker, *(other for other, on in self._stuck_on.items() if on == tag)]

    def _wait_until_seen(
        self, tags: Sequence[str], is_expected: Callable[[int | None], bool]
    ) -> None:
        """Wait until the readers report each tag in its place, or no reader can sense it."""
        self._run_until(
            lambda: all(
                is_expected(self._sensed_place(tag)) or self._cannot_be_sensed(tag) for tag in tags
            )
        )

    def _run_until(self, settled: Callable[[], bool]) -> None:
        end = self.world.now + PATIENCE
        while not settled() and self.world.now < end:
            self._run_for(GLANCE)

    def _run_for(self, seconds: float) -> None:
        self.run_until(self.world.now + seconds)
        self._noticed += self.hardware.sense()
        self._lay_down_heard()

    # Eyes.

    def tags_at(self, place: int) -> list[str]:
        """Return the tags at a place, the first to come first."""
        return [tag for tag, lying in self._tags.items() if lying.place == place]

    def place_of(self, tag: str) -> int | None:
        """Return the place of a tag."""
        lying = self._tags.get(tag)
        return None if lying is None else lying.place

    def is_lit(self, seat: int) -> bool:
        return self.world.is_lamp_lit(seat)

    def reader_of(self, place: int) -> int | None:
        """Return the number of the reader for this place: its own, or the only one of the table;
        None if it has none."""
        readers = self.wiring.readers
        if self.wiring.by_turns:
            return next(iter(readers))
        return place if place in readers else None

    def is_blind(self, place: int) -> bool:
        """Return whether a place has no reader, or one that is offline."""
        reader = self.reader_of(place)
        return all(c.place != reader or c.word == "offline" for c in self.conditions())

    def is_sensed_at(self, tag: str, place: int) -> bool:
        """Return whether the reader of a place takes a tag to lie there."""
        return self._sensed_place(tag) == self.reader_of(place) and not self.is_blind(place)

    def _can_come_again(self, tag: str, place: int) -> bool:
        """Return whether a tag laid at a place now counts as a new arrival: the reader no longer
        senses it there, and a tap is over."""
        tapped_until = self._tapped.get(tag, float("-inf")) + BOUNCE + GLANCE
        is_tapped_just_now = place in self.taps and self.world.now <= tapped_until
        return not self.is_sensed_at(tag, place) and not is_tapped_just_now

    def _sensed_place(self, tag: str) -> int | None:
        lying = self.hardware.readers.lying_tags().get(tag)
        return None if lying is None else lying.place

    def _cannot_be_sensed(self, tag: str) -> bool:
        """Return whether neither the old nor the new place of this tag has a working reader."""
        place, seen = self.place_of(tag), self._sensed_place(tag)
        return (place is None or self.is_blind(place)) and (seen is None or self.is_blind(seen))

    # What goes wrong.

    def kill_reader(self, place: int) -> faults.Undo:
        """Silence the reader of a place; return the function that brings it back."""
        return faults.silence_reader(self.world, self._chip_number(place))

    def stick_foreign_tag(self, place: int) -> faults.Undo:
        """Put an unknown sticker on the piece that came last to a place; return the function that
        takes it off again, wherever the piece is by then."""
        tag = self.tags_at(place)[-1]
        second = tag_of("04" + "ff" * 5 + f"{place:02x}")
        self._stuck_on[second] = tag
        self.put_tag(tag, place)

        def undo() -> None:
            del self._stuck_on[second]
            self.world.lift(second)

        return undo

    def wear_button(self, seat: int, times: int) -> faults.Undo:
        """Wear out the button of a seat; return the function that mends it."""
        return faults.set_bounces(self.world, seat, times)

    def lose_frames(self, rate: float) -> faults.Undo:
        """Lose frames at every reader at a rate; return the function that ends it."""
        undo = ExitStack()
        for reader in range(len(self.world.chips)):
            undo.callback(faults.frame_loss(self.world, reader, rate))
        return undo.close

    def _chip_number(self, place: int) -> int:
        return chip_number(self.wiring, self.reader_of(place) or place)

    # The two ports.

    def sense(self) -> Sequence[Evidence]:
        """Return everything noticed since the last call; the readers keep looking meanwhile."""
        noticed, self._noticed = self._noticed, []
        noticed += super().sense()
        self._lay_down_heard()
        return noticed
