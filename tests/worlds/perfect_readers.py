"""Readers that hear every tag within a round, for whole games without the cost of chips.

Law: only what lies in a field is heard; the times are those of the real driver.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Lamp,
    ReaderCondition,
    ReaderFound,
)
from hardware.assembly import WARM_UP
from hardware.simulated_table import SimulatedHardware
from hardware.simulator.air.airs import Air
from hardware.simulator.tag import Tag
from hardware.wiring import Wiring

HEARD, SILENT = 0.2, 0.5


class HeardTag(NamedTuple):
    place: int
    at: float


class PerfectReaders:
    """Stands in for simulated hardware: one reader a place, and the fields above them."""

    def __init__(self, wiring: Wiring, air: Air) -> None:
        self.wiring, self.air, self.now = wiring, air, 0.0
        self.world = self.hardware = self.readers = self
        self._fields: dict[str, HeardTag] = {}
        self._heard: dict[str, HeardTag] = {}
        self._noticed: list[Evidence] = []
        self._warm = False

    # The world.

    def lay(self, sticker: Tag, chip: int, _pose: object) -> None:
        place = next(p for p, a in self.wiring.spi_readers().items() if a.channel == chip)
        self._fields[sticker.uid.hex()] = HeardTag(place, self.now)

    def lift(self, sticker: Tag) -> None:
        self._fields.pop(sticker.uid.hex(), None)

    def run_until(self, moment: float) -> None:
        self.now = max(self.now, moment)
        for tag, (place, since) in list(self._heard.items()):
            field = self._fields.get(tag)
            if field is not None and field.place == place:
                self._heard[tag] = HeardTag(place, self.now)
            elif self.now - since >= SILENT:
                del self._heard[tag]
                self._noticed.append(FellSilent(self.now, place, tag, since))
        for tag, (place, since) in self._fields.items():
            if tag not in self._heard and self.now - since >= HEARD:
                self._heard[tag] = HeardTag(place, self.now)
                self._noticed.append(Arrived(self.now, place, tag))
        if not self._warm and self.now >= WARM_UP:
            self._warm = True
            self._noticed += [ReaderFound(self.now, place) for place in self.wiring.readers]

    # The driver.

    def lying_tags(self) -> Mapping[str, HeardTag]:
        return self._heard

    def sense(self) -> Sequence[Evidence]:
        noticed, self._noticed = self._noticed, []
        return noticed

    def conditions(self) -> list[ReaderCondition]:
        return [
            ReaderCondition(place, "well", "", 0, self.now, 0, 0, 0, 0, 0)
            for place in self.wiring.readers
        ]

    def light(self, seat: int, lamp: Lamp) -> None:
        """Show nothing."""

    def stuck_buttons(self) -> list[int]:
        return []

    def steps(self) -> int:
        return 0

    def close(self) -> None:
        """Hold nothing open."""


def hear_perfectly(table: SimulatedHardware) -> SimulatedHardware:
    """Return perfect readers at the places of simulated hardware, which is closed."""
    table.close()
    return PerfectReaders(table.wiring, table.world.air)  # type: ignore[return-value]
