"""Banque Fatale's auction and score, Robby Solo's round and score, against naive second judges.

Thousands of random tables, the same ones every time: a table is dealt from its number, so the
number in a failure is enough to deal it again.
"""

from itertools import combinations
from random import Random
from typing import Any

from companion.core.i18n import get_language
from companion.judge.decide import decide, render_verdict
from tests.worlds import naive_banque_fatale as banque_fatale
from tests.worlds import naive_robby_solo as robby_solo

TABLES = 4_000
COLOURS = banque_fatale.COLOURS
CARTES_FATALES = [[c] for c in COLOURS] + [list(p) for p in combinations(COLOURS, 2)]
CARTES_FATALES.append(["red", "red"])
BANKS = ("yellow", "green", "red", "blue", "grey", "purple", "khaki")
LOOT: list[Any] = [n * 1000 for n in range(1, 10) for _ in range(6)] + ["object"] * 7


def judged(case: dict[str, Any]) -> dict[str, Any]:
    """The judge's answer as a reader of its JSON sees it, without the steps."""
    found = render_verdict(decide(case), get_language("en"))
    del found["steps"]
    return plain(found)


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    if hasattr(value, "__struct_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    return value


def an_auction(dice: Random) -> dict[str, Any]:
    players = dice.sample(["Ana", "Ben", "Cem", "Dora"], dice.choice([3, 4, 4]))
    bids: dict[str, dict[str, int]] = {name: {} for name in players}
    for colour in dice.sample(COLOURS, dice.randint(0, 5)):
        for _ in range(dice.choice([1, 2, 2, 3, 5, 8])):
            bid = bids[dice.choice(players)]
            bid[colour] = bid.get(colour, 0) + 1
    cards = [dice.sample(card, len(card)) for card in dice.sample(CARTES_FATALES, 16)]
    return {
        "game": "banque_fatale",
        "kind": "auction",
        "players": players,
        "start": dice.choice(players),
        "bids": bids,
        "values": {colour: dice.choice([2, 3, 4, 6, 9, 9, 10, 10]) for colour in COLOURS},
        "card": cards.pop(),
        "holdings": {
            name: [cards.pop() for _ in range(dice.randint(0, 3))]
            for name in dice.sample(players, dice.randint(0, len(players)))
        },
        "house_rules": {"unplayed": dice.choice(["to_minimum", "minus_two"])},
    }


def test_every_auction_ends_alike_for_both() -> None:
    for number in range(TABLES):
        case = an_auction(Random(number))
        assert judged(case) == banque_fatale.auction(case), (number, case)


def test_the_random_auctions_meet_every_rule() -> None:
    answers = [judged(an_auction(Random(number))) for number in range(500)]
    bonuses = {n for found in answers for n in found["bonuses"].values()}
    assert bonuses > {0, 5, 6, 10, 12}, "no ace, one ace and two aces, at 11 and at 12"
    assert any(found["chips_on_table"] == 0 for found in answers), "every hand was empty"
    assert {value for found in answers for value in found["values"].values()} == set(range(2, 11))


def test_every_fortune_at_banque_fatale_counts_alike_for_both() -> None:
    for number in range(TABLES // 4):
        dice = Random(number)
        cards = dice.sample(CARTES_FATALES, 16)
        values = {colour: dice.randint(2, 12) for colour in COLOURS}
        funds = {
            name: {
                "cash": dice.randint(0, 60),
                "chips": dice.randint(0, 10),
                "cards": [cards.pop() for _ in range(dice.randint(0, 4))],
            }
            for name in "ABCD"[: dice.randint(1, 4)]
        }
        rule = dice.choice(["one_million", "nothing"])
        case = {"game": "banque_fatale", "kind": "score", "values": values, "funds": funds}
        found = judged(case | {"house_rules": {"chips_at_end": rule}})
        totals = {name: banque_fatale.worth(funds[name], values, rule) for name in funds}
        assert found == {"totals": totals, "winners": first(totals)}, (number, case)


def a_round(dice: Random) -> dict[str, Any]:
    players = dice.sample(["Ana", "Ben", "Cem", "Dora", "Eva", "Fritz"], dice.randint(1, 6))
    row = dice.sample(BANKS, len(players) + 1)
    deck = dice.sample(LOOT, len(LOOT))
    objects_first = dice.random() < 0.2
    if objects_first:
        deck.sort(key=lambda card: card == "object")
    usual = dice.randint(0, 3)
    piles = {name: [deck.pop() for _ in range(usual + dice.choice([0, 0, 1]))] for name in players}
    return {
        "game": "robby_solo",
        "kind": "round",
        "banks": {bank: [deck.pop() for _ in range(dice.choice([0, 1, 2, 4, 4]))] for bank in row},
        "choices": {name: dice.choice(row[: dice.randint(1, len(row))]) for name in players},
        "loot": {name: pile for name, pile in piles.items() if pile or dice.random() < 0.5},
    }


def test_every_round_ends_alike_for_both() -> None:
    for number in range(TABLES):
        case = a_round(Random(number))
        right = robby_solo.play_round(case["banks"], case["choices"], case["loot"])
        assert judged(case) == right, (number, case)


def test_the_random_rounds_meet_the_police_in_every_way() -> None:
    answers = [judged(a_round(Random(number))) for number in range(500)]
    raids = [found["raids"] for found in answers]
    assert max(map(len, raids)) > 2, "the police come more than twice in a round"
    returns = [list(raid["returns"].values()) for round_ in raids for raid in round_]
    assert [] in returns, "nobody owns anything"
    assert ["object"] in returns, "somebody owns objects only"
    assert any(len(given) > 1 for given in returns), "several own equally many"


def test_every_pile_of_robby_solo_counts_alike_for_both() -> None:
    for number in range(TABLES // 4):
        dice = Random(number)
        deck = dice.sample(LOOT, len(LOOT))
        deck.sort(key=lambda card: card == "object" and dice.random() < 0.7)
        loot = {name: [deck.pop() for _ in range(dice.randint(0, 9))] for name in "ABCDEF"}
        totals = {name: robby_solo.worth(pile) for name, pile in loot.items()}
        found = judged({"game": "robby_solo", "kind": "score", "loot": loot})
        assert found == {"totals": totals, "winners": first(totals)}, (number, loot)


def test_every_fortune_at_bankueberfall_counts_alike_for_both() -> None:
    for number in range(TABLES // 4):
        dice = Random(number)
        names = "ABCDE"[: dice.randint(1, 5)]
        funds = {n: {"coins": dice.randint(0, 40), "credits": dice.randint(0, 4)} for n in names}
        totals = {name: f["coins"] - 10 * f["credits"] for name, f in funds.items()}
        found = judged({"game": "bankueberfall", "kind": "score", "funds": funds})
        assert found == {"totals": totals, "winners": first(totals)}, (number, funds)


def first(totals: dict[str, int]) -> list[str]:
    """Equal first places share the win."""
    return [name for name in totals if totals[name] == max(totals.values())]
