"""A round of Robby Solo begins: one loot card to every bank, or the end (R.fill, R.end).

Law: no player chooses where a card goes. The first one goes to either end of the row, and every
other one to the next bank on the way to the far end.
"""

from collections import Counter

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.verdict import Score, VerdictStep, step
from companion.games.robby_solo.raid import Card, loot_cards
from companion.games.robby_solo.score import count_score
from companion.games.robby_solo.state import EndAgreed, LootLaid, RobbySoloState
from companion.games.rulebook import Choices, Row

replace = msgspec.structs.replace


def begin_round(state: RobbySoloState) -> RobbySoloState:
    """Begin the next round; end the game if the deck does not reach every bank (R.end)."""
    if state.deck < len(state.banks):
        return replace(state, phase="over", score=_final_score(state, _too_few_step(state)))
    return replace(state, phase="fill", filled=(), declaration=None, kept=(), relaid=())


def _too_few_step(state: RobbySoloState) -> VerdictStep:
    text = "Too few loot cards are left for all the banks ({left} for {banks}): the game ends."
    return step("R.end", text, left=state.deck, banks=len(state.banks))


def _final_score(state: RobbySoloState, ends: VerdictStep) -> Score:
    """Count the score, and say first why it is counted now."""
    counted = count_score(state.piles_by_name(), state.box)
    return replace(counted, steps=(ends, *counted.steps))


def recount_score(state: RobbySoloState) -> Score:
    """Count the score of a game that is over anew; why it ended is said as before."""
    assert state.score is not None
    return _final_score(state, state.score.steps[0])


def next_banks(state: RobbySoloState) -> tuple[str, ...]:
    """Return the banks that the next loot card may go to: both ends at first, then one."""
    row = tuple(state.banks)
    if not state.filled:
        return row[0], row[-1]
    onward = 1 if state.filled[0] == row[0] else -1
    return (row[row.index(state.filled[-1]) + onward],)


def cards_in_deck(state: RobbySoloState) -> tuple[Card, ...]:
    """Return the kinds of card of which not all are seen: the deck must still hold them."""
    seen = Counter(card for cards in state.banks.values() for card in cards)
    seen.update(card for pile in state.piles_by_name().values() for card in pile)
    return tuple(card for card, n in loot_cards(state.box).items() if n > seen[card])


def no_such_bank(state: RobbySoloState, bank: object, rule: str) -> Refusal | None:
    """Refuse a bank that is not in the row."""
    if isinstance(bank, str) and bank in state.banks:
        return None
    text = "No such bank lies in the row. These do: {colours}."
    return refusal("no_such_bank", rule, text, colours=list(state.banks))


def _refuse_loot(state: RobbySoloState, event: LootLaid) -> Refusal | None:
    refused = no_such_bank(state, event.bank, "R.fill")
    if refused is None and event.bank not in next_banks(state):
        text = "Loot is laid along the row, from one end to the other. Next in line: {colours}."
        refused = refusal("out_of_line", "R.fill", text, colours=list(next_banks(state)))
    return refused or _no_such_card(state, event.card)


def _no_such_card(state: RobbySoloState, card: Card) -> Refusal | None:
    if card not in loot_cards(state.box):
        return refusal("no_such_card", "R.fill", "The box holds no loot card “{name}”.", name=card)
    if card not in cards_in_deck(state) and "loot" not in state.box.guesses:
        text = "The deck cannot hold another one: every {card} of the box is on the table."
        return refusal("none_left", "R.fill", text, card=card)
    return None


def _lay_loot(state: RobbySoloState, event: LootLaid) -> RobbySoloState:
    banks = {**state.banks, event.bank: (*state.banks[event.bank], event.card)}
    filled = (*state.filled, event.bank)
    phase = "fill" if len(filled) < len(banks) else "seal"
    deck = state.deck - 1
    return replace(state, banks=banks, filled=filled, deck=deck, phase=phase, choices={})


def _loot_choices(state: RobbySoloState, _seat: int) -> Choices:
    cards = cards_in_deck(state) or tuple(loot_cards(state.box))  # Someone may have counted wrong.
    return [{"bank": bank, "card": cards} for bank in next_banks(state)]


# The end of a game in which everyone always meets.


def _may_end(state: RobbySoloState) -> bool:
    return state.quiet >= state.box.quiet_rounds and not state.filled


def _refuse_end(state: RobbySoloState, _event: EndAgreed) -> Refusal | None:
    if _may_end(state):
        return None
    text = "A game is ended like this before a round, after {n} rounds without loot."
    return refusal("not_quiet", "R.end", text, n=state.box.quiet_rounds)


def _end_quietly(state: RobbySoloState, _event: EndAgreed) -> RobbySoloState:
    text = "For {n} rounds no one has taken loot, so the table ends the game."
    ends = step("R.end", text, None, "R.end.quiet", n=state.quiet)
    return replace(state, phase="over", score=_final_score(state, ends))


def _end_choices(state: RobbySoloState, _seat: int) -> Choices:
    return ({},) if _may_end(state) else ()


END_IT = N_("No one has taken loot for long: end the game here, if all agree.")
LAY_LOOT = N_("Lay the next loot card open at a bank.")

ROWS = (
    Row(
        "fill", LootLaid, "active", "R.fill", ("fill", "seal"),
        LAY_LOOT, _lay_loot, _refuse_loot, _loot_choices,
    ),
    Row(
        "fill", EndAgreed, "active", "R.end", ("over",),
        END_IT, _end_quietly, _refuse_end, _end_choices,
    ),
)  # fmt: skip
