"""The sweep of a robbed bank: its cards are shown one by one before they count (B.rob).

Laws: what is shown is public, and nothing else: neither what may be said nor how the bank looks
depends on a card that was not shown. Once as many cards were shown as lie there, they are compared
with those noted; if they are the same the robbery is decided, else the table settles it.
"""

from collections import Counter

import msgspec

from companion.core.commitment import replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.sweep import Sweep, match_names
from companion.games.bankueberfall.robbery_phase import AFTER, resolve_if_known
from companion.games.bankueberfall.state import BankueberfallState, CardShown, PileBelieved
from companion.games.rulebook import Choices, Row

replace = msgspec.structs.replace


def shown_faces(state: BankueberfallState) -> tuple[str | None, ...]:
    """Return the robbed bank as everyone sees it: what lay open, then what was shown, in order.

    A shown card fills the first face-down slot, not its own: that would tell what is noted there.
    """
    cards = state.banks[state.figure - 1]
    already_open = (lying.card for lying in cards if lying.up and lying.card is not None)
    waiting = iter(match_names(already_open, state.shown)[1])
    faces = [lying.card if lying.up else next(waiting, None) for lying in cards]
    return (*faces, *waiting)


def _refuse_no_sweep(state: BankueberfallState, bank: int) -> Refusal | None:
    if state.sweep is None:
        return refusal("no_sweep", "B.rob", "In this game no bank is swept.")
    if bank == state.figure:
        return None
    text = "The cards to turn up lie at bank {bank}."
    return refusal("wrong_bank", "B.rob", text, bank=state.figure)


def _can_be_shown(state: BankueberfallState, card: str) -> bool:
    """Return whether the box holds this card besides all that everyone has seen elsewhere."""
    open_here = Counter(c.card for c in state.banks[state.figure - 1] if c.up)
    here = open_here | Counter((*state.shown, card))
    elsewhere = state.discard.count(card) + sum(
        lying.up and lying.card == card
        for bank, cards in enumerate(state.banks, 1)
        for lying in cards
        if bank != state.figure
    )
    return here[card] + elsewhere <= state.box.cards.get(card, 0)


def _refuse_showing(state: BankueberfallState, event: CardShown) -> Refusal | None:
    refused = _refuse_no_sweep(state, event.bank)
    if refused is not None:
        return refused
    if event.card not in state.box.cards:
        text = "The box holds no card “{name}”."
        return refusal("no_such_card", "B.rob", text, name=event.card)
    if _can_be_shown(state, event.card):
        return None
    text = "Every {card} of the box has been seen already."
    return refusal("none_left", "B.rob", text, card=event.card)


def _show_card(state: BankueberfallState, event: CardShown) -> BankueberfallState:
    return finish_sweep(replace(state, shown=(*state.shown, event.card)))


def finish_sweep(state: BankueberfallState) -> BankueberfallState:
    """Decide the robbery if the cards shown are those that lie there; else wait for the table."""
    sweep = state.sweep
    if sweep is None or not sweep.is_through or any(sweep.difference):
        return state
    named = (name for name in sweep.believed if name is not None)
    others = iter(match_names(named, state.shown)[1])
    cards = tuple(
        replace(lying, card=next(others)) if lying.card is None else lying
        for lying in state.banks[state.figure - 1]
    )
    return resolve_if_known(replace(state, banks=replace_entry(state.banks, state.figure, cards)))


def _showing_choices(state: BankueberfallState, _seat: int) -> Choices:
    if state.sweep is None:
        return ()
    cards = tuple(card for card in state.box.cards if _can_be_shown(state, card))
    return ({"bank": state.figure, "card": cards},) if cards else ()


def _refuse_belief(state: BankueberfallState, event: PileBelieved) -> Refusal | None:
    refused = _refuse_no_sweep(state, event.bank)
    if refused is None and not _is_known(state.sweep):
        text = "A card at bank {bank} was never heard: it has to be shown."
        return refusal("unnamed", "B.rob", text, bank=state.figure)
    return refused


def _is_known(sweep: Sweep | None) -> bool:
    return sweep is not None and sweep.is_known


def _believe_pile(state: BankueberfallState, _event: PileBelieved) -> BankueberfallState:
    return resolve_if_known(state)


def _believing_choices(state: BankueberfallState, _seat: int) -> Choices:
    return ({"bank": state.figure},) if _is_known(state.sweep) else ()


SHOW_A_CARD = N_("Turn the next card and show it to the reader, or name it here.")
BELIEVE_THE_PILE = N_("Every card was read when it was laid, so you may skip this.")

ROWS = (
    Row(
        "turn_up", CardShown, "anyone", "B.rob", ("turn_up", *AFTER),
        SHOW_A_CARD, _show_card, _refuse_showing, _showing_choices,
    ),
    Row(
        "turn_up", PileBelieved, "anyone", "B.rob", AFTER,
        BELIEVE_THE_PILE, _believe_pile, _refuse_belief, _believing_choices,
    ),
)  # fmt: skip
