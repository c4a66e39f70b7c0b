"""Robby Solo before the judge: a round or the score as a case, and what each rests on.

Law: loot lies in a pile, and what is under its top card is to be remembered: a case that needs the
piles is told only in front of everyone.
"""

from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Score, Verdict
from companion.games.disputes import Dispute, Ground, is_new_verdict
from companion.games.robby_solo.raid import Card, Cards, Round
from companion.games.robby_solo.state import RobbySoloState

LAY = N_("At the {colour} bank: {card}.")
CHOSE = N_("{who} chose the {colour} bank.")
OWNED = N_("In front of {who} lay {cards}.")
WILL = N_("{who} had said: I will rob the {colour} bank.")
WILL_NOT = N_("{who} had said: I will not rob the {colour} bank.")
RAIDED = N_("the police come to {colours}")
NO_RAID = N_("the police stay away")
WINS = N_("the win goes to {who}")


def find_disputes(
    before: RobbySoloState, after: RobbySoloState, _shown: bool
) -> tuple[Dispute, ...]:
    """Return the round that was decided, and the score if the deck ran out."""
    found = []
    if is_new_verdict(before, after, "verdict"):
        found.append(_round_dispute(before, after))
    if is_new_verdict(before, after, "score"):
        found.append(_score_dispute(after))
    return tuple(found)


def _round_dispute(before: RobbySoloState, after: RobbySoloState) -> Dispute:
    case: JsonObject = {
        "game": "robby_solo",
        "kind": "round",
        "banks": {bank: list(cards) for bank, cards in before.banks.items()},
        "choices": dict(after.choices),
        "loot": {name: list(pile) for name, pile in before.piles_by_name().items()},
    }
    said, names = before.declaration, [player.name for player in before.players]
    if said is not None:
        who = names[before.active - 1]
        case["declared"] = {"name": who, "bank": said.bank, "will": said.will}
    grounds = (
        *(_choice_ground(names, name, bank) for name, bank in after.choices.items()),
        *_declaration_grounds(before),
        *_loot_grounds(before),
        *_pile_grounds(before, after=False),
    )
    return Dispute("round", case, grounds, remembered=True)


def _choice_ground(names: list[str], name: str, bank: str) -> Ground:
    said = Message(CHOSE, {"who": [name], "colour": bank})
    if name in names:
        return Ground(said, hand=names.index(name) + 1)
    return Ground(
        said,
        since=lambda state: state.junior is not None and bank in state.junior.order,
        after=True,
    )


def _declaration_grounds(state: RobbySoloState) -> list[Ground]:
    if state.declaration is None:
        return []
    text = WILL if state.declaration.will else WILL_NOT
    facts = {"who": [state.players[state.active - 1].name], "colour": state.declaration.bank}
    return [Ground(Message(text, facts), since=lambda state: state.declaration)]


def _loot_grounds(state: RobbySoloState) -> list[Ground]:
    return [
        Ground(Message(LAY, {"colour": bank, "card": card}), card=(place, slot))
        for place, (bank, cards) in enumerate(state.banks.items(), 1)
        for slot, card in enumerate(cards, 1)
    ]


def _pile_grounds(state: RobbySoloState, after: bool) -> list[Ground]:
    return [_pile_ground(name, pile, after) for name, pile in state.piles_by_name().items() if pile]


def _pile_ground(name: str, pile: Cards, after: bool) -> Ground:
    return Ground(
        Message(OWNED, {"who": [name], "cards": list(pile)}),
        since=lambda state: state.piles_by_name()[name],
        every=True,
        after=after,
        remembered=True,
    )


def _score_dispute(after: RobbySoloState) -> Dispute:
    loot = {name: list(pile) for name, pile in after.piles_by_name().items()}
    case = {"game": "robby_solo", "kind": "score", "loot": loot}
    return Dispute("score", case, tuple(_pile_grounds(after, after=True)))


# What a verdict comes to.


def _count_worth(cards: Cards) -> dict[str, int]:
    return {
        "money": sum(card for card in cards if isinstance(card, int)),
        "objects": sum(not isinstance(card, int) for card in cards),
    }


def count_gains(verdict: Verdict) -> dict[str, dict[str, int]]:
    """Return the loot that a round brings, less what the police take; or the total of a score."""
    if isinstance(verdict, Score):
        return {name: {"money": total} for name, total in verdict.totals.items()}
    assert isinstance(verdict, Round)
    return {name: _net_gain(verdict, name, cards) for name, cards in verdict.taken.items()}


def _net_gain(verdict: Round, name: str, taken: Cards) -> dict[str, int]:
    given: tuple[Card, ...] = tuple(r.returns[name] for r in verdict.raids if name in r.returns)
    gives = _count_worth(given)
    return {what: n - gives[what] for what, n in _count_worth(taken).items()}


def list_outcomes(verdict: Verdict) -> tuple[Message, ...]:
    """Return where the police come; or who wins."""
    if isinstance(verdict, Score):
        return (Message(WINS, {"who": list(verdict.winners)}),)
    assert isinstance(verdict, Round)
    raided = [raid.bank for raid in verdict.raids]
    return (Message(RAIDED, {"colours": raided}) if raided else Message(NO_RAID),)
