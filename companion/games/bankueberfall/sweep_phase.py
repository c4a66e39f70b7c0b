"""The sweep of a robbed bank: its cards are shown one by one before they count (B.rob).

Law: how the bank looks does not depend on a card that was not shown.
"""

from collections import Counter

import msgspec

from companion.core.commitment import replace_entry
from companion.core.i18n import N_, Facts
from companion.core.sweep import match_names
from companion.games.bankueberfall.robbery_phase import AFTER, resolve_if_known
from companion.games.bankueberfall.state import BankueberfallState, CardShown, PileBelieved
from companion.games.sweep import SweepRules

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


def _name_bank(state: BankueberfallState) -> Facts:
    return {"bank": state.figure}


def _count_box(state: BankueberfallState) -> dict[str, int]:
    return state.box.cards


def _open_here(state: BankueberfallState) -> Counter[str]:
    return Counter(c.card for c in state.banks[state.figure - 1] if c.up and c.card is not None)


def _seen_elsewhere(state: BankueberfallState) -> Counter[str]:
    banks = (cards for bank, cards in enumerate(state.banks, 1) if bank != state.figure)
    cards = (lying for bank in banks for lying in bank)
    return Counter((*state.discard, *(c.card for c in cards if c.up and c.card is not None)))


def _name_cards(state: BankueberfallState) -> BankueberfallState:
    """Give the cards without a name those that were shown, and decide the robbery."""
    named = (c.card for c in state.banks[state.figure - 1] if c.card is not None)
    others = iter(match_names(named, state.shown)[1])
    cards = tuple(
        replace(lying, card=next(others)) if lying.card is None else lying
        for lying in state.banks[state.figure - 1]
    )
    return resolve_if_known(replace(state, banks=replace_entry(state.banks, state.figure, cards)))


SHOW_A_CARD = N_("Turn the next card and show it to the reader, or name it here.")
BELIEVE_THE_PILE = N_("The table knows these cards, so you may skip turning.")

SWEEP = SweepRules(
    phase="turn_up",
    rule="B.rob",
    show_card=CardShown,
    believe_pile=PileBelieved,
    name_bank=_name_bank,
    count_box=_count_box,
    seen_here=_open_here,
    seen_elsewhere=_seen_elsewhere,
    go_on=_name_cards,
    believe=resolve_if_known,
    wrong_bank=N_("The cards to turn up lie at bank {bank}."),
    unnamed=N_("No reader has read one of the cards at bank {bank}: it has to be shown."),
)
ROWS = SWEEP.rows(AFTER, SHOW_A_CARD, BELIEVE_THE_PILE)
