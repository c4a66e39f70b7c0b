"""A step of the first start at which something is sensed, for as long as it is under way.

Laws: what is found is on disk before it is shown; what cannot be written has not been found. A step
that is left hands over what it learnt: the wires to the table, the deck to its eyes.
"""

from abc import ABC, abstractmethod

from companion.core.errors import Refusal
from companion.core.sensor_events import Evidence, Lamp
from companion.setup import Act, Showing

Told = bool
"""Whether a step takes what a person says."""


class Stage(ABC):
    """One step that is under way."""

    @abstractmethod
    def shown(self, showing: Showing) -> Showing:
        """What the page shows of it."""

    @abstractmethod
    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in what was noticed: whether that changed anything, and whether it ends here."""

    @abstractmethod
    def lamp(self, seat: int) -> Lamp:
        """What the lamp of a seat shows, as the wires are now."""

    @abstractmethod
    def act(self, do: Act) -> Told:
        """Leave out, take back, make new, begin again."""

    def turn(self) -> bool:
        """Time has passed; whether that changed anything."""
        return False

    def lamp_at(self, _seat: int) -> Told:
        """Somebody says at which seat a lamp shines."""
        return False

    @abstractmethod
    def leave(self) -> Refusal | None:
        """It is over for now; why what was learnt cannot be used."""
