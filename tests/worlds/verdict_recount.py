"""Recount a verdict from the facts in its steps and from the box.

Nothing here trusts a sum that a step or the verdict has ready: it starts from what lay on the
table, and both of them must come to the same. The naive judge resolves a robbery again. Steps that
only inform are passed over.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from companion.core.cards import standard_box
from companion.games import find_game
from companion.games.bankueberfall.rules import BankueberfallBox
from companion.games.banque_fatale.rules import BanqueFataleBox
from companion.games.robby_solo.rules import RobbySoloBox
from tests.worlds.naive_judges import rob

COINS, TRACK, LOOT = (
    standard_box(BankueberfallBox),
    standard_box(BanqueFataleBox).track,
    standard_box(RobbySoloBox),
)


# Banküberfall: the bank is turned up, and the bids are paid one after the other.


def robbery(verdict: Any) -> None:
    """Who is paid what, who loses or wins what, what goes back, who takes a credit."""
    bids, cards = _first(verdict, "B.bid", "tally"), _first(verdict, "B.rob", "cards")
    found = _decide(verdict, "bankueberfall", "robbery", partial(rob, cards, bids))
    assert found == {field: getattr(verdict, field) for field in found}
    _see_off(verdict, cards)
    short = [f for f in _facts(verdict, "B.rob.4") if "owned" in f and f["owned"] < f["purse"]]
    needy = [name for facts in short for name in facts["who"]]
    assert all(facts["purse"] == COINS.purse for facts in short)
    if verdict.credits is not None:
        assert verdict.outcome == "stolen" or not needy
        assert verdict.credits == {name: needy.count(name) for name in bids}
    _robbery_says(verdict, verdict.change, verdict.to_reserve)


def _see_off(verdict: Any, cards: list[str]) -> None:
    """Only characters that lie there are sent away, and the outcome is that of the rest."""
    lying = Counter(cards)
    for facts in _facts(verdict, "B.rob.1", "B.rob.2", "B.rob.3"):
        gone = Counter(facts.get("gone", ()))
        assert gone <= lying
        assert not any(card == "x" or card.isdecimal() for card in gone)
        lying.subtract(gone)
    assert (verdict.outcome == "guarded") == (lying["policeman"] == 1)
    if verdict.outcome != "guarded":
        assert not lying["policeman"]
        assert not (lying["detective"] and lying["thief"])
        assert (verdict.outcome == "stolen") == (lying["thief"] > 0)


def _decide(
    verdict: Any, game: str, kind: str, judge: Callable[[dict[str, str]], dict[str, Any]]
) -> dict[str, Any]:
    """What another judge says as the table plays it: a house rule is named where its answers
    differ, and only there."""
    rules = find_game(game).rules
    named = {
        step.house_rule.name: step.house_rule.value for step in verdict.steps if step.house_rule
    }
    for name in rules.deciding(kind):
        ways = [judge({**named, name: answer}) for answer in rules.house_rules[name].answers]
        assert (name in named) == any(way != ways[0] for way in ways)
    return judge(named)


def _robbery_says(verdict: Any, change: dict[str, int], back: int) -> None:
    """Each sum that a step names is the one that was counted here."""
    for facts in _facts(verdict, "B.pay", "B.pay.short"):
        for name in facts.get("who", ()) if "paid" in facts else ():
            assert change[name] == facts["paid"], facts
    for facts in _facts(verdict, "B.rob.2"):
        for name in facts.get("who", ()) if "coins" in facts else ():
            assert change[name] == facts["coins"], facts
    lost = [facts["tally"] for facts in _facts(verdict, "B.rob.4") if "tally" in facts]
    assert lost in ([], [{name: -n for name, n in change.items() if n}])
    said = [facts["coins"] for facts in _facts(verdict, "B.pay.short") if "coins" in facts]
    assert said == ([back] if back else [])
    loots = [facts["loot"] for facts in _facts(verdict, "B.loot") if "loot" in facts]
    assert loots in ([], [verdict.loot])


# Banque Fatale: the most chips win, the markers move, aces are paid, a card is sold.


def auction(verdict: Any) -> None:
    """Who wins, where the markers stand, what each ace paid, who takes chips first."""
    fists = _first(verdict, "F.auction", "fists")
    clockwise = list(fists)
    winner = _winner(verdict, fists)
    shown = Counter[str]()
    for fist in fists.values():
        shown.update(fist)
    moved = {f.facts["colour"]: f for f in verdict.steps if f.rule == "F.track"}
    assert moved.keys() == verdict.values.keys() >= shown.keys()
    tied = [c for c in moved if shown[c] >= 2 and shown[c] == max(shown.values())]
    houses = [moved[c].house_rule for c in tied]
    named = [house.name for house in houses if house]
    assert named == ["tied_for_most"] * (len(tied) > 2), "said once, of the first of them"
    risen = [] if any(house and house.value == "none_rises" for house in houses) else tied
    values = {c: _moved(step, shown[c], c in risen) for c, step in moved.items()}
    bonuses = dict.fromkeys(fists, 0)
    for colour, value in values.items():
        facts = [facts for facts in _facts(verdict, "F.bonus") if facts.get("colour") == colour]
        each = TRACK.bonus.get(value)
        assert bool(facts) == (each is not None)
        for paid in (paid for paid in facts if "aces" in paid):
            assert paid["millions"] == paid["aces"] * each
            bonuses[paid["who"][0]] += paid["aces"] * each
        if each is not None:
            values[colour] = TRACK.start
            assert [f["after"] for f in facts if "after" in f] == [TRACK.start]
    first = clockwise[(clockwise.index(winner) + 1) % len(clockwise)]
    chips = shown.total()
    assert (verdict.winner, verdict.first_pick) == (winner, first)
    assert (verdict.values, verdict.risen) == (values, tuple(risen))
    assert (verdict.bonuses, verdict.chips_on_table) == (bonuses, chips)
    said = _facts(verdict, "F.chips")[0]
    assert (said["chips"], said.get("who", [first])) == (chips, [first])


def _winner(verdict: Any, fists: dict[str, dict[str, int]]) -> str:
    """The one with the most chips; of several, the first clockwise from who begins."""
    totals = {name: sum(fist.values()) for name, fist in fists.items()}
    best = [name for name, n in totals.items() if n == max(totals.values())]
    if len(best) > 1:
        at = list(fists).index(_first(verdict, "F.auction.tie", "begins"))
        best = [name for name in [*fists, *fists][at:] if name in best]
    said = [f["who"] for f in _facts(verdict, "F.auction", "F.auction.tie") if "card" in f]
    assert said == [best[:1]]
    return best[0]


def _moved(step: Any, chips: int, rises: bool) -> int:
    """Where this marker goes from where it stood."""
    before = step.facts["before"]
    falls = {"to_minimum": TRACK.least, "minus_two": max(before - TRACK.fall, TRACK.least)}
    if rises:
        after = min(before + TRACK.up, TRACK.most)
    elif chips == 1:
        after = max(before - TRACK.down, TRACK.least)
    elif chips:
        after = before
    else:
        house = step.house_rule
        assert (house is not None) == (len(set(falls.values())) > 1)
        after = falls[house.value if house else "to_minimum"]
    assert (step.facts["chips"], step.facts["after"]) == (chips, after)
    return after


def sale(verdict: Any) -> None:
    """What a card brought: the values of its colours, added up."""
    facts = _facts(verdict, "F.sell")[0]
    card = facts.get("card", "")
    price = sum(facts["by_colour"][colour] for colour in card.split("-") if card)
    assert (verdict.seller, verdict.card, verdict.price) == (facts["who"][0], card, price)
    assert facts.get("millions", 0) == price


# Robby Solo: whoever is alone takes all, and the police come.


def round_(verdict: Any) -> None:
    """Who takes what, what stays, what the police carry off, and what everyone gives up."""
    taken = dict.fromkeys(verdict.taken, ())
    left: dict[str, tuple[Any, ...]] = {}
    for facts in _facts(verdict, "R.solo"):
        crew = facts.get("who", ())
        if len(crew) == 1:
            taken[crew[0]] = tuple(facts["cards"])
        if crew:
            left[facts["colour"]] = () if len(crew) == 1 else tuple(facts["cards"])
    quiet = {bank for facts in _facts(verdict, "R.solo") for bank in facts.get("colours", ())}
    assert taken == verdict.taken
    assert left.keys() | quiet == verdict.left.keys()
    assert not left.keys() & quiet
    raids = _raids(verdict)
    gone = {bank: cards for bank, cards, _ in raids}
    assert all(len(cards) >= LOOT.police for cards in gone.values())
    for bank, after in verdict.left.items():
        lay = left.get(bank, gone.get(bank, after))  # of a bank without visitors no step tells
        assert gone.get(bank, ()) == (lay if len(lay) >= LOOT.police else ())
        assert after == (() if bank in gone else lay)
    assert [(raid.bank, raid.removed, raid.returns) for raid in verdict.raids] == raids
    assert list(gone) == [bank for bank in verdict.left if bank in gone]
    for facts in _facts(verdict, "R.pile"):
        assert facts["tops"] == {name: cards[-1] for name, cards in taken.items() if cards}
    _given_up(verdict)


def _raids(verdict: Any) -> list[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """The visits of the police as the steps tell them, in order."""
    raids: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
    for facts in _facts(verdict, "R.police"):
        if "gone" in facts:
            raids.append((facts["colour"], tuple(facts["gone"]), {}))
        elif "card" in facts:
            raids[-1][2][facts["who"][0]] = facts["card"]
    return raids


def _given_up(verdict: Any) -> None:
    """Back from the piles as they are now: at every visit the largest ones gave their best."""
    piles = {name: Counter(pile) for name, pile in verdict.loot.items()}
    counted = [facts for facts in _facts(verdict, "R.police") if "count" in facts]
    for raid in reversed(verdict.raids):
        for name, card in raid.returns.items():
            piles[name][card] += 1
        most = max(pile.total() for pile in piles.values())
        who = [name for name, pile in piles.items() if most and pile.total() == most]
        assert list(raid.returns) == who
        if most:
            said = counted.pop()
            assert (said["count"], said["who"]) == (most, who)
        for name, card in raid.returns.items():
            money = [card for card in piles[name] if isinstance(card, int)]
            assert card == max(money, default="object")
    assert not counted
    assert all(Counter(cards) <= piles[name] for name, cards in verdict.taken.items())


# The end: everyone's parts, added up.


def score(verdict: Any) -> None:
    """Everyone's total, and who has the most."""
    totals, cards_worth = {}, Counter[str]()
    for step in verdict.steps:
        facts = step.facts
        if "cards" in facts and "values" in facts:
            colours = [colour for card in facts["cards"] for colour in card.split("-")]
            cards_worth[facts["who"][0]] += sum(facts["values"][colour] for colour in colours)
        for part, count in PARTS.items():
            if part in facts:
                totals[facts["who"][0]] = count(step, cards_worth)
    best = [name for name, total in totals.items() if total == max(totals.values())]
    assert verdict.totals == totals
    assert list(verdict.winners) == best == verdict.steps[-1].facts["who"]


