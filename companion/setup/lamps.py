"""Which lamp is at which seat: one after the other shines, and somebody says where.

Laws: a seat has one lamp. One that stays dark is left to whoever solders, and is asked for again by
the next walk.
"""

import msgspec

from companion.core.i18n import Say, say
from companion.core.sensor_events import Evidence, Lamp, Pressed
from companion.setup.steps import Found
from companion.setup.tour import Tour


class Lamps(msgspec.Struct, frozen=True):
    """How far the walk through the lamps has come: for each the seat at which it was seen."""

    tour: Tour
    trouble: bool = False
    says: Say | None = None

    @property
    def asked(self) -> int:
        return self.tour.asked

    @property
    def learnt(self) -> dict[int, int]:
        """Each seat whose lamp was seen, and what that is called now."""
        return {seat: lamp for lamp, seat in self.tour.answers.items()}

    @property
    def asks(self) -> Say:
        """What to do now."""
        if self.asked:
            return say("One lamp shines. Tap its seat, or press the button there.")
        return say("That was the last lamp.")

    def lamp(self, seat: int) -> Lamp:
        """What a lamp shows, by what it is called now: the one that is asked for shines."""
        return "on" if seat == self.asked else "off"

    def found(self) -> tuple[tuple[int, Found], ...]:
        """How each seat stands: without a lamp once every lamp has been asked for."""
        seen = self.learnt
        left: Found = "open" if self.asked else "skipped"
        return tuple((seat, "found" if seat in seen else left) for seat in self.tour.numbers)

    def heard(self, evidence: Evidence) -> "Lamps":
        """The walk after a press at the seat whose lamp shines."""
        return self.seen(evidence.seat) if isinstance(evidence, Pressed) else self

    def seen(self, seat: int) -> "Lamps":
        """The lamp shines at this seat; at none, if that is 0."""
        if not self.asked:
            return self
        if seat == 0:
            text = "One lamp stays dark: look after its wire, and which way round it is."
            return Lamps(self.tour.told(0), trouble=True, says=say(text))
        if seat in self.learnt or seat not in self.tour.numbers:
            text = "Seat {seat} has its lamp already. If that is wrong, take it back."
            if seat not in self.tour.numbers:
                text = "Seat {seat} has no lamp in this wiring."
            return msgspec.structs.replace(self, trouble=True, says=say(text, seat=seat))
        return Lamps(self.tour.told(seat), says=say("Found: the lamp of seat {seat}.", seat=seat))

    def skip(self) -> "Lamps":
        """Leave this lamp out."""
        if not self.asked:
            return self
        return Lamps(self.tour.told(0), says=say("One lamp was left out."))

    def undo(self) -> "Lamps":
        """Take the last step back."""
        if not self.tour.steps:
            return self
        _, seat = self.tour.steps[-1]
        says = say("Taken back: the lamp of seat {seat}.", seat=seat) if seat else None
        return Lamps(self.tour.back(), says=says or say("Taken back: the dark lamp."))
