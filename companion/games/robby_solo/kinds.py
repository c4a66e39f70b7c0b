"""Robby Solo before the judge: a round, or the score."""

from companion.core.errors import JsonObject
from companion.core.i18n import N_, Message
from companion.games.disputes import Dispute, Disputes, Ground
from companion.games.robby_solo import raid
from companion.games.robby_solo.rules import RULES, RobbySoloBox
from companion.games.robby_solo.state import RobbySoloState
from companion.judge.kinds import Decision, Gains, Held, Kind, Kinds, name_kinds, score_kind
from companion.judge.shapes import ByKey, ByPlayer, Group, Listed, Slots
from companion.judge.values import Case, Choice, Player, YesNo

RAIDED, NO_RAID = N_("the police come to {colours}"), N_("the police stay away")


def _row(case: Case) -> list[str]:
    banks = case.get("banks")
    return [*banks] if isinstance(banks, dict) else []


def _robbers(case: Case) -> list[str]:
    choices = case.get("choices")
    return [*choices] if isinstance(choices, dict) else []


def _decide_round(case: JsonObject) -> raid.Round:
    said, choices = case.get("declared"), case["choices"]
    lied = said is not None and (choices[said["name"]] == said["bank"]) != said["will"]
    liar = said["name"] if said is not None and lied else None
    return raid.resolve_round(case["banks"], choices, case.get("loot", {}), case["box"], liar)


def _round_gains(verdict: raid.Round) -> Gains:
    """Return the loot of a round, less the cards for the police."""
    gains = {}
    for name, taken in verdict.taken.items():
        gives = raid.count_loot(one.returns[name] for one in verdict.raids if name in one.returns)
        gains[name] = {what: n - gives[what] for what, n in raid.count_loot(taken).items()}
    return gains


def _round_outcomes(verdict: raid.Round) -> tuple[Message, ...]:
    raided = [one.bank for one in verdict.raids]
    return (Message(RAIDED, {"colours": raided}) if raided else Message(NO_RAID),)


def make_kinds(box: RobbySoloBox) -> Kinds:
    """Return the kinds of dispute at tables with this box."""
    loot = raid.loot_cards(box)
    pile = Listed(Choice(loot, label=N_("a loot card of {who}")), asks=N_("Loot of {who}"))
    return name_kinds(
        box,
        RULES.deciding,
        round=Kind(
            resolve=_decide_round,
            question=N_("A round: who takes what, and whom do the police visit?"),
            heading=N_("The robberies"),
            example={
                "banks": {"yellow": [7000, "object"], "red": [1000]},
                "choices": {"Ana": "yellow", "Ben": "red"},
                "loot": {"Ana": [1000]},
            },
            fields={
                "banks": ByKey(
                    box.banks,
                    Slots(Choice(loot, label=N_("card {n} at the {colour} bank")), box.police),
                    chosen_in="choices",
                    is_guess="banks" in box.guesses,
                    asks=N_("Which loot lay at which bank?"),
                ),
                "choices": ByPlayer(
                    Choice(_row, "colour", N_("the bank of {who}")),
                    asks=N_("Which bank did everyone choose?"),
                ),
                "declared": Group(
                    {
                        "name": Player(among=_robbers),
                        "will": YesNo(
                            N_("will be robbed"), N_("will not be robbed"), N_("the declaration")
                        ),
                        "bank": Choice(_row, "colour", N_("the declared bank")),
                    },
                    asks=N_("What was declared?"),
                ),
                "loot": ByPlayer(
                    pile, who="choices", asks=N_("Which loot lay in front of everyone before?")
                ),
            },
            optional=("loot", "declared"),
            holds=(Held(("banks", "loot"), loot, "loot" in box.guesses),),
            gains=_round_gains,
            outcomes=_round_outcomes,
            decision=Decision(
                "choices",
                N_("Where would {who} have had to go?"),
                N_("{who} had gone to the {choice} bank"),
            ),
        ),
        score=score_kind(
            "money",
            resolve=lambda case: raid.count_score(case["loot"], case["box"]),
            example={"loot": {"Ana": [1000, "object"], "Ben": [9000, 9000]}},
            fields={"loot": ByPlayer(pile, asks=N_("Which loot does everyone own?"))},
            holds=(Held(("loot",), loot, "loot" in box.guesses),),
        ),
    )


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
    return [
        Ground(
            Message(OWNED, {"who": [name], "cards": list(pile)}),
            since=lambda state, name=name: state.piles_by_name()[name],
            every=True,
            after=after,
            remembered=True,
        )
        for name, pile in state.piles_by_name().items()
        if pile
    ]


def _dispute_score(after: RobbySoloState) -> Dispute:
    loot = {name: list(pile) for name, pile in after.piles_by_name().items()}
    return Dispute("score", {"loot": loot}, tuple(_pile_grounds(after, after=True)))


DISPUTES = Disputes(_dispute_round, _dispute_score)
