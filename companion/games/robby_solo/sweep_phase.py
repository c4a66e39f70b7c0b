"""The sweep of robbed banks in Robby Solo: their loot is shown before it is given (R.solo).

Law: only loot that one player takes alone is swept; what stays, and what the police find, is not.
"""

from collections import Counter

from companion.core.i18n import N_, Facts
from companion.games.robby_solo.corrections import as_loot
from companion.games.robby_solo.raid_phase import SWEPT_AFTER, end_sweep
from companion.games.robby_solo.state import LootBelieved, LootShown, RobbySoloState
from companion.games.sweep import SweepRules


def _name_bank(state: RobbySoloState) -> Facts:
    return {"colour": state.unswept[0]}


def _count_box(state: RobbySoloState) -> dict[str, int]:
    return state.box.loot


def _count_nothing(_state: RobbySoloState) -> Counter[str]:
    """Count no card as certain at the swept bank: what is noted there is in question."""
    return Counter()


def _seen_elsewhere(state: RobbySoloState) -> Counter[str]:
    swept = state.unswept[0]
    banks = (loot for bank, loot in state.banks.items() if bank != swept)
    piles = (*banks, *state.piles_by_name().values())
    return Counter(str(card) for pile in piles for card in pile)


SHOW_LOOT = N_("Show the next loot card to the reader of its bank, or name it here.")
BELIEVE_LOOT = N_("All see which loot lies there, so you may skip this.")

SWEEP = SweepRules(
    phase="sweep",
    rule="R.solo",
    show_card=LootShown,
    believe_pile=LootBelieved,
    name_bank=_name_bank,
    count_box=_count_box,
    seen_here=_count_nothing,
    seen_elsewhere=_seen_elsewhere,
    go_on=end_sweep,
    believe=end_sweep,
    wrong_bank=N_("The loot to show lies at the {colour} bank."),
    unnamed=N_("A card at the {colour} bank was never named: it has to be shown."),
    read_card=as_loot,
)
ROWS = SWEEP.rows(SWEPT_AFTER, SHOW_LOOT, BELIEVE_LOOT)
