"""One walk of the set-up: one thing after the other is asked for, and found or left out.

    asked for ──▶ found ──▶ taken back: the walk is as it was before
        └───────▶ left out, until the next walk asks for it again

Laws: pure, sensor events with their times come in. Nothing is found twice, and nothing is guessed.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Generic, Literal, Self, TypeVar

import msgspec

from companion.core.i18n import Message, message
from companion.core.sensor_events import Evidence, Lamp

replace = msgspec.structs.replace
FindState = Literal["found", "skipped", "open"]
Asked = TypeVar("Asked", bound=int | str)
Answer = TypeVar("Answer", bound=int | str)


class Walk(msgspec.Struct, Generic[Asked, Answer], frozen=True, kw_only=True):
    """A walk under way; a subclass says what is sensed, and what that answers."""

    wanted: tuple[Asked, ...]
    """All that is asked for, in this order; the same thing as often as it is there."""
    found: Mapping[Answer, Asked] = {}
    left_out: tuple[Asked, ...] = ()
    says: Message | None = None
    """What happened last."""
    wrong: bool = False
    """Whether that is something to put right."""
    good: bool = False
    """Whether that is something that was found."""
    before: "Self | None" = None
    """The walk before its last step."""

    @property
    def open(self) -> tuple[Asked, ...]:
        """What was neither found nor left out."""
        past, left = Counter((*self.found.values(), *self.left_out)), list[Asked]()
        for one in self.wanted:
            past[one] -= 1
            left += [one] if past[one] < 0 else []
        return tuple(left)

    @property
    def asked(self) -> Asked | None:
        """What is asked for now; None at the end."""
        return next(iter(self.open), None)

    @property
    def asked_name(self) -> Message:
        """What is asked for now, by its name."""
        raise NotImplementedError

    @property
    def instruction(self) -> Message:
        """The sentence that says what to do now."""
        raise NotImplementedError

    @property
    def in_trouble(self) -> bool:
        """Whether something has to be put right."""
        return self.wrong

    @property
    def news(self) -> Message | None:
        """What happened last, or what is to be put right."""
        return self.says

    @property
    def may_renew(self) -> bool:
        """Whether what lies there was found as something else, and may be what is asked for."""
        return False

    def lamp(self, _seat: int) -> Lamp:
        """Return what a lamp shows: put something right; do what is asked; wait."""
        return "fast" if self.in_trouble else "on" if self.asked is not None else "off"

    def states(self) -> tuple[tuple[Asked, FindState], ...]:
        """Return how each thing stands."""
        found, left_out = {*self.found.values()}, {*self.left_out}

        def state(one: Asked) -> FindState:
            return "found" if one in found else "skipped" if one in left_out else "open"

        return tuple((one, state(one)) for one in self.wanted)

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the walk after what a reader or a button noticed."""
        raise NotImplementedError

    def skip(self) -> Self:
        """Leave out what is asked for."""
        if self.asked is None:
            return self
        says = message("Left out: {thing}.", thing=self.asked_name)
        return self.take_step(replace(self, left_out=(*self.left_out, self.asked)), says)

    def undo(self) -> Self:
        """Take back the last step."""
        if self.before is None:
            return self
        return replace(self.before, says=message("Taken back."), wrong=False, good=False)

    def renew(self) -> Self:
        """Take what lies there, and was found as something else, for what is asked for."""
        return self

    def restart(self) -> Self:
        """Forget all that was found; this can be taken back too."""
        return self.take_step(replace(self, found={}, left_out=()), None)

    def take_step(self, after: Self, says: Message | None) -> Self:
        """Return the walk after a step, which can be taken back."""
        good = len(after.found) > len(self.found)
        return replace(after, before=self, says=says, wrong=False, good=good)

    def complain(self, says: Message) -> Self:
        """Return the walk with something to put right."""
        return replace(self, says=says, wrong=True, good=False)
