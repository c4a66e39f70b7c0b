"""Enrolment: which sticker is on which card; and the check that everything is still there.

Law: the walk and the check are pure: sensor events with their times come in, messages go out, and
no message holds a tag's UID.
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
