"""Pace: how long a moment of a recorded evening is looked at, so that people can follow.

Law: what the table screen tells step by step is told to its last step, and then stands for a
while. These times are those of web/static/table.mjs.
"""

from typing import Any

from companion.core.verdict import Step

EACH, IN_ALL = 2.2, 25.0
"""Seconds for a step that is told, and for all of them if they are many."""
STANDS = 5.0
"""Seconds for which a verdict stands once it has been told."""
ENDS = 20.0
"""Seconds for which the final score stands."""
ACT, AGAIN = 2.4, 0.9
"""Seconds for what somebody does at the table; for more of the same that others do after them."""
TOLD = ("verdict", "sale", "score")
"""What a game tells in steps, in the order of the page."""


def lasts(before: Any, after: Any, again: bool) -> float:
    """Seconds for which the table is looked at as it is after this."""
    steps = told(after)
    if not steps or steps == told(before):
        return AGAIN if again else ACT
    score = getattr(after, "score", None)
    return telling(len(steps)) + (STANDS if score is None else ENDS)


def telling(steps: int) -> float:
    """Seconds until so many steps have been told."""
    return EACH / 4 + steps * min(EACH, IN_ALL / (steps + 1))


def told(state: Any) -> list[Step]:
    """The steps that stand on the page."""
    verdicts = (getattr(state, name, None) for name in TOLD)
    return [step for verdict in verdicts if verdict is not None for step in verdict.steps]
