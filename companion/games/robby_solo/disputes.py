"""Robby Solo before the judge: a round or the score as a case, and what each rests on.

Law: loot lies in a pile, and what is under its top card is to be remembered: a case that needs the
piles is told only in front of everyone.
"""

from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.games.disputes import Dispute, Disputes, Ground
from companion.games.robby_solo.raid import Cards
from companion.games.robby_solo.state import RobbySoloState

LAY = N_("At the {colour} bank: {card}.")
CHOSE = N_("{who} chose the {colour} bank.")
OWNED = N_("In front of {who} lay {cards}.")
WILL = N_("{who} had said: I will rob the {colour} bank.")
WILL_NOT = N_("{who} had said: I will not rob the {colour} bank.")


def _dispute_round(before: RobbySoloState, after: RobbySoloState, _shown: bool) -> Dispute:
    names, said = [player.name for player in before.players], before.declaration
    case: JsonObject = {
        "banks": {bank: list(cards) for bank, cards in before.banks.items()},
        "choices": dict(after.choices),
        "loot": {name: list(pile) for name, pile in before.piles_by_name().items()},
    }
    grounds = [_choice_ground(names, name, bank) for name, bank in after.choices.items()]
    if said is not None:
        who = names[before.active - 1]
        case["declared"] = {"name": who, "bank": said.bank, "will": said.will}
        told = Message(WILL if said.will else WILL_NOT, {"who": [who], "colour": said.bank})
        grounds.append(Ground(told, since=lambda state: state.declaration))
    grounds += [
        Ground(Message(LAY, {"colour": bank, "card": card}), card=(place, slot))
        for place, (bank, cards) in enumerate(before.banks.items(), 1)
        for slot, card in enumerate(cards, 1)
    ]
    piles = _pile_grounds(before, after=False)
    return Dispute("round", case, (*grounds, *piles), remembered=True)


def _choice_ground(names: list[str], name: str, bank: str) -> Ground:
    said = Message(CHOSE, {"who": [name], "colour": bank})
    if name in names:
        return Ground(said, hand=names.index(name) + 1)
    return Ground(
        said,
        since=lambda state: state.junior is not None and bank in state.junior.order,
        after=True,
    )


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


def _dispute_score(after: RobbySoloState) -> Dispute:
    loot = {name: list(pile) for name, pile in after.piles_by_name().items()}
    return Dispute("score", {"loot": loot}, tuple(_pile_grounds(after, after=True)))


DISPUTES = Disputes(_dispute_round, _dispute_score)
