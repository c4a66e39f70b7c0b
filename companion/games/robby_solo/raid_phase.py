"""The robberies of Robby Solo: all cards are turned up, loot is taken, the deck passes on.

Law: nothing is decided before the last card is up, Robby Junior's included; what is decided then
comes from `resolve` alone, and this file only carries it out (R.solo, R.junior, R.next).
"""

import msgspec

from companion.core.commitment import fresh_hands
from companion.core.errors import Refusal, refusal
from companion.core.events import Value
from companion.core.i18n import N_
from companion.core.verdict import step
from companion.games.commit_reveal import HandRules, mark_unproven, opening_rows
from companion.games.robby_solo.choice_phase import anew
from companion.games.robby_solo.fill_phase import begin, no_such_bank
from companion.games.robby_solo.raid import Round, resolve
from companion.games.robby_solo.state import JUNIOR, Junior, JuniorShown, State
from companion.games.rulebook import Choices, Row, left_of

replace = msgspec.structs.replace


# All cards are turned up.


def _sort(state: State, value: Value) -> Refusal | None:
    return no_such_bank(state, value, "R.choose")


def _owned(_state: State, _seat: int, _bank: str) -> None:
    """Everyone holds a card for every bank."""


def _within(_state: State, _seat: int, bank: str) -> str:
    return bank


def _opened(state: State) -> State:
    """The players' cards are up; Robby Junior's follows, by itself if his order is known."""
    hands = zip(state.players, state.hands.values, strict=True)
    state = replace(state, choices={player.name: str(value) for player, value in hands})
    if state.junior is None:
        return _settle(state)
    if len(state.junior.order) < len(state.banks):
        return replace(state, phase="junior")
    bank, *rest = state.junior.order
    return _junior_plays(state, bank, (*rest, bank))


def _refuse_junior(state: State, event: JuniorShown) -> Refusal | None:
    refused = no_such_bank(state, event.bank, "R.junior")
    if refused is None and event.bank not in _unshown(state):
        text = "{who} has shown {colour} already; it returns when all his cards are through."
        return refusal("shown_before", "R.junior", text, who=[JUNIOR], colour=event.bank)
    return refused


def _unshown(state: State) -> tuple[str, ...]:
    order = () if state.junior is None else state.junior.order
    return tuple(bank for bank in state.banks if bank not in order)


def _show_junior(state: State, event: JuniorShown) -> State:
    order = () if state.junior is None else state.junior.order
    return _junior_plays(state, event.bank, (*order, event.bank))


def _juniors(state: State, _seat: int) -> Choices:
    return [{"bank": bank} for bank in _unshown(state)]


def _junior_plays(state: State, bank: str, order: tuple[str, ...]) -> State:
    pile = () if state.junior is None else state.junior.pile
    choices = {**state.choices, JUNIOR: bank}
    return _settle(replace(state, junior=Junior(pile, order), choices=choices))


# The loot is taken, the police come, the deck passes on.


def false_declarer(state: State, choices: dict[str, str]) -> str | None:
    """The Gentleman or Lady, if the card turned up is not what was declared."""
    said = state.declaration
    name = state.players[state.active - 1].name
    if said is None or (choices[name] == said.bank) == said.will:
        return None
    return name


def _settle(state: State) -> State:
    false = false_declarer(state, state.choices)
    verdict = resolve(state.banks, state.choices, state.loot(), state.box, false)
    verdict = mark_unproven(state, verdict)
    return begin(_paid_out(state, verdict))


def _paid_out(state: State, verdict: Round) -> State:
    """Everyone's new pile, and the deck in the hands of the next one (R.next)."""
    junior, n = state.junior, len(state.players)
    active = left_of(state.active, n)
    passes = step("R.next", "The deck passes to {who}.", who=[state.players[active - 1].name])
    return replace(
        state,
        players=tuple(replace(one, pile=verdict.loot[one.name]) for one in state.players),
        junior=junior and replace(junior, pile=verdict.loot[JUNIOR]),
        active=active,
        deck=state.deck + sum(len(raid.removed) + len(raid.returns) for raid in verdict.raids),
        banks=verdict.left,
        hands=fresh_hands(state.hands.round + 1, n),
        verdict=replace(verdict, steps=(*verdict.steps, passes)),
    )


TURN_IT_UP = N_("Turn up your robbery card.")
SHOW_JUNIOR = N_("Turn up Robby Junior's robbery card, and say which bank it shows.")

A_CARD = HandRules(_sort, _owned, _within)
AFTER = ("fill", "over")

ROWS = (
    *opening_rows("R.solo", ("open", "junior", *AFTER), TURN_IT_UP, A_CARD, _opened),
    anew("open"),
    Row(
        "junior", JuniorShown, "anyone", "R.junior", AFTER,
        SHOW_JUNIOR, _show_junior, _refuse_junior, _juniors,
    ),
)  # fmt: skip
