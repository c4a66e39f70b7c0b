"""The first start, as pages ask for it.

Law: pages know it by this Protocol and by nothing else; none of it happens while a game is under
way.
"""

from typing import Protocol

from companion.core.errors import Refusal
from companion.setup.steps import Act, Showing, Step


class FirstStart(Protocol):
    """A table that is set up."""

    @property
    def set_up(self) -> bool:
        """Whether somebody has come to the end of it. Whoever asks this does not look on."""
        ...

    def shown(self) -> Showing:
        """How far it has come. Whoever asks looks on: readers and buttons are heard meanwhile."""
        ...

    def go(self, step: Step) -> Refusal | None:
        """Come to a step, whichever it is."""
        ...

    def next(self, here: Step) -> Refusal | None:
        """Go on from this step to the one that follows; nothing happens if it was left already."""
        ...

    def box(self, game: str) -> Refusal | None:
        """Have this box on the table."""
        ...

    def wire(self, profile: str) -> Refusal | None:
        """Have this wiring."""
        ...

    def lamp(self, seat: int) -> Refusal | None:
        """Say at which seat the lamp shines; 0 for none."""
        ...

    def act(self, do: Act, here: Step) -> Refusal | None:
        """Leave out what is asked for, take the last back, make a known sticker new, begin the
        step again; nothing happens if that step was left already."""
        ...

    def hand(self, what: str) -> Refusal | None:
        """Have the hand of a rehearsal do this."""
        ...

    def finish(self) -> Refusal | None:
        """The table is set up; the next thing is a game."""
        ...
