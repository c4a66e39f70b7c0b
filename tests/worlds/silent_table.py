"""A table with readers under piles in the physical air, whose cards hands lay, lift and hold up.

Laws: every card of a kind has its slot, balanced and random; hands lay it either way round and up
to 5 mm askew. What the readers hear is told to the table; the rest of a game is scripted.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from hardware.simulated_table import SimulatedHardware, chip_number
from hardware.simulator.air.airs import RANGE, PhysicsAir, power_limits
from hardware.simulator.air.poses import deal_slots, draw_pose
from hardware.simulator.hands_on_table import GLANCE, StillClock
from hardware.simulator.tag import Tag
from hardware.simulator.world import tag_of
from hardware.wiring import Wiring, load_profile
from tests.worlds.watched_table import Watched

LAID, SHOWN = 1.2, 0.7
"""Seconds of the table's time for which a card lies before it is entered, and is held up."""


class SilentTable(Watched):
    """A table for which readers lie under some places; the others are as the test scripts them."""

    def __init__(
        self,
        path: Path,
        seed: str,
        under: Iterable[int],
        scripted: Iterable[int],
        reach: float = RANGE,
        **started: Any,
    ) -> None:
        self.chance = Random(seed)
        self.hardware = SimulatedHardware(
            _readers_at(under), StillClock(), air=PhysicsAir(limits=power_limits(reach))
        )
        super().__init__(path, readers=scripted, **started)
        cards = [tag for thing, tags in self.tags.items() if self.is_piled(thing) for tag in tags]
        slots = deal_slots([self.deck.things[tag] for tag in cards], self.chance)
        self.slots = dict(zip(cards, slots, strict=True))
        self.stickers: dict[str, Tag] = {}
        self.count = Counter[str]()
        self.pass_time(2.5)

    def is_piled(self, thing: str) -> bool:
        """Whether a thing of the box is a card that comes onto piles."""
        return True

    # Time and hands.

    def tick(self, seconds: float = 5.0) -> float:
        """What is scripted takes no time."""
        self.now = self.hardware.world.now
        return self.now

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and tell the table what its reader hears."""
        world, end = self.hardware.world, self.hardware.world.now + seconds
        while world.now < end:
            self.hardware.run_until(min(end, world.now + GLANCE))
            for evidence in self.hardware.sense():
                self.table.sense(evidence)
        self.now = world.now

    def hold(self, tag: str, place: int) -> None:
        """Lay a card on a reader, or on the pile that lies there."""
        world = self.hardware.world
        pose = draw_pose(self.slots[tag], world.air.slot_pitch, self.chance)
        reader = chip_number(self.hardware.wiring, place)
        self.stickers[tag] = world.lay(tag_of(tag), reader, pose)

    def lift_card(self, tag: str) -> None:
        """Take a card off its reader."""
        self.hardware.world.lift(self.stickers.pop(tag))

    # Looking, and the sweep.

    def look(self, places: Iterable[int]) -> None:
        """Count the cards that the table misses at places where all of them lie."""
        view: Any = self.table.view()
        self.count.update(todo.kind for todo in view.table.todos if todo.place in places)

    def is_swept(self, place: int) -> bool:
        """Whether the table waits for the cards of this place."""
        sweep = self.rules.current_sweep(self.state)
        return sweep is not None and sweep.place == place

    def sweep(self, pile: list[str], place: int) -> None:
        """Show the cards one after the other, from the top; name those that are not heard."""
        is_lifted_whole, ticks = self.chance.random() < 0.5, Counter[str]()
        for tag in pile if is_lifted_whole else ():
            self.lift_card(tag)
        self.pass_time(SHOWN)
        for tag in reversed(pile):
            if not self.is_swept(place):
                break
            ticks[self.deck.things[tag]] += 1
            self.show_card(tag, place, ticks, is_lifted_whole=is_lifted_whole)
        if self.is_swept(place):
            self.settle(place, "cards")
            self.count["settled"] += 1

    def show_card(
        self, tag: str, place: int, ticks: Counter[str], *, is_lifted_whole: bool
    ) -> None:
        """Hold up one card over the reader, or over what is left of the pile there; people count
        the ticks of its name."""
        if not is_lifted_whole:
            self.lift_card(tag)
            self.pass_time(SHOWN)
        self.hold(tag, place)
        self.pass_time(SHOWN)
        name = self.deck.things[tag]
        if self.is_swept(place) and list(self.state.shown).count(name) < ticks[name]:
            self.name_card(place, name)
            self.count["entered"] += 1
        self.lift_card(tag)
        self.pass_time(SHOWN)

    def name_card(self, place: int, name: str) -> None:
        """Say on a phone which card is held up."""
        self.do(1, f'card_shown bank={place} card="{name}"')

    def end(self) -> None:
        """Release the wires and the journal."""
        self.hardware.close()
        self.journal.close()


def _readers_at(places: Iterable[int]) -> Wiring:
    wiring = load_profile()
    readers = {place: wiring.readers[n] for n, place in enumerate(places, 1)}
    return msgspec.structs.replace(wiring, readers=readers, buttons={}, lamps={})
