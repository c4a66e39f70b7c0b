"""A verdict counted again from nothing but the facts in its steps."""

from collections import Counter
from collections.abc import Callable
from typing import Any


def robbery(verdict: Any) -> None:
    """Who is paid what, who loses or wins what, what goes back, who takes a credit."""
    bids = _facts(verdict, "B.bid")[0]["tally"]
    paid = dict.fromkeys(bids, 0)
    change = dict.fromkeys(bids, 0)
    credits = dict.fromkeys(bids, 0)
    loot = sum(facts["loot"] for facts in _facts(verdict, "B.loot"))
    for facts in _facts(verdict, "B.pay", "B.pay.short"):
        paid |= _each(facts, "paid")
    for facts in _facts(verdict, "B.rob.2"):
        change |= _each(facts, "coins")
    for facts in _facts(verdict, "B.rob.4"):
        change |= {name: -lost for name, lost in facts.get("tally", {}).items()}
        credits |= dict.fromkeys(facts.get("who", ()), 1)
    back = sum(facts.get("coins", 0) for facts in _facts(verdict, "B.pay.short"))
    assert (verdict.paid, verdict.loot, verdict.to_reserve) == (paid, loot, back)
    assert verdict.change == {name: paid[name] + change[name] for name in bids}
    assert sum(paid.values()) + back == loot
    if verdict.credits is not None:
        assert verdict.credits == credits


def auction(verdict: Any) -> None:
    """Where the markers stand, what each ace paid, who takes chips first."""
    values = {facts["colour"]: facts["after"] for facts in _facts(verdict, "F.track")}
    bonuses: Counter[str] = Counter()
    for facts in _facts(verdict, "F.bonus"):
        values |= {facts["colour"]: facts["after"]} if "after" in facts else {}
        bonuses.update(_each(facts, "millions"))
    won = [facts for facts in _facts(verdict, "F.auction", "F.auction.tie") if "card" in facts]
    assert won[0]["who"] == [verdict.winner]
    assert verdict.values == values
    assert {name: n for name, n in verdict.bonuses.items() if n} == dict(bonuses)
    chips = _facts(verdict, "F.chips")[0]
    assert chips["chips"] == verdict.chips_on_table
    assert chips.get("who", [verdict.first_pick]) == [verdict.first_pick]


def round_(verdict: Any) -> None:
    """Who takes what, what the police carry off, and what everyone gives up."""
    taken: dict[str, tuple[Any, ...]] = dict.fromkeys(verdict.taken, ())
    raids: list[list[Any]] = []
    for facts in _facts(verdict, "R.solo"):
        if len(facts.get("who", ())) == 1:
            taken[facts["who"][0]] = tuple(facts["cards"])
    for facts in _facts(verdict, "R.police"):
        if "gone" in facts:
            raids.append([facts["colour"], tuple(facts["gone"]), {}])
        elif "card" in facts:
            raids[-1][2][facts["who"][0]] = facts["card"]
    assert verdict.taken == taken
    assert [[raid.bank, raid.removed, raid.returns] for raid in verdict.raids] == raids


def score(verdict: Any) -> None:
    """Everyone's total, and who has the most."""
    totals = {}
    for step in verdict.steps[:-1]:
        total = step.facts.get("total", step.facts.get("total_money"))
        if total is not None:
            totals[step.facts["who"][0]] = total
    assert verdict.totals == totals
    best = [name for name, total in totals.items() if total == max(totals.values())]
    assert list(verdict.winners) == best == verdict.steps[-1].facts["who"]


def _each(facts: Any, what: str) -> dict[str, int]:
    """Everyone whom a step names, with the amount it names; nobody where it names none."""
    return dict.fromkeys(facts["who"], facts[what]) if "who" in facts else {}


def _facts(verdict: Any, *rules: str) -> list[Any]:
    return [step.facts for step in verdict.steps if step.rule in rules]


RECOUNT: dict[str, Callable[[Any], None]] = {
    "Robbery": robbery,
    "Auction": auction,
    "Round": round_,
    "Score": score,
}
