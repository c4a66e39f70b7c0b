"""The choice of a bank in Robby Solo: lay, declare, change (R.choose, R.change).

Law: everyone else lays first, the Gentleman or Lady last, and only then speaks. After that a card
may be taken back, once or until the Gentleman or Lady goes on; the table sees that it was, and
never which one comes down instead.
"""

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Resealed, Sealed
from companion.core.i18n import N_
from companion.games.commit_reveal import closing_row, refuse_closing, reseal_row
from companion.games.robby_solo.fill_phase import no_such_bank
from companion.games.robby_solo.state import Declaration, Declared, Kept, RobbySoloState, WentOn
from companion.games.rulebook import Choices, Row, no_such_seat

replace = msgspec.structs.replace


# Everyone lays a robbery card, the Gentleman or Lady last.


def first_to_lay(state: RobbySoloState) -> tuple[int, ...]:
    """Return the other seats whose robbery card is not down yet."""
    return tuple(seat for seat in state.hands.unclosed_seats() if seat != state.active)


def _refuse_seal(state: RobbySoloState, event: Sealed) -> Refusal | None:
    refused = refuse_closing(state, event)
    if refused is None and event.seat == state.active and first_to_lay(state):
        text = "You are the Gentleman or Lady: lay your card when everyone else has laid one."
        return refusal("gentleman_last", "R.choose", text)
    return refused


def _seal_choices(state: RobbySoloState, seat: int) -> Choices:
    return () if seat == state.active and first_to_lay(state) else ({},)


def _start_declaration(state: RobbySoloState) -> RobbySoloState:
    return replace(state, phase="declare")


# The declaration.


def _refuse_declaration(state: RobbySoloState, event: Declared) -> Refusal | None:
    return no_such_bank(state, event.bank, "R.choose")


def _apply_declaration(state: RobbySoloState, event: Declared) -> RobbySoloState:
    return replace(state, phase="change", declaration=Declaration(event.bank, event.will))


def _declaration_choices(state: RobbySoloState, _seat: int) -> Choices:
    return [{"bank": bank, "will": (True, False)} for bank in state.banks]


# The others keep their card, or lay again.


def unanswered_seats(state: RobbySoloState) -> tuple[int, ...]:
    """Return the seats that have neither kept their card nor laid again."""
    return tuple(seat for seat in state.other_seats() if seat not in (*state.kept, *state.relaid))


def waits_to_go_on(state: RobbySoloState) -> bool:
    """Return whether cards are taken back until the Gentleman or Lady goes on."""
    return state.house_rules["retake"] == "until_gone_on"


def _refuse_answer(state: RobbySoloState, event: Kept | Sealed) -> Refusal | None:
    refused = no_such_seat(state, event.seat, "R.change")
    again = waits_to_go_on(state) and isinstance(event, Sealed) and event.seat != state.active
    if refused is not None or again or event.seat in unanswered_seats(state):
        return refused
    if event.seat == state.active:
        text = "You made the declaration, so your card stays as it is."
        return refusal("gentleman_stays", "R.change", text)
    text = "You have answered the declaration already, and that holds."
    return refusal("answered", "R.change", text)


def _refuse_relay(state: RobbySoloState, event: Sealed) -> Refusal | None:
    """Refuse a second answer, and the same seal, which would tell that the same card came down."""
    refused = _refuse_answer(state, event) or refuse_closing(state, event)
    if refused is None and event.seal == state.hands.seals[event.seat - 1]:
        text = "A card that is laid again needs a new seal, even if it is the same card."
        return refusal("same_seal", "R.change", text)
    return refused


def _keep_card(state: RobbySoloState, event: Kept) -> RobbySoloState:
    return _finish_answers(replace(state, kept=(*state.kept, event.seat)))


def _lay_again(state: RobbySoloState, event: Sealed) -> RobbySoloState:
    hands = state.hands.close(event.seat, event.seal)
    others = (tuple(n for n in seats if n != event.seat) for seats in (state.kept, state.relaid))
    kept, relaid = others
    return _finish_answers(replace(state, hands=hands, kept=kept, relaid=(*relaid, event.seat)))


def _finish_answers(state: RobbySoloState) -> RobbySoloState:
    stays = unanswered_seats(state) or waits_to_go_on(state)
    return state if stays else replace(state, phase="open")


def _relay_choices(state: RobbySoloState, seat: int) -> Choices:
    if waits_to_go_on(state):
        return ({},) if seat in state.other_seats() else ()
    return _answer_choices(state, seat)


# The Gentleman or Lady goes on.


def _may_go_on(state: RobbySoloState) -> bool:
    return waits_to_go_on(state) and not unanswered_seats(state)


def _refuse_going_on(state: RobbySoloState, _event: WentOn) -> Refusal | None:
    if _may_go_on(state):
        return None
    text = "Not everyone has answered the declaration."
    return refusal("unanswered", "R.change", text)


def _go_on(state: RobbySoloState, _event: WentOn) -> RobbySoloState:
    return replace(state, phase="open")


def _going_on_choices(state: RobbySoloState, _seat: int) -> Choices:
    return ({},) if _may_go_on(state) else ()


def _answer_choices(state: RobbySoloState, seat: int) -> Choices:
    return ({},) if seat in unanswered_seats(state) else ()


# The table may have all cards laid anew.


def reseal_choice_row(phase: str) -> Row[RobbySoloState, Resealed]:
    """Make the row by which all cards are laid anew; declaration and answers become void."""
    row = reseal_row(phase)

    def change(state: RobbySoloState, event: Resealed) -> RobbySoloState:
        changed: RobbySoloState = row.change(state, event)
        return replace(changed, declaration=None, kept=(), relaid=())

    return replace(row, change=change)


LAY_A_CARD = N_("Choose the bank you rob, and lay its card.")
DECLARE = N_("Name a bank you will rob, or one you won’t. It must be true.")
KEEP_IT = N_("Keep my card")
GO_ON = N_("Everyone has answered: go on.")
LAY_AGAIN = N_("Take your card back and lay one again – the same one if you like.")

ROWS = (
    closing_row(
        "R.choose", ("seal", "declare"),
        LAY_A_CARD, _start_declaration, _refuse_seal, _seal_choices,
    ),
    reseal_choice_row("seal"),
    Row(
        "declare", Declared, "active", "R.choose", ("change",),
        DECLARE, _apply_declaration, _refuse_declaration, _declaration_choices,
    ),
    reseal_choice_row("declare"),
    Row(
        "change", Kept, "each", "R.change", ("change", "open"),
        KEEP_IT, _keep_card, _refuse_answer, _answer_choices,
    ),
    Row(
        "change", Sealed, "each", "R.change", ("change", "open"),
        LAY_AGAIN, _lay_again, _refuse_relay, _relay_choices,
    ),
    Row(
        "change", WentOn, "active", "R.change", ("open",),
        GO_ON, _go_on, _refuse_going_on, _going_on_choices,
    ),
    reseal_choice_row("change"),
)  # fmt: skip
