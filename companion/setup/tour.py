"""A tour: one number after the other is asked for, and each is answered once, or left out.

Laws: no answer is given twice. Taking back restores exactly what was. What was left out stays open
for the next tour.
"""

from collections.abc import Iterable

import msgspec

from companion.setup.steps import Found


class Tour(msgspec.Struct, frozen=True):
    """The numbers to be asked for, and what was answered so far: (asked, answer), 0 for none."""

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

    def whose(self, answer: int) -> int:
        """The number that was answered so; 0 for none."""
        return next((n for n, given in self.answers.items() if given == answer), 0)

    def told(self, answer: int) -> "Tour":
        """The tour after an answer; 0 leaves the number out."""
        return msgspec.structs.replace(self, steps=(*self.steps, (self.asked, answer)))

    def back(self) -> "Tour":
        """The tour without its last step."""
        return msgspec.structs.replace(self, steps=self.steps[:-1])

    def found(self) -> tuple[tuple[int, Found], ...]:
        """How each number stands."""
        past = dict(self.steps)
        how: dict[bool, Found] = {True: "found", False: "skipped"}
        return tuple((n, how[past[n] > 0] if n in past else "open") for n in self.numbers)


def toured(numbers: Iterable[int], known: Iterable[int]) -> Tour:
    """A tour on which some numbers have been found to be what they are called."""
    every = tuple(sorted(numbers))
    return Tour(every, tuple((n, n) for n in every if n in set(known)))
