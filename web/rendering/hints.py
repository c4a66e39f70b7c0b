"""Hints: three sentences for people who play this box for the first time, by phase.

Laws: they depend on the phase and on nothing else of the game. A seat that waits for the turn of
another keeps those of the beginning, so that bots do not exchange them while they are read; a
viewer with nothing to do is told that in place of one of them.
"""

from typing import NamedTuple

from companion.games.rulebook import AnyRulebook, Hints
from companion.table.view import View

FIRST_PHASE = "start"


class PhaseHints(NamedTuple):
    """Three hints, their phase, by which a browser remembers that it showed them, and the rule of
    what is done in it."""

    phase: str
    sentences: Hints
    rule: str


def current_hints(rules: AnyRulebook, view: View | None) -> PhaseHints | None:
    """Return the hints of this moment; None while the game stands still or has none for it."""
    if view is None or view.table.is_stopped:
        return None
    phase, first = view.public.phase, rules.rows[0].phase
    is_first = phase == first and view.public.round == 1
    if FIRST_PHASE in rules.hints and (is_first or _waits_for_a_turn(rules, view)):
        phase = FIRST_PHASE
    three = rules.hints.get(phase)
    here = next((row.rule for row in rules.rows if row.phase == view.public.phase), rules.end_rule)
    return three and PhaseHints(phase, three, here)


def _waits_for_a_turn(rules: AnyRulebook, view: View) -> bool:
    """Check whether the viewer's seat waits while one other player has the turn."""
    public = view.public
    asked = {row.who for row in rules.rows if row.phase == public.phase} - {"reader"}
    return bool(view.seat and asked == {"active"} and view.seat not in public.waiting)
