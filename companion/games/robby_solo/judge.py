"""Disputes at a table of Robby Solo: a round, or the final score."""

from collections.abc import Collection, Mapping

from companion.core.cards import standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.json_values import JsonObject
from companion.core.verdict import Score
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.cases import CASES
from companion.games.robby_solo.open_fields import CHANGES, OPEN_FIELDS
from companion.games.robby_solo.raid import Card, Round, loot_cards, resolve_round
from companion.games.robby_solo.score import count_score
from companion.games.robby_solo.sheets import SHEETS
from companion.judge.fields import (
    SCORE_NAMES,
    Case,
    GameJudge,
    KindNames,
    check_by_player,
    check_choice,
    check_copies,
    check_fields,
    check_house_rules,
    check_list,
    check_object,
    check_players,
    shorten,
)

BOX = standard_box(RobbySoloBox)
LOOT = loot_cards(BOX)

EXAMPLES: dict[str, JsonObject] = {
    "round": {
        "game": "robby_solo",
        "kind": "round",
        "banks": {"yellow": [7000, "object"], "red": [1000]},
        "choices": {"Ana": "yellow", "Ben": "red"},
        "loot": {"Ana": [1000]},
    },
    "score": {
        "game": "robby_solo",
        "kind": "score",
        "loot": {"Ana": [1000, "object"], "Ben": [9000, 9000]},
    },
}


def decide_round(case: Case) -> Round:
    """Resolve the round of a case."""
    check_house_rules(case, BOX)
    banks = {
        name: _parse_bank(name, cards)
        for name, cards in check_object(case["banks"], "banks").items()
    }
    if not banks:
        raise Malformed("banks", N_("{field} must name at least one bank."))
    choices = check_object(case["choices"], "choices")
    for name in check_players(choices, "choices", BOX):
        check_choice(choices[name], f"choices.{name}", banks)
    found = check_by_player(case.get("loot", {}), "loot", choices)
    loot = {name: _parse_cards(cards, f"loot.{name}") for name, cards in found.items()}
    everything = [card for pile in (*banks.values(), *loot.values()) for card in pile]
    check_copies(everything, "banks and loot", LOOT)
    return resolve_round(banks, choices, loot, BOX, _find_false_declarer(case, choices, banks))


def _find_false_declarer(
    case: Case, choices: Mapping[str, str], banks: Collection[str]
) -> str | None:
    """Return the player who declared a bank and laid another card, or None."""
    if "declared" not in case:
        return None
    said = check_object(case["declared"], "declared")
    check_fields(said, ("name", "bank", "will"), prefix="declared.")
    name = str(check_choice(said["name"], "declared.name", choices))
    bank = check_choice(said["bank"], "declared.bank", banks)
    if type(said["will"]) is not bool:
        text = N_("{field} must be true or false, not {value}.")
        raise Malformed("declared.will", text, value=shorten(said["will"]))
    return None if (choices[name] == bank) == said["will"] else name


def _parse_bank(name: str, value: object) -> tuple[Card, ...]:
    check_choice(name, "banks", BOX.banks)
    cards = _parse_cards(value, f"banks.{name}")
    if len(cards) > BOX.police:
        text = N_("{field} holds {n} cards, but the police come at {most}.")
        raise Malformed(f"banks.{name}", text, n=len(cards), most=BOX.police)
    return cards


def _parse_cards(value: object, field: str) -> tuple[Card, ...]:
    return tuple(
        check_choice(card, f"{field}[{n}]", LOOT) for n, card in enumerate(check_list(value, field))
    )


def decide_score(case: Case) -> Score:
    """Count the score of a case."""
    check_house_rules(case, BOX)
    piles = check_object(case["loot"], "loot")
    loot = {
        name: _parse_cards(piles[name], f"loot.{name}")
        for name in check_players(piles, "loot", BOX)
    }
    check_copies([card for pile in loot.values() for card in pile], "loot", LOOT)
    return count_score(loot, BOX)


JUDGE = GameJudge(
    kinds={"round": decide_round, "score": decide_score},
    examples=EXAMPLES,
    cases=CASES,
    sheets=SHEETS,
    names={
        "round": KindNames(
            N_("A round: who takes what, and whom do the police visit?"), N_("The robberies")
        ),
        "score": SCORE_NAMES,
    },
    parts={"row": "banks", "loot": "banks", "choice": "choices", "pile": "piles"},
    open_fields=OPEN_FIELDS,
    changes=CHANGES,
)
