"""Enrolment: which sticker is on which card; and the check that everything is still there.

Law: pure. What the readers tell comes in with their own times, what a person is told goes out as
sayings; nothing here knows a wire, a file or a terminal, and no saying holds a tag's UID.
"""

from companion.enrol.box_check import DeckCheck
from companion.enrol.placement import take_evidence
from companion.enrol.walk import Walk, begin_walk, renew_sticker, skip_thing, undo_step

__all__ = [
    "DeckCheck",
    "Walk",
    "begin_walk",
    "renew_sticker",
    "skip_thing",
    "take_evidence",
    "undo_step",
]
