"""The rows that every game shares: closing hands, opening them, and what to do if one cannot.

Law: hands close one by one and may be closed again until the last is in; only then do they open,
and what is in them counts when all are open. A hand that cannot open is settled by the whole
table in sight: everybody closes anew, or a value is entered and marked as unproven.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from companion.errors import Refusal, refusal
from companion.events import Entered, Opened, Resealed, Sealed, Value
from companion.games.rulebook import Choices, Refuse, Row, no_such_seat
from companion.sealed import fresh, refuse_opening, refuse_seal
from companion.texts import N_

Fits = Callable[[Any, int, Value], Refusal | None]
Change = Callable[[Any], Any]
replace = msgspec.structs.replace

ENTER = N_("Enter what a hand holds that cannot open; it is marked as unproven.")
RESEAL = N_("Have every hand closed anew.")


def refuse_closing(state: Any, event: Sealed) -> Refusal | None:
    """A hand is closed by a seat that plays, with a seal that could be opened."""
    return no_such_seat(state, event.seat, "S.seal") or refuse_seal(event.seal)


def anyone_closes(_state: Any, _seat: int) -> Choices:
    """Until the last hand is in, everyone may close theirs, again too."""
    return ({},)


def closing(
    rule: str,
    leads: tuple[str, ...],
    prompt: str,
    closed: Change,
    refuse: Refuse = refuse_closing,
    choices: Callable[[Any, int], Choices] = anyone_closes,
) -> Row:
    """The row of phase `seal`; `closed` decides how it goes on once the last hand is in."""

    def change(state: Any, event: Sealed) -> Any:
        state = replace(state, hands=state.hands.close(event.seat, event.seal))
        return state if state.hands.missing() else closed(state)

    return Row("seal", Sealed, "each", rule, leads, prompt, change, refuse, choices)


def opening(
    rule: str, leads: tuple[str, ...], prompt: str, fits: Fits, opened: Change
) -> tuple[Row, ...]:
    """The rows of phase `open`; `opened` resolves the round once the last hand is open."""

    def settle(state: Any) -> Any:
        return state if state.hands.shut() else opened(state)

    def open_(state: Any, event: Opened) -> Any:
        return settle(replace(state, hands=state.hands.open(event.seat, event.value)))

    def enter(state: Any, event: Entered) -> Any:
        return settle(replace(state, hands=state.hands.enter(event.seat, event.value)))

    def may_open(state: Any, event: Opened) -> Refusal | None:
        return (
            _is_shut(state, event.seat, "S.open")
            or refuse_opening(state.hands, state.id, event.seat, event.value, event.nonce)
            or fits(state, event.seat, event.value)
        )

    def may_enter(state: Any, event: Entered) -> Refusal | None:
        return _is_shut(state, event.seat, "S.enter") or fits(state, event.seat, event.value)

    def shut(state: Any, seat: int) -> Choices:
        return ({},) if seat in state.hands.shut() else ()

    return (
        Row("open", Opened, "each", rule, leads, prompt, open_, may_open, shut),
        Row("open", Entered, "table", "S.enter", leads, ENTER, enter, may_enter),
    )


def resealing(phase: Literal["seal", "open", "declare", "change"], back: str = "seal") -> Row:
    """The row by which the table has every hand closed anew."""

    def change(state: Any, _event: Resealed) -> Any:
        return replace(
            state, phase=back, hands=fresh(state.hands.round + 1, len(state.hands.seals))
        )

    return Row(phase, Resealed, "table", "S.reseal", (back,), RESEAL, change)


def _is_shut(state: Any, seat: int, rule: str) -> Refusal | None:
    refused = no_such_seat(state, seat, rule)
    if refused is None and state.hands.values[seat - 1] is not None:
        return refusal("already_open", rule, "The hand of seat {seat} is open already.", seat=seat)
    return refused
