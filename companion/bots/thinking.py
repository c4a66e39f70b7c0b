"""How long a bot thinks: as a person does, longer where more is at stake and more can be chosen,
and no shorter than people read a long sentence on what is going on.

Law: nothing waits here. It is only said how long, as a multiple of the usual time.
"""

from math import log2
from random import Random

from companion.table.view import View

HAND, OPENING = 1.6, 0.5
"""How much longer than usual it thinks about what goes into a closed hand; to open it is quick."""
SHORTEST, DOUBLING = 0.55, 0.22
"""For a single way of going on, and for every doubling of the ways there are."""
SPREAD = 0.3
"""How much one moment differs from the next."""
LONG_SENTENCE, READING = 12, 0.19
"""From so many words on, what is going on takes people so long to read for each word."""


def thinking_time(view: View, random: Random) -> float:
    """Return the duration of this seat's next decision, as a multiple of the usual time."""
    thought = decision_weight(view) * random.lognormvariate(0, SPREAD)
    told = (view.public.skipped, view.public.now)
    words = sum(len(said.text.split()) for said in told if said is not None)
    return max(thought, READING * words if words >= LONG_SENTENCE else 0)


def decision_weight(view: View) -> float:
    """Return the weight of the decision that this view asks for."""
    offered = {may.do: len(may.choices) for may in view.may}
    if "sealed" in offered:
        return HAND
    if "opened" in offered:
        return OPENING
    return SHORTEST + DOUBLING * log2(max(1, sum(offered.values())))
