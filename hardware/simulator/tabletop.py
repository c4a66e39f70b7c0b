"""Hands at a simulated table: they lay tags on real readers' simulated chips, and press buttons.

Law: a hand moves what lies in the fields, and nothing else; what comes of it the driver finds
out over its wires. A hand is no quicker than a person's: it waits until the readers have seen
what it did, as far as they can see it at all, and only the table's own time passes meanwhile.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.evidence import Arrived, Evidence, Lamp, Left, Pressed
from hardware.sim import Simulated
from hardware.simulator.tag import Tag
from hardware.simulator.world import tag_of
from hardware.wiring import DEFAULT, load

PATIENCE = 3.0
"""Seconds of the table's time after which a hand goes on, seen or not."""
GLANCE = 0.03


class Lying(NamedTuple):
    """A tag on the table: its name, its place, and the sticker itself."""

    tag: str
    place: int
    sticker: Tag


class Tabletop:
    """The places, buttons and lamps of one simulated table, as hands and eyes meet them."""

    def __init__(self, profile: str = DEFAULT) -> None:
        self._table = Simulated(load(profile))
        self._tags = dict[str, Lying]()
        self._noticed: list[Evidence] = []

    def lay(self, tag: str, place: int) -> None:
        """Lay a tag on the reader of a place, lifted from where it lay before."""
        self.lift(tag)
        lying = Lying(tag, place, tag_of(tag))
        self._tags[tag] = lying
        self._table.world.put(lying.sticker, place - 1)
        self._wait(lambda seen: isinstance(seen, Arrived) and seen.tag == tag)

    def lift(self, tag: str) -> None:
        """Lift a tag off whatever reader it lies on."""
        lying = self._tags.pop(tag, None)
        if lying is not None:
            self._table.world.lift(lying.sticker)
            self._wait(lambda seen: isinstance(seen, Left) and seen.tag == tag)

    def press(self, seat: int, seconds: float = 0.12) -> None:
        """Press the button of a seat for so long."""
        self._table.world.tap(seat, seconds)
        self._wait(lambda seen: isinstance(seen, Pressed) and seen.seat == seat)

    def pass_time(self, seconds: float) -> None:
        """Do nothing for so long, in the table's own time."""
        end = self._table.world.now + seconds
        while self._table.world.now < end:
            self._table.run_until(min(self._table.world.now + GLANCE, end))
            self._noticed += self._table.hardware.sense()

    def lying(self, place: int) -> list[str]:
        """The tags at a place, in the order in which they came."""
        return [lying.tag for lying in self._tags.values() if lying.place == place]

    def lit(self, seat: int) -> bool:
        """Whether the lamp of a seat shines just now."""
        return self._table.world.lamp(seat)

    def _wait(self, for_this: Callable[[Evidence], bool]) -> None:
        end = self._table.world.now + PATIENCE
        while self._table.world.now < end:
            self._table.run_until(self._table.world.now + GLANCE)
            news = self._table.hardware.sense()
            self._noticed += news
            if any(for_this(seen) for seen in news):
                return

    # The two ports.

    def sense(self) -> Sequence[Evidence]:
        """Everything noticed since the last call; the readers keep looking meanwhile."""
        noticed, self._noticed = self._noticed, []
        return [*noticed, *self._table.sense()]

    def light(self, seat: int, lamp: Lamp) -> None:
        """Set the lamp of a seat."""
        self._table.light(seat, lamp)

    def close(self) -> None:
        """Lamps and fields off."""
        self._table.close()
