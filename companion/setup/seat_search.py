"""Find which button and which lamp is at which seat.

Laws: a button is at one seat, and one that is known already teaches nothing. A seat has one lamp; a
lamp that stays dark is asked for again by the next search.
"""

from typing import Self

import msgspec

from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.setup.steps import FindState
from companion.setup.wire_search import WireSearch


class ButtonSearch(WireSearch, frozen=True):
    """The search for the buttons: the one that is asked for is pressed."""

    @property
    def instruction(self) -> Message:
        if self.asked:
            return message("Press the button at seat {seat}.", seat=self.asked)
        return message("That was the last button.")

    def lamp(self, seat: int) -> Lamp:
        """Return what every lamp shows: put something right; press; nothing more."""
        return "fast" if self.trouble else "on" if self.asked else "off"

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the search after a press; a long one counts as a short one."""
        if not isinstance(evidence, ButtonPressed) or not self.asked:
            return self
        known, asked = self.tour.number_answered(evidence.seat), self.asked
        if known:
            text = "That is the button of seat {seat}, which is known. If it is not, take it back."
            return self._complain(message(text, seat=known))
        says = message("Found: the button of seat {seat}.", seat=asked)
        return self._continue(self.tour.with_answer(evidence.seat), says)

    def _say_skipped(self, number: int) -> Message:
        return message("Left out: the button of seat {seat}.", seat=number)

    def _say_undone(self, number: int, answer: int) -> Message:
        return message("Taken back: the button of seat {seat}.", seat=number)


class LampSearch(WireSearch, frozen=True):
    """The search for the lamps: one after the other shines, and a person says at which seat."""

    @property
    def learnt(self) -> dict[int, int]:
        """By seat whose lamp was seen: what that lamp is called now."""
        return {seat: lamp for lamp, seat in self.tour.answers.items()}

    @property
    def instruction(self) -> Message:
        if self.asked:
            return message("One lamp shines. Tap its seat, or press the button there.")
        return message("That was the last lamp.")

    def lamp(self, seat: int) -> Lamp:
        """Return what the lamp now called `seat` shows: the one that is asked for shines."""
        return "on" if seat == self.asked else "off"

    def states(self) -> tuple[tuple[int, FindState], ...]:
        """Return how each seat stands: without a lamp once every lamp has been asked for."""
        seen = self.learnt
        left: FindState = "open" if self.asked else "skipped"
        return tuple((seat, "found" if seat in seen else left) for seat in self.tour.numbers)

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the search after a press at the seat whose lamp shines."""
        return self.locate(evidence.seat) if isinstance(evidence, ButtonPressed) else self

    def locate(self, seat: int) -> Self:
        """Return the search after the lamp was seen at this seat; at none, if that is 0."""
        if not self.asked:
            return self
        if seat == 0:
            text = "One lamp stays dark: look after its wire, and which way round it is."
            dark = self._continue(self.tour.with_answer(0), message(text))
            return msgspec.structs.replace(dark, trouble=True)
        if seat in self.learnt or seat not in self.tour.numbers:
            text = "Seat {seat} has its lamp already. If that is wrong, take it back."
            if seat not in self.tour.numbers:
                text = "Seat {seat} has no lamp in this wiring."
            return self._complain(message(text, seat=seat))
        says = message("Found: the lamp of seat {seat}.", seat=seat)
        return self._continue(self.tour.with_answer(seat), says)

    def _say_skipped(self, number: int) -> Message:
        return message("One lamp was left out.")

    def _say_undone(self, number: int, answer: int) -> Message:
        if not answer:
            return message("Taken back: the dark lamp.")
        return message("Taken back: the lamp of seat {seat}.", seat=answer)
