"""One search through the places or seats of a table: one number after the other is asked for.

Laws: each number is answered once, or left out; no answer is given twice. Taking back restores the
state before. What was left out stays open for the next search.
"""

from collections.abc import Iterable
from typing import Self

import msgspec

from companion.core.i18n import Message
from companion.core.sensor_events import Evidence, Lamp
from companion.setup.steps import FindState


class Tour(msgspec.Struct, frozen=True):
    """The numbers to be asked for, and the answers so far as (number, answer); 0 if left out."""

    numbers: tuple[int, ...]
    steps: tuple[tuple[int, int], ...] = ()

    @property
    def asked(self) -> int:
        """The number that is asked for now; 0 when the tour is over."""
        past = {asked for asked, _ in self.steps}
        return next((n for n in self.numbers if n not in past), 0)

    @property
    def answers(self) -> dict[int, int]:
        """The answer to each number that has one."""
        return {asked: answer for asked, answer in self.steps if answer}

    def number_answered(self, answer: int) -> int:
        """Return the number that was answered so; 0 if there is none."""
        return next((n for n, given in self.answers.items() if given == answer), 0)

    def with_answer(self, answer: int) -> "Tour":
        """Return the tour after an answer; 0 leaves the number out."""
        return msgspec.structs.replace(self, steps=(*self.steps, (self.asked, answer)))

    def without_last(self) -> "Tour":
        return msgspec.structs.replace(self, steps=self.steps[:-1])

    def states(self) -> tuple[tuple[int, FindState], ...]:
        """Return each number with whether it was found, left out, or is still open."""
        past = dict(self.steps)
        how: dict[bool, FindState] = {True: "found", False: "skipped"}
        return tuple((n, how[past[n] > 0] if n in past else "open") for n in self.numbers)


def start_tour(numbers: Iterable[int], known: Iterable[int]) -> Tour:
    """Return a tour on which the known numbers have already answered with themselves."""
    every = tuple(sorted(numbers))
    return Tour(every, tuple((n, n) for n in every if n in set(known)))


class WireSearch(msgspec.Struct, frozen=True):
    """One search under way; a subclass says what is sensed, asked and answered."""

    tour: Tour
    trouble: bool = False
    says: Message | None = None

    @property
    def asked(self) -> int:
        return self.tour.asked

    @property
    def learnt(self) -> dict[int, int]:
        """By number that was found: what its wire is called now."""
        return self.tour.answers

    @property
    def instruction(self) -> Message:
        """The sentence that says what to do now."""
        raise NotImplementedError

    def lamp(self, seat: int) -> Lamp:
        """Return what the lamp of a seat shows."""
        raise NotImplementedError

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the search after what a reader or a button noticed."""
        raise NotImplementedError

    def states(self) -> tuple[tuple[int, FindState], ...]:
        """Return how each place or seat stands."""
        return self.tour.states()

    def skip(self) -> Self:
        """Leave out the number that is asked for."""
        if not self.asked:
            return self
        return self._continue(self.tour.with_answer(0), self._say_skipped(self.asked))

    def undo(self) -> Self:
        """Take back the last step."""
        if not self.tour.steps:
            return self
        return self._continue(self.tour.without_last(), self._say_undone(*self.tour.steps[-1]))

    def _say_skipped(self, number: int) -> Message:
        raise NotImplementedError

    def _say_undone(self, number: int, answer: int) -> Message:
        raise NotImplementedError

    def _continue(self, tour: Tour, says: Message) -> Self:
        return msgspec.structs.replace(self, tour=tour, trouble=False, says=says)

    def _complain(self, says: Message) -> Self:
        return msgspec.structs.replace(self, trouble=True, says=says)
