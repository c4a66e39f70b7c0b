"""Lamps: what each seat is shown without a word.

Law: off, nothing to do; on, your turn; slow, your hand is not closed or not open yet; fast, put
something right. A lamp tells what everyone may know.
"""

from collections.abc import Sequence

from companion.core.sensor_events import Lamp
from companion.table.history import History
from companion.tracking import Gap, in_doubt


def lamp(history: History, gaps: Sequence[Gap], seat: int) -> Lamp:
    """What the lamp of a seat shows."""
    rules, state = history.rules, history.state
    if history.over or seat > len(state.players):
        return "off"
    if history.paused:
        return "off"
    if history.frozen:
        return "fast" if seat == history.frozen else "off"
    waited_for = seat in rules.waiting(state)
    if waited_for and state.phase in ("seal", "open"):
        return "fast" if in_doubt(rules, state, gaps) else "slow"
    wrong = any(gap.kind != "left_over" for gap in gaps)
    if wrong and seat == state.active:
        return "fast"
    return "on" if waited_for else "off"
