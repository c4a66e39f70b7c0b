"""Tracking: infer events and mismatches from what the readers see.

Law: this is the one place where evidence becomes fact, and it is pure. A *picture* holds what the
readers see and which tags the game accounts for; picture, game and deck together give the next
event, or the to-dos: where the real table differs from what the rules expect. Both are worked out
from how things lie, not from how they came, so a restart or an undo finds the same.
"""

from companion.core.cards import FIGURE, TILE
from companion.core.deck import Deck
from companion.tracking.matching import bind_tags, expected_table, match_tags
from companion.tracking.mismatches import Mismatch, Todo, find_doubt, find_mismatches, make_todo
from companion.tracking.picture import EIGHTH_SPOT, InferredEvent, Picture, apply_evidence
from companion.tracking.tracker import infer_handled, infer_next_event

__all__ = [
    "EIGHTH_SPOT",
    "FIGURE",
    "TILE",
    "Deck",
    "InferredEvent",
    "Mismatch",
    "Picture",
    "Todo",
    "apply_evidence",
    "bind_tags",
    "expected_table",
    "find_doubt",
    "find_mismatches",
    "infer_handled",
    "infer_next_event",
    "make_todo",
    "match_tags",
]  # fmt: skip