def _coins(step: Any, _cards: Counter[str]) -> int:
    facts = step.facts
    total = int(facts["owned"] - COINS.purse * facts.get("red", 0))
    assert facts["total"] == total
    assert facts.get("purse", COINS.purse) == COINS.purse
    return total


def _millions(step: Any, cards_worth: Counter[str]) -> int:
    facts, house = step.facts, step.house_rule
    assert (house is not None) == (facts["chips"] > 0)
    a_chip = {"one_million": 1, "nothing": 0}[house.value] if house else 0
    cards = cards_worth[facts["who"][0]]
    total = int(facts["cash"] + a_chip * facts["chips"] + cards)
    assert (facts["cards_worth"], facts["total"]) == (cards, total)
    return total


def _dollars(step: Any, _cards: Counter[str]) -> int:
    facts = step.facts
    worth = LOOT.object_scores[facts["objects"]]
    assert (facts["worth"], facts["total_money"]) == (worth, facts["money"] + worth)
    return int(facts["money"] + worth)


PARTS = {"owned": _coins, "cash": _millions, "money": _dollars}
"""How a step adds up that names this part."""


def _facts(verdict: Any, *rules: str) -> list[Any]:
    return [step.facts for step in verdict.steps if step.rule in rules]


def _first(verdict: Any, rule: str, fact: str) -> Any:
    """This fact, from the first step under the rule that names it."""
    return next(facts[fact] for facts in _facts(verdict, rule) if fact in facts)


RECOUNT: dict[str, Callable[[Any], None]] = {
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
            RECOUNT[type(verdict).__name__](verdict)
            found += 1
    return found
