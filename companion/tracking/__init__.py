"""Tracking: infers events and mismatches from the readers' evidence.

Law: this is the one place where evidence becomes fact, and it is pure. A *picture* holds what the
readers see and which tags the game accounts for; picture, game and deck together give the next
event, or the to-dos: where the real table differs from what the rules expect. Both are worked out
from how things lie, not from how they came, so a restart or an undo finds the same.
"""
