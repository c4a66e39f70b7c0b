"""Enrolment: which sticker is on which card; and the check that everything is still there.

Law: pure. What the readers tell comes in with their own times, what a person is told goes out as
sayings; nothing here knows a wire, a file or a terminal, and no saying holds a tag's UID.
"""

from companion.enrol.box_check import Check
from companion.enrol.placement import heard
from companion.enrol.walk import Walk, begin, renew, skip, undo

__all__ = ["Check", "Walk", "begin", "heard", "renew", "skip", "undo"]
