"""Lamps: what each seat is shown without a word.

Law: off, nothing to do; on, your turn; slow, your hand is not closed or not open yet; fast, put
something right. A lamp tells what everyone may know.

Buttons: what a press says.

Law: held, it calls the judge, or has the table go on; short, it says what is plain, to be done or
to do without; where there is something to choose it says nothing, and only wakes the question on
the phone. While the host has paused the game it says nothing else either.
"""

from collections.abc import Sequence

from companion.core.events import Event
from companion.core.sensor_events import ButtonPressed, Lamp
from companion.core.table_events import Frozen, Thawed
from companion.table.history import History
from companion.tracking import Mismatch, find_doubt


def event_for_press(history: History, press: ButtonPressed) -> Event | None:
    """What this press asks for; None if it only wakes."""
    if history.paused:
        return None
    if press.held:
        return Thawed() if history.frozen else Frozen(press.seat)
    if history.is_over or press.seat not in history.rules.awaited_seats(history.state):
        return None
    return history.rules.button_event(history.state, press.seat)


def lamp_state(history: History, mismatches: Sequence[Mismatch], seat: int) -> Lamp:
    """What the lamp of a seat shows."""
    rules, state = history.rules, history.state
    if history.is_over or seat > len(state.players):
        return "off"
    if history.paused:
        return "off"
    if history.frozen:
        return "fast" if seat == history.frozen else "off"
    waited_for = seat in rules.awaited_seats(state)
    if waited_for and state.phase in ("seal", "open"):
        return "fast" if find_doubt(rules, state, mismatches) else "slow"
    wrong = any(gap.kind != "left_over" for gap in mismatches)
    if wrong and seat == state.active:
        return "fast"
    return "on" if waited_for else "off"
