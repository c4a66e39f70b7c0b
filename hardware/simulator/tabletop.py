"""A simulated table seen from above the chips: places that read tags, buttons, lamps.

Law: it plugs into the same two ports as the real table, and whoever plays on it moves tags and
presses buttons; nobody reaches past it into the program.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence

from companion.evidence import Arrived, Evidence, Lamp, Left, Pressed


class Tabletop:
    """Readers, buttons and lamps of one simulated table."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.lamps: dict[int, Lamp] = {}
        self._lying: dict[str, int] = {}
        self._noticed: deque[Evidence] = deque()
        self._clock = clock

    def lay(self, tag: str, place: int) -> None:
        """A tag comes to lie on the reader of a place, lifted from where it lay before."""
        self.lift(tag)
        self._lying[tag] = place
        self._noticed.append(Arrived(self._clock(), place, tag))

    def lift(self, tag: str) -> None:
        """A tag is lifted off whatever reader it lies on."""
        place = self._lying.pop(tag, None)
        if place is not None:
            self._noticed.append(Left(self._clock(), place, tag))

    def press(self, seat: int, held: bool = False) -> None:
        """The button of a seat is pressed, or held."""
        self._noticed.append(Pressed(self._clock(), seat, held))

    def lying(self, place: int) -> list[str]:
        """The tags at a place, in the order in which they came."""
        return [tag for tag, where in self._lying.items() if where == place]

    def sense(self) -> Sequence[Evidence]:
        """Everything noticed since the last call."""
        return [self._noticed.popleft() for _ in range(len(self._noticed))]

    def light(self, seat: int, lamp: Lamp) -> None:
        """Set the lamp of a seat."""
        self.lamps[seat] = lamp

    def close(self) -> None:
        """Every lamp off."""
        self.lamps.clear()
