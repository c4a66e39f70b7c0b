"""Disputes at a table of Robby Solo: a round, or the final score."""

from collections.abc import Collection, Mapping
from typing import Any

from companion.core.cards import RobbySoloBox, standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.verdict import Score
from companion.games.robby_solo.raid import Card, Round, loot_cards, resolve_round
from companion.games.robby_solo.score import count_score
from companion.judge.fields import (
    copies,
    house_rules,
    known_fields,
    of_players,
    one_of,
    players,
    row,
    short,
    table,
)

BOX = standard_box(RobbySoloBox)
LOOT = loot_cards(BOX)
ALSO = ("loot", "declared", "house_rules")

EXAMPLES: dict[str, dict[str, Any]] = {
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


def decide_round(case: Mapping[str, Any]) -> Round:
    """Who takes what, and whom the police visit."""
    known_fields(case, ("game", "kind", "banks", "choices"), ALSO)
    house_rules(case, BOX)
    banks = {name: _parse_bank(name, cards) for name, cards in table(case["banks"], "banks").items()}
    if not banks:
        raise Malformed("banks", N_("{field} must name at least one bank."))
    choices = table(case["choices"], "choices")
    for name in players(choices, "choices", BOX):
        one_of(choices[name], f"choices.{name}", banks)
    found = of_players(case.get("loot", {}), "loot", choices)
    loot = {name: _parse_cards(cards, f"loot.{name}") for name, cards in found.items()}
    everything = [card for pile in (*banks.values(), *loot.values()) for card in pile]
    copies(everything, "banks and loot", LOOT)
    return resolve_round(banks, choices, loot, BOX, _find_false_declarer(case, choices, banks))


def _find_false_declarer(
    case: Mapping[str, Any], choices: Mapping[str, str], banks: Collection[str]
) -> str | None:
    """Whoever declared a bank and laid another card; None if nobody did."""
    if "declared" not in case:
        return None
    said = table(case["declared"], "declared")
    known_fields(said, ("name", "bank", "will"), within="declared.")
    name = str(one_of(said["name"], "declared.name", choices))
    bank = one_of(said["bank"], "declared.bank", banks)
    if type(said["will"]) is not bool:
        text = N_("{field} must be true or false, not {value}.")
        raise Malformed("declared.will", text, value=short(said["will"]))
    return None if (choices[name] == bank) == said["will"] else name


def _parse_bank(name: str, value: Any) -> tuple[Card, ...]:
    one_of(name, "banks", BOX.banks)
    cards = _parse_cards(value, f"banks.{name}")
    if len(cards) > BOX.police:
        text = N_("{field} holds {n} cards, but the police come at {most}.")
        raise Malformed(f"banks.{name}", text, n=len(cards), most=BOX.police)
    return cards


def _parse_cards(value: Any, field: str) -> tuple[Card, ...]:
    return tuple(one_of(card, f"{field}[{n}]", LOOT) for n, card in enumerate(row(value, field)))


def decide_score(case: Mapping[str, Any]) -> Score:
    """Who wins."""
    known_fields(case, ("game", "kind", "loot"), ("house_rules",))
    house_rules(case, BOX)
    piles = table(case["loot"], "loot")
    loot = {name: _parse_cards(piles[name], f"loot.{name}") for name in players(piles, "loot", BOX)}
    copies([card for pile in loot.values() for card in pile], "loot", LOOT)
    return count_score(loot, BOX)


KINDS = {"round": decide_round, "score": decide_score}
