"""Lamps and buttons: what the lamp of a seat shows, and what a press of its button asks for.

Laws of lamps: off, nothing to do; on, your turn; slow, your hand is not closed or not open yet;
fast, put something right. A lamp tells only what everyone may know.

Laws of buttons: held, a button calls the judge, or ends the freeze; short, it asks for the one
thing to do, where there is just one, or for the next place, where one reader serves several;
otherwise, and while the host has paused the game, it only highlights the question on the phone.
"""

from collections.abc import Sequence

from companion.core.events import Event
from companion.core.sensor_events import ButtonPressed, Lamp
from companion.core.table_events import Frozen, PlaceChosen, Thawed
from companion.table.history import History
from companion.tracking.laying import next_choice
from companion.tracking.mismatches import Mismatch, find_doubt
from companion.tracking.tracker import Tracker


def wish_of_press(history: History, tracker: Tracker, press: ButtonPressed) -> Event | None:
    """Return the request of this press, or else the next place for the one reader."""
    return event_for_press(history, press) or _place_for_press(history, tracker, press)


def event_for_press(history: History, press: ButtonPressed) -> Event | None:
    """Return the event of this press; None if it only wakes the phone."""
    if history.paused:
        return None
    if press.held:
        return Thawed() if history.frozen else Frozen(press.seat)
    if history.is_over or press.seat not in history.rules.awaited_seats(history.state):
        return None
    return history.rules.button_event(history.state, press.seat)


def _place_for_press(
    history: History, tracker: Tracker, press: ButtonPressed
) -> PlaceChosen | None:
    """Return the next place for which the one reader could wait, if this seat is to lay a card and
    nothing else."""
    if press.held or history.paused or history.is_over:
        return None
    rules, state = history.rules, history.state
    is_awaited = press.seat in rules.awaited_seats(state)
    return next_choice(rules, state, tracker.picture) if is_awaited else None


def lamp_state(history: History, mismatches: Sequence[Mismatch], seat: int) -> Lamp:
    rules, state = history.rules, history.state
    if state is None or history.is_over or seat > len(state.players):
        return "off"
    if history.paused:
        return "off"
    if history.frozen:
        return "fast" if seat == history.frozen else "off"
    waited_for = seat in rules.awaited_seats(state)
    if waited_for and state.phase in ("seal", "open"):
        return "fast" if find_doubt(rules, state, mismatches) else "slow"
    wrong = any(gap.is_urgent for gap in mismatches)
    if wrong and seat == state.active:
        return "fast"
    return "on" if waited_for else "off"
