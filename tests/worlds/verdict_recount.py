"""Recount a verdict of a game by the naive judge, from the state before it and the box.

What the steps say in words is told by the golden games; a fact beside the words is compared here.
Steps that only inform are passed over.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from companion.core.cards import standard_box
from companion.games import find_game
from companion.games.bankueberfall.rules import BankueberfallBox
from tests.worlds import naive_judges as naive

Answer = dict[str, Any]
PURSE = standard_box(BankueberfallBox).purse


def robbery(verdict: Any, _before: Any, _after: Any) -> None:
    """Who is paid what, who loses or wins what, what goes back, who takes a credit."""
    bids, cards = _first(verdict, "B.bid", "tally"), _first(verdict, "B.rob", "cards")
    _decide(verdict, "bankueberfall", "robbery", partial(naive.rob, cards, bids))
    short = [f for f in _facts(verdict, "B.rob.4") if "owned" in f and f["owned"] < f["purse"]]
    needy = [name for facts in short for name in facts["who"]]
    assert all(facts["purse"] == PURSE for facts in short)
    if verdict.credits is not None:
        assert verdict.outcome == "stolen" or not needy
        assert verdict.credits == {name: needy.count(name) for name in bids}
    for facts in (f for f in _facts(verdict, "B.pay", "B.pay.short") if "paid" in f):
        assert {verdict.paid[name] for name in facts["who"]} == {facts["paid"]}


def _decide(verdict: Any, game: str, kind: str, judge: Callable[[dict[str, str]], Answer]) -> None:
    """Compare with what another judge says as the table plays it: a house rule is named where its
    answers differ, and only there."""
    rules = find_game(game).rules
    named = {
        step.house_rule.name: step.house_rule.value for step in verdict.steps if step.house_rule
    }
    for name in rules.deciding(kind):
        ways = [judge({**named, name: answer}) for answer in rules.house_rules[name].answers]
        assert (name in named) == any(way != ways[0] for way in ways)
    right = judge(named)
    assert {field: getattr(verdict, field) for field in right} == right


def auction(verdict: Any, before: Any, _after: Any) -> None:
    """Who wins, where the markers stand, what the aces paid, who takes chips first."""
    fists, ties = _first(verdict, "F.auction", "fists"), _facts(verdict, "F.auction.tie")
    case = {
        "players": list(fists),
        "start": next((f["begins"] for f in ties if "begins" in f), next(iter(fists))),
        "bids": fists,
        "values": before.values,
        "card": before.auctioned.split("-"),
        "holdings": {p.name: [card.split("-") for card in p.cards] for p in before.players},
    }
    judge = lambda houses: naive.auction({**case, "house_rules": houses})  # noqa: E731
    _decide(verdict, "banque_fatale", "auction", judge)
    shown = sum(map(Counter, fists.values()), Counter[str]())
    moved = {f["colour"]: f for f in _facts(verdict, "F.track") if "after" in f}
    assert {c: f["chips"] for c, f in moved.items()} == {c: shown[c] for c in before.values}
    assert verdict.risen == tuple(c for c, f in moved.items() if f["after"] > f["before"])
    paid = Counter[str]()
    for facts in (facts for facts in _facts(verdict, "F.bonus") if "aces" in facts):
        paid[facts["who"][0]] += facts["millions"]
    assert paid == Counter(verdict.bonuses)


def sale(verdict: Any, before: Any, _after: Any) -> None:
    """What a card brought: the values of its colours, added up."""
    facts = _facts(verdict, "F.sell")[0]
    card = facts.get("card", "")
    price = sum(before.values[colour] for colour in card.split("-") if card)
    assert (verdict.seller, verdict.card, verdict.price) == (facts["who"][0], card, price)
    assert facts.get("millions", 0) == price


def round_(verdict: Any, before: Any, _after: Any) -> None:
    """Who takes what, what stays, what the police carry off, and what everyone gives up."""
    at = {name: f["colour"] for f in _facts(verdict, "R.solo") for name in f.get("who", ())}
    loot = before.piles_by_name()
    choices = {name: at.get(name, f"the set-aside card of {name}") for name in loot}
    banks = before.banks | {choices[name]: () for name in loot.keys() - at.keys()}
    right = naive.play_round(banks, choices, loot)
    right["left"] = {bank: right["left"][bank] for bank in before.banks}
    found, wanted = (msgspec.json.decode(msgspec.json.encode(one)) for one in (verdict, right))
    assert {field: found[field] for field in wanted} == wanted


def score(verdict: Any, _before: Any, after: Any) -> None:
    """Everyone's total, and who has the most."""
    totals = COUNTED[after.box.game](verdict, after)
    assert verdict.totals == totals
    best = [name for name, total in totals.items() if total == max(totals.values())]
    assert list(verdict.winners) == best == verdict.steps[-1].facts["who"]


def _coins(_verdict: Any, state: Any) -> dict[str, int]:
    return {p.name: p.coins - PURSE * p.credits for p in state.players}


def _millions(verdict: Any, state: Any) -> dict[str, int]:
    totals, held = {}, {p.name: list(p.cards) for p in state.players if p.cards}
    shown = [facts for facts in _facts(verdict, "F.end") if "cards" in facts]
    assert {facts["who"][0]: facts["cards"] for facts in shown} == held
    assert all(facts["values"] == state.values for facts in shown)
    for step in (step for step in verdict.steps if "cash" in step.facts):
        (player,) = (p for p in state.players if p.name == step.facts["who"][0])
        chips, house = sum(player.chips.values()), step.house_rule
        assert (house is not None) == (chips > 0)
        cards = [card.split("-") for card in player.cards]
        fortune = {"cash": player.cash, "chips": chips, "cards": cards}
        totals[player.name] = naive.worth_of_cards(
            fortune, state.values, house.value if house else "nothing"
        )
    return totals


def _dollars(verdict: Any, state: Any) -> dict[str, int]:
    piles = state.piles_by_name()
    for facts in (facts for facts in _facts(verdict, "R.score") if "objects" in facts):
        pile = piles[facts["who"][0]]
        assert facts["objects"] == pile.count("object")
        assert facts["money"] == sum(card for card in pile if card != "object")
    return {name: naive.worth_of_loot(pile) for name, pile in piles.items()}


COUNTED = {"bankueberfall": _coins, "banque_fatale": _millions, "robby_solo": _dollars}
"""What everyone owns at the end."""


def _facts(verdict: Any, *rules: str) -> list[Any]:
    return [step.facts for step in verdict.steps if step.rule in rules]


def _first(verdict: Any, rule: str, fact: str) -> Any:
    """This fact, from the first step under the rule that names it."""
    return next(facts[fact] for facts in _facts(verdict, rule) if fact in facts)


RECOUNT: dict[str, Callable[[Any, Any, Any], None]] = {
    "Robbery": robbery,
    "Auction": auction,
    "Sale": sale,
    "Round": round_,
    "Score": score,
}


def recount(before: Any, after: Any) -> int:
    """Every verdict that is new in a game, counted again; how many there were."""
    found = 0
    for field in ("verdict", "sale", "score"):
        verdict = getattr(after, field, None)
        if verdict is not None and verdict is not getattr(before, field, None):
            RECOUNT[type(verdict).__name__](verdict, before, after)
            found += 1
    return found
