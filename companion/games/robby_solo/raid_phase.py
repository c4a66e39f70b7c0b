"""The robberies of Robby Solo: all cards are turned up, loot is taken, the deck passes on.

Law: nothing is decided before the last card is up, Robby Junior's included, and before the loot of
each bank that is robbed by one alone was swept, if it is to be; what is decided then comes from
`resolve` alone, and this file only carries it out (R.solo, R.junior, R.next).
"""

from collections import Counter
from itertools import dropwhile

from msgspec.structs import replace

from companion.core.commitment import OneChoice, fresh_hands
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.verdict import step
from companion.games.commit_reveal import mark_unproven, opening_rows
from companion.games.robby_solo.choice_phase import begin_round, no_such_bank, reseal_choice_row
from companion.games.robby_solo.raid import JUNIOR, as_loot, banks_robbed_alone, resolve_round
from companion.games.robby_solo.state import JuniorShown, LootBelieved, LootShown, RobbySoloState
from companion.games.rulebook import Choices, Row, left_of
from companion.games.sweep import SweepRules

# All cards are turned up.


def _choose_card(state: RobbySoloState, _seat: int) -> OneChoice:
    """Let a seat choose any bank of the row."""
    return OneChoice(tuple(state.banks))


def _turn_up_cards(state: RobbySoloState) -> RobbySoloState:
    """Turn up the players' cards; Robby Junior's follows, by itself if his order is known."""
    hands = zip(state.players, state.hands.values, strict=True)
    state = replace(state, choices={player.name: str(value) for player, value in hands})
    if state.junior is None:
        return _sweep_loot(state)
    if len(state.junior.order) < len(state.banks):
        return replace(state, phase="junior")
    bank, *rest = state.junior.order
    return _junior_plays(state, bank, (*rest, bank))


def _refuse_junior(state: RobbySoloState, event: JuniorShown) -> Refusal | None:
    refused = no_such_bank(state, event.bank, "R.junior")
    if refused is None and event.bank not in _unshown_banks(state):
        text = (
            "{who} has shown the {colour} bank already; it comes back when all his cards "
            "have been played."
        )
        return refusal("shown_before", "R.junior", text, who=[JUNIOR], colour=event.bank)
    return refused


def _unshown_banks(state: RobbySoloState) -> tuple[str, ...]:
    assert state.junior is not None
    return tuple(bank for bank in state.banks if bank not in state.junior.order)


def _show_junior(state: RobbySoloState, event: JuniorShown) -> RobbySoloState:
    assert state.junior is not None
    return _junior_plays(state, event.bank, (*state.junior.order, event.bank))


def _junior_choices(state: RobbySoloState, _seat: int) -> Choices:
    return [{"bank": bank} for bank in _unshown_banks(state)]


def _junior_plays(state: RobbySoloState, bank: str, order: tuple[str, ...]) -> RobbySoloState:
    assert state.junior is not None
    junior, choices = replace(state.junior, order=order), {**state.choices, JUNIOR: bank}
    return _sweep_loot(replace(state, junior=junior, choices=choices))


# The loot is shown before it is given.


def _sweep_loot(state: RobbySoloState) -> RobbySoloState:
    """Have the loot shown that is given now, bank by bank along the row; then give it."""
    alone = banks_robbed_alone(state.choices, find_false_declarer(state))
    waiting = tuple(bank for bank in state.banks if bank in alone) if state.sweeping else ()
    return _sweep_next(replace(state, phase="sweep", unswept=waiting, swept=(), shown=()))


def end_sweep(state: RobbySoloState) -> RobbySoloState:
    """Go on after a bank was swept, or believed."""
    bank, *waiting = state.unswept
    swept = (*state.swept, bank)
    return _sweep_next(replace(state, unswept=tuple(waiting), swept=swept, shown=()))


def _sweep_next(state: RobbySoloState) -> RobbySoloState:
    """Sweep the next bank with loot; once there is none, settle the round."""
    waiting = tuple(dropwhile(lambda bank: not state.banks[bank], state.unswept))
    state = replace(state, unswept=waiting)
    return state if waiting else _settle_round(replace(state, swept=()))


# The loot is taken, the police come, the deck passes on.


def find_false_declarer(state: RobbySoloState) -> str | None:
    """Return the Gentleman or Lady if the card turned up contradicts the declaration."""
    said = state.declaration
    name = state.players[state.active - 1].name
    if said is None or (state.choices[name] == said.bank) == said.will:
        return None
    return name


def _settle_round(state: RobbySoloState) -> RobbySoloState:
    """Give everyone the new pile, pass the deck on, and begin the next round (R.next)."""
    false = find_false_declarer(state)
    verdict = resolve_round(state.banks, state.choices, state.piles_by_name(), state.box, false)
    verdict = mark_unproven(state, verdict)
    junior, n = state.junior, len(state.players)
    active = left_of(state.active, n)
    passes = step("R.next", "The deck passes to {who}.", who=[state.players[active - 1].name])
    settled = replace(
        state,
        players=tuple(replace(one, pile=verdict.loot[one.name]) for one in state.players),
        junior=junior and replace(junior, pile=verdict.loot[JUNIOR]),
        active=active,
        deck=state.deck + sum(len(raid.removed) + len(raid.returns) for raid in verdict.raids),
        banks=verdict.left,
        hands=fresh_hands(state.hands.round + 1, n),
        quiet=0 if any(verdict.taken.values()) else state.quiet + 1,
        verdict=replace(verdict, steps=(*verdict.steps, passes)),
    )
    return begin_round(settled)


TURN_IT_UP = N_("Turn up your robbery card.")
SHOW_JUNIOR = N_("Turn up Robby Junior's robbery card, and say which bank it shows.")

AFTER = ("fill", "over")
SWEPT_AFTER = ("sweep", *AFTER)

ROWS = (
    *opening_rows(
        "R.solo", ("open", "junior", *SWEPT_AFTER),
        TURN_IT_UP, _choose_card, _turn_up_cards,
        lambda state, value: no_such_bank(state, value, "R.choose"),
    ),
    reseal_choice_row("open"),
    Row(
        "junior", JuniorShown, "anyone", "R.junior", SWEPT_AFTER,
        SHOW_JUNIOR, _show_junior, _refuse_junior, _junior_choices,
    ),
)  # fmt: skip


def _seen_elsewhere(state: RobbySoloState) -> Counter[str]:
    swept = state.unswept[0]
    banks = (loot for bank, loot in state.banks.items() if bank != swept)
    piles = (*banks, *state.piles_by_name().values())
    return Counter(str(card) for pile in piles for card in pile)


SHOW_LOOT = N_("Show the next loot card to the reader of its bank, or name it here.")
BELIEVE_LOOT = N_("All see which loot lies there, so you may skip this.")

SWEEP = SweepRules[RobbySoloState](
    phase="sweep",
    rule="R.solo",
    show_card=LootShown,
    believe_pile=LootBelieved,
    name_bank=lambda state: {"colour": state.unswept[0]},
    count_box=lambda state: state.box.loot,
    seen_elsewhere=_seen_elsewhere,
    go_on=end_sweep,
    believe=end_sweep,
    wrong_bank=N_("The loot to show lies at the {colour} bank."),
    unnamed=N_("A card at the {colour} bank was never named: it has to be shown."),
    read_card=as_loot,
)
SWEEP_ROWS = SWEEP.rows(SWEPT_AFTER, SHOW_LOOT, BELIEVE_LOOT)
