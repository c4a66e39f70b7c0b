"""Hints: what somebody who plays this box for the first time is told now.

Law: they know the phase and nothing else of the game, so everyone reads the same; only whoever has
nothing to do now is told so.
"""

from typing import NamedTuple

from companion.games.rulebook import Hints, Rulebook
from companion.table.view import View

FIRST_PHASE = "start"


class PhaseHints(NamedTuple):
    """Three hints, and the phase that they are about; a browser remembers them by that."""

    phase: str
    sentences: Hints


def current_hints(rules: Rulebook, view: View | None) -> PhaseHints | None:
    """The hints of this moment; none while the game stands still."""
    if view is None or view.table.is_stopped:
        return None
    phase, first = view.public.phase, rules.rows[0].phase
    if FIRST_PHASE in rules.hints and phase == first and view.public.round == 1:
        phase = FIRST_PHASE
    three = rules.hints.get(phase)
    return three and PhaseHints(phase, three)
