"""Buttons: what a press says.

Law: held, it calls the judge, or has the table go on; short, it says what is plain, to be done or
to do without; where there is something to choose it says nothing, and only wakes the question on
the phone. While the host has paused the game it says nothing else either.
"""

from companion.core.events import Event
from companion.core.sensor_events import Pressed
from companion.core.table_events import Frozen, Thawed
from companion.table.history import History


def meaning(history: History, press: Pressed) -> Event | None:
    """What this press asks for; None if it only wakes."""
    if history.paused:
        return None
    if press.held:
        return Thawed() if history.frozen else Frozen(press.seat)
    if history.over or press.seat not in history.rules.waiting(history.state):
        return None
    return history.rules.done(history.state, press.seat)
