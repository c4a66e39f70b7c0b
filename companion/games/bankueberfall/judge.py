"""Disputes at a table of Banküberfall: a robbery, or the final score."""

from collections.abc import Mapping
from typing import Any

from companion.core.cards import BankueberfallBox, standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.verdict import Score
from companion.games.bankueberfall.robbery import Robbery, Stakes, rob
from companion.games.bankueberfall.score import Fortune, score
from companion.judge.fields import (
    copies,
    house_rules,
    known_fields,
    of_all_players,
    one_of,
    players,
    row,
    table,
    whole,
)

BOX = standard_box(BankueberfallBox)

EXAMPLES: dict[str, dict[str, Any]] = {
    "robbery": {
        "game": "bankueberfall",
        "kind": "robbery",
        "cards": ["5", "x", "10", "seductress", "policeman", "detective", "thief"],
        "bids": {"Ana": 3, "Ben": 0},
        "funds": {"Ana": 12, "Ben": 10},
        "house_rules": {"shortfall": "continue"},
    },
    "score": {
        "game": "bankueberfall",
        "kind": "score",
        "funds": {"Ana": {"coins": 31, "credits": 1}, "Ben": {"coins": 27, "credits": 0}},
    },
}


def robbery(case: Mapping[str, Any]) -> Robbery:
    """What a robbery pays to whom."""
    known_fields(case, ("game", "kind", "cards", "bids"), ("funds", "house_rules"))
    cards = row(case["cards"], "cards")
    for n, card in enumerate(cards):
        if type(card) is not str or card not in BOX.cards:
            one_of(card, f"cards[{n}]", BOX.cards)
    copies(cards, "cards", BOX.cards)
    bids = table(case["bids"], "bids")
    names = players(bids, "bids", BOX)
    for name in names:
        whole(bids[name], f"bids.{name}")
    funds = _funds(case["funds"], bids) if "funds" in case else None
    return rob(cards, Stakes(bids, house_rules(case, BOX), BOX, funds))


def _funds(value: Any, bids: Mapping[str, int]) -> dict[str, int]:
    funds = of_all_players(value, "funds", bids)
    for name, bid in bids.items():
        owned = whole(funds[name], f"funds.{name}")
        if bid > owned:
            text = N_("{field} is {bid}, but {name} owns only {owned}.")
            raise Malformed(f"bids.{name}", text, bid=bid, name=name, owned=owned)
    return funds


def final_score(case: Mapping[str, Any]) -> Score:
    """Who wins."""
    known_fields(case, ("game", "kind", "funds"), ("house_rules",))
    house_rules(case, BOX)
    funds = table(case["funds"], "funds")
    names = players(funds, "funds", BOX)
    return score({name: _fortune(funds[name], f"funds.{name}") for name in names}, BOX)


def _fortune(value: Any, field: str) -> Fortune:
    found = table(value, field)
    known_fields(found, ("coins", "credits"), within=f"{field}.")
    return Fortune(
        whole(found["coins"], f"{field}.coins"), whole(found["credits"], f"{field}.credits")
    )


KINDS = {"robbery": robbery, "score": final_score}
