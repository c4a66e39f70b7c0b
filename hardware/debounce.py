"""From the edges of a button to presses: pure, with every moment handed in.

Law: a level counts once it has stood still for `SETTLE`; it then counts from its *first* edge,
so bouncing neither adds a press nor moves one. A short press is told when the button is let go,
a long one as soon as it has been held for `HOLD`, once more as soon as it has been held for
`HOLD_ON` and for `HOLD_OFF`, and then letting go tells nothing. A button that is down when the
table starts is stuck until it has been up.
"""

from collections.abc import Iterable

import msgspec

from companion.core.sensor_events import ButtonHeldOff, ButtonHeldOn, ButtonPressed

SETTLE = 0.025
HOLD = 2.0
HOLD_ON = 6.0
HOLD_OFF = 10.0
STUCK = 30.0
TIE = 0.030
"""Presses that begin within this many seconds of the first are simultaneous; the lower seat is
named first. A hand is not more exact than that, and a table should not pretend it is."""

Press = ButtonPressed | ButtonHeldOn | ButtonHeldOff


class ButtonState(msgspec.Struct, frozen=True):
    """The state of one button. `edge` is the first edge of a change not yet accepted."""

    seat: int
    down: bool = False
    since: float = 0.0
    edge: float | None = None
    last_edge: float = 0.0
    raw: bool = False
    reported: bool = False
    """This press was told."""
    held_on: bool = False
    """It was told as well that it goes on for so long."""
    held_off: bool = False
    """And even longer; nothing more to tell about it."""


def initial_state(seat: int, down: bool, at: float) -> ButtonState:
    """Return the state of a button as the table starts; one that is down counts as stuck."""
    return ButtonState(
        seat, down=down, since=at, raw=down, reported=down, held_on=down, held_off=down
    )


def apply_edge(button: ButtonState, down: bool, at: float) -> tuple[ButtonState, list[Press]]:
    """Return the button after an edge, and the presses that became certain before it."""
    button, news = advance_time(button, at)
    if down == button.raw:
        return button, news
    edge = at if button.edge is None else button.edge
    return msgspec.structs.replace(button, raw=down, edge=edge, last_edge=at), news


def advance_time(button: ButtonState, now: float) -> tuple[ButtonState, list[Press]]:
    """Return the button after some time without an edge, and the presses that became certain."""
    news: list[Press] = []
    if button.edge is not None and now - button.last_edge >= SETTLE:
        button, news = _accept_level(button, button.edge)
    if not button.down:
        return button, news
    held = _held_until(button, now) - button.since
    if held >= HOLD and not button.reported:
        news = [*news, ButtonPressed(button.since, button.seat, held=True)]
        button = msgspec.structs.replace(button, reported=True)
    if held >= HOLD_ON and not button.held_on:
        news = [*news, ButtonHeldOn(button.since, button.seat)]
        button = msgspec.structs.replace(button, held_on=True)
    if held >= HOLD_OFF and not button.held_off:
        news = [*news, ButtonHeldOff(button.since, button.seat)]
        button = msgspec.structs.replace(button, held_off=True)
    return button, news


def is_stuck(button: ButtonState, now: float) -> bool:
    """Return whether a button has been down for longer than a hand would press it."""
    return button.down and now - button.since >= STUCK


def sort_presses(presses: Iterable[Press]) -> list[Press]:
    """Sort presses by the moment they began; simultaneous ones by seat."""
    waiting = sorted(presses, key=lambda press: press.at)
    ordered: list[Press] = []
    while waiting:
        tied = [press for press in waiting if press.at - waiting[0].at <= TIE]
        ordered += sorted(tied, key=lambda press: press.seat)
        waiting = waiting[len(tied) :]
    return ordered


def _accept_level(button: ButtonState, edge: float) -> tuple[ButtonState, list[Press]]:
    """Accept the settled level. If it is the old one again, the contact only bounced."""
    calm = msgspec.structs.replace(button, edge=None)
    if button.raw == button.down:
        return calm, []
    if button.raw:
        return msgspec.structs.replace(calm, down=True, since=edge), []
    up = ButtonState(calm.seat, since=edge, last_edge=calm.last_edge)
    if button.reported:
        return up, []
    return up, [ButtonPressed(button.since, button.seat, held=edge - button.since >= HOLD)]


def _held_until(button: ButtonState, now: float) -> float:
    """Return the end of a press: now, or the edge of a possible release."""
    return now if button.edge is None else button.edge
