"""One step of the set-up wizard while it is under way and takes in what readers and buttons notice.

Laws: what is found is on disk before it is shown; what cannot be written has not been found. A step
that is left hands over what it learnt: the wires or the deck to the table.
"""

from abc import ABC, abstractmethod

from companion.core.errors import Refusal
from companion.core.sensor_events import Evidence, Lamp, PlaceMode
from companion.setup import SetupView, WizardAction


class RunningStep(ABC):
    """A step under way; a method that takes a person's input returns whether it is expected now."""

    @abstractmethod
    def add_to_view(self, view: SetupView) -> SetupView:
        """Return the view with what this step shows."""

    @abstractmethod
    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in evidence; return (whether the view changed, whether to keep it from the game)."""

    @abstractmethod
    def lamp(self, seat: int) -> Lamp:
        """Return what the lamp of a seat shows, by the wiring as it is now."""

    @abstractmethod
    def apply_action(self, action: WizardAction) -> bool:
        """Leave out, take back, make new, or begin again."""

    def run_due_work(self) -> bool:
        """Do what is due by now; return whether the view changed."""
        return False

    def locate_lamp(self, _seat: int) -> bool:
        """Take in at which seat the lamp shines."""
        return False

    def choose_mode(self, _place: int, _mode: PlaceMode) -> bool:
        """Take in whether the reader of a place lies under it or beside it."""
        return False

    @abstractmethod
    def leave(self) -> Refusal | None:
        """Hand over what was learnt; return why it cannot be used."""
