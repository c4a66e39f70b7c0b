"""Which button is at which seat: the one that is asked for is pressed.

Law: a button is at one seat; one that is known already teaches nothing.
"""

import msgspec

from companion.core.i18n import Say, say
from companion.core.sensor_events import Evidence, Lamp, Pressed
from companion.setup.steps import Found
from companion.setup.tour import Tour


class Buttons(msgspec.Struct, frozen=True):
    """How far the walk round the seats has come."""

    tour: Tour
    trouble: bool = False
    says: Say | None = None

    @property
    def asked(self) -> int:
        return self.tour.asked

    @property
    def learnt(self) -> dict[int, int]:
        """Each seat whose button was found, and what that is called now."""
        return self.tour.answers

    @property
    def asks(self) -> Say:
        """What to do now."""
        if self.asked:
            return say("Press the button at seat {seat}.", seat=self.asked)
        return say("That was the last button.")

    def lamp(self, _seat: int) -> Lamp:
        """What every lamp shows: put something right; press; nothing more."""
        return "fast" if self.trouble else "on" if self.asked else "off"

    def found(self) -> tuple[tuple[int, Found], ...]:
        """How each seat stands."""
        return self.tour.found()

    def heard(self, evidence: Evidence) -> "Buttons":
        """The walk after a press; a long one counts as a short one."""
        if not isinstance(evidence, Pressed) or not self.asked:
            return self
        known, asked = self.tour.whose(evidence.seat), self.asked
        if known:
            text = "That is the button of seat {seat}, which is known. If it is not, take it back."
            return self._wrong(say(text, seat=known))
        return self._told(evidence.seat, say("Found: the button of seat {seat}.", seat=asked))

    def skip(self) -> "Buttons":
        """Leave this button out."""
        if not self.asked:
            return self
        return self._told(0, say("Left out: the button of seat {seat}.", seat=self.asked))

    def undo(self) -> "Buttons":
        """Take the last step back."""
        if not self.tour.steps:
            return self
        seat, _ = self.tour.steps[-1]
        says = say("Taken back: the button of seat {seat}.", seat=seat)
        return Buttons(self.tour.back(), says=says)

    def _told(self, button: int, says: Say) -> "Buttons":
        return Buttons(self.tour.told(button), says=says)

    def _wrong(self, says: Say) -> "Buttons":
        return msgspec.structs.replace(self, trouble=True, says=says)
