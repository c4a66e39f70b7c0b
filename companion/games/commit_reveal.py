"""The rows of the phase table for closed hands, shared by every game.

Law: hands close one by one and may be closed again until the last is in; only then do they open,
and their contents count when all are open. A hand that cannot open is settled by the whole table in
sight: everybody closes again, or a value is entered and marked as unproven.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core import commitment
from companion.core.errors import Refusal, refusal
from companion.core.events import Entered, Event, Opened, Resealed, Sealed, Value
from companion.core.i18n import N_
from companion.core.verdict import Verdict, step
from companion.games.game_state import GameState, S
from companion.games.rulebook import Choices, Row, never_refuse, no_such_seat, offer_as_it_is

StateChange = Callable[[S], S]
Choose = Callable[[S, int], commitment.HandChoice]
"""Returns the choice for a hand before it closes."""
V = TypeVar("V", bound=Verdict)


def refuse_closing(state: GameState, event: Sealed) -> Refusal | None:
    """Refuse a seat that does not play, and a seal that could not be opened."""
    refused = no_such_seat(state, event.seat, "S.seal")
    if refused is None and not commitment.SEAL.fullmatch(event.seal):
        return refusal("bad_seal", "S.seal", "A seal is 64 hexadecimal digits.")
    return refused


def closing_row(
    rule: str,
    next_phases: tuple[str, ...],
    prompt: str,
    on_all_closed: StateChange[S],
    refuse: Callable[[S, Sealed], Refusal | None] = refuse_closing,
) -> Row[S, Sealed]:
    """Make the row of phase `seal`; `on_all_closed` decides how it goes on after the last hand."""

    def change(state: S, event: Sealed) -> S:
        state = replace(state, hands=state.hands.close(event.seat, event.seal))
        return state if state.hands.unclosed_seats() else on_all_closed(state)

    return Row("seal", Sealed, "each", rule, next_phases, prompt, change, refuse, offer_as_it_is)


def opening_rows(
    rule: str,
    next_phases: tuple[str, ...],
    prompt: str,
    choose: Choose[S],
    on_all_opened: StateChange[S],
    refuse_value: Callable[[S, Value], Refusal | None] = never_refuse,
) -> tuple[Row[S, Opened], Row[S, Entered]]:
    """Make the rows of phase `open`: a hand holds a value that `choose` offers its seat and
    `refuse_value` does not refuse; `on_all_opened` resolves the round after the last one."""

    def refuse_kind(state: S, value: Value) -> Refusal | None:
        if commitment.is_of_kind(choose(state, 1), value):
            return refuse_value(state, value)
        return refusal("not_a_hand", rule, "That cannot be chosen now.")

    def finish_round(state: S) -> S:
        return state if state.hands.unopened_seats() else on_all_opened(state)

    def open_hand(state: S, event: Opened) -> S:
        return finish_round(replace(state, hands=state.hands.open(event.seat, event.value)))

    def enter_value(state: S, event: Entered) -> S:
        value = commitment.limit_value(choose(state, event.seat), event.value)
        return finish_round(replace(state, hands=state.hands.enter(event.seat, value)))

    def refuse_opened(state: S, event: Opened) -> Refusal | None:
        return (
            _refuse_open_hand(state, event.seat, "S.open")
            or commitment.refuse_opening(
                state.hands, state.id, event.seat, event.value, event.nonce
            )
            or refuse_kind(state, event.value)
            or _refuse_unoffered(choose(state, event.seat), event, rule)
        )

    def refuse_entered(state: S, event: Entered) -> Refusal | None:
        return _refuse_open_hand(state, event.seat, "S.enter") or refuse_kind(state, event.value)

    def opening_choices(state: S, seat: int) -> Choices:
        return ({},) if seat in state.hands.unopened_seats() else ()

    return (
        Row(
            "open", Opened, "each", rule, next_phases, prompt,
            open_hand, refuse_opened, opening_choices, choose,
        ),
        Row("open", Entered, "table", "S.enter", next_phases, ENTER, enter_value, refuse_entered),
    )  # fmt: skip


def sealed_round(
    rule: str,
    choose: Choose[S],
    resolve: StateChange[S],
    after: tuple[str, ...],
    prompt: str,
    refuse_value: Callable[[S, Value], Refusal | None] = never_refuse,
) -> tuple[Row[Any, Any], ...]:
    """Make all rows of a round of closed hands. A hand holds a value that `choose` offers its seat
    and `refuse_value` does not refuse; all open together, and `resolve` leads to one of the phases
    `after`."""

    return (
        closing_row(rule, ("seal", "open"), prompt, lambda state: replace(state, phase="open")),
        reseal_row("seal"),
        *opening_rows(rule, ("open", *after), OPEN, choose, resolve, refuse_value),
        reseal_row("open"),
    )


def reseal_row(phase: str) -> Row[Any, Resealed]:
    """Make the row that lets the table close every hand anew."""

    def change(state: S, _event: Resealed) -> S:
        hands = commitment.fresh_hands(state.hands.round + 1, len(state.hands.seals))
        return replace(state, phase="seal", hands=hands)

    return Row(phase, Resealed, "table", "S.reseal", ("seal",), RESEAL, change)


def is_closed_again(state: GameState | None, event: Event) -> bool:
    """Return whether a hand is closed again before all are: only its owner may notice."""
    if not isinstance(event, Sealed) or state is None or state.phase != "seal":
        return False
    return event.seat in range(1, len(state.players) + 1) and event.seat not in (
        state.hands.unclosed_seats()
    )


def mark_unproven(state: GameState, verdict: V) -> V:
    """Return the verdict; if a hand was entered instead of opened, it says so first."""
    who = [state.players[seat - 1].name for seat in state.hands.unproven]
    if not who:
        return verdict
    text = "Entered by the table, without proof: {who}."
    return replace(verdict, steps=(step("S.enter", text, who=who), *verdict.steps))


def _refuse_unoffered(choice: commitment.HandChoice, event: Opened, rule: str) -> Refusal | None:
    """Refuse a choice that this seat does not have; only the seat itself may hear it."""
    if commitment.is_offered(choice, event.value):
        return None
    return refusal("not_offered", rule, "Seat {seat} could not choose that.", seat=event.seat)


def _refuse_open_hand(state: GameState, seat: int, rule: str) -> Refusal | None:
    """Refuse an empty seat, and one whose hand is open already."""
    refused = no_such_seat(state, seat, rule)
    if refused is None and state.hands.values[seat - 1] is not None:
        return refusal(
            "already_open", rule, "The choice of seat {seat} has been revealed already.", seat=seat
        )
    return refused


OPEN = N_("Reveal your choice.")
ENTER = N_("Enter a choice that cannot be revealed; it is marked as unproven.")
RESEAL = N_("Have everyone seal again.")
