"""Tracking: from what the readers see to what happened, and to what does not fit.

Law: this is the one place where evidence becomes fact, and it is pure. A *picture* holds what the
readers see and which tags the game accounts for; picture, game and deck together give the next
fact, or the to-dos: where the real table differs from what the rules expect. Both are worked out
from how things lie, not from how they came, so a restart or an undo finds the same.
"""

from companion.core.cards import FIGURE, TILE
from companion.core.deck import Deck
from companion.tracking.inference import expected, handled, next_fact
from companion.tracking.look import Fact
from companion.tracking.matching import account, bind
from companion.tracking.mismatches import Gap, Todo, gaps, in_doubt, todo
from companion.tracking.picture import EIGHTH_SPOT, Picture, see

__all__ = [
    "EIGHTH_SPOT", "FIGURE", "TILE", "Deck", "Fact", "Gap", "Picture", "Todo",
    "account", "bind", "expected", "gaps", "handled", "in_doubt", "next_fact", "see", "todo",
]  # fmt: skip
