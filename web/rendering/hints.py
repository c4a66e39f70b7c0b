"""Hints: what somebody who plays this box for the first time is told now.

Law: they know the phase and nothing else of the game, so everyone reads the same; only whoever has
nothing to do now is told so.
"""

from typing import NamedTuple

from companion.games.rulebook import Hints, Rulebook
from companion.table.view import View

START = "start"


class Told(NamedTuple):
    """Three hints, and the phase that they are about; a browser remembers them by that."""

    phase: str
    three: Hints


def told(rules: Rulebook, view: View | None) -> Told | None:
    """The hints of this moment; none while the game stands still."""
    if view is None or view.table.still:
        return None
    phase, first = view.public.phase, rules.rows[0].phase
    if START in rules.hints and phase == first and view.public.round == 1:
        phase = START
    three = rules.hints.get(phase)
    return three and Told(phase, three)
