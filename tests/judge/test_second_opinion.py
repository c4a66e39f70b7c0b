"""Banque Fatale's auction and score, Robby Solo's round and score, against naive second judges.

Thousands of random tables, the same ones every time: a table is dealt from its number, so the
number in a failure is enough to deal it again.
"""

from random import Random

import pytest

from companion.games import find_game
from companion.judge.decide import decide
from tests.worlds import naive_judges as naive
from tests.worlds.dealt_cases import (
    DEALERS,
    a_fortune_of_cards,
    a_purse_of_coins,
    a_round,
    an_auction,
    judged,
    piles_of_loot,
)

TABLES = 4_000


def test_every_auction_ends_alike_for_both() -> None:
    for number in range(TABLES):
        case = an_auction(Random(number))
        assert judged(case) == naive.auction(case), (number, case)


def test_the_random_auctions_meet_every_rule() -> None:
    answers = [judged(an_auction(Random(number))) for number in range(500)]
    bonuses = {n for found in answers for n in found["bonuses"].values()}
    assert bonuses > {0, 5, 6, 10, 12}, "no ace, one ace and two aces, at 11 and at 12"
    assert any(found["chips_on_table"] == 0 for found in answers), "every hand was empty"
    assert {value for found in answers for value in found["values"].values()} == set(range(2, 11))


def test_every_fortune_at_banque_fatale_counts_alike_for_both() -> None:
    for number in range(TABLES // 4):
        case = a_fortune_of_cards(Random(number))
        funds, rule = case["funds"], case["house_rules"]["chips_at_end"]
        totals = {name: naive.worth_of_cards(funds[name], case["values"], rule) for name in funds}
        assert judged(case) == {"totals": totals, "winners": first(totals)}, (number, case)


def test_every_round_ends_alike_for_both() -> None:
    for number in range(TABLES):
        case = a_round(Random(number))
        right = naive.play_round(case["banks"], case["choices"], case["loot"])
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
        case = piles_of_loot(Random(number))
        totals = {name: naive.worth_of_loot(pile) for name, pile in case["loot"].items()}
        assert judged(case) == {"totals": totals, "winners": first(totals)}, (number, case)


def test_every_fortune_at_bankueberfall_counts_alike_for_both() -> None:
    for number in range(TABLES // 4):
        case = a_purse_of_coins(Random(number))
        totals = {name: f["coins"] - 10 * f["credits"] for name, f in case["funds"].items()}
        assert judged(case) == {"totals": totals, "winners": first(totals)}, (number, case)


def first(totals: dict[str, int]) -> list[str]:
    """Equal first places share the win."""
    return [name for name in totals if totals[name] == max(totals.values())]


@pytest.mark.parametrize(("game", "kind"), DEALERS)
def test_a_house_rule_is_named_where_its_answers_differ_and_only_there(
    game: str, kind: str
) -> None:
    rules, decided = find_game(game).rules, set()
    for number in range(TABLES // 4):
        case = DEALERS[game, kind](Random(number))
        played = case.get("house_rules", {})
        steps = decide(case).steps
        named = {step.house_rule.name: step.house_rule.value for step in steps if step.house_rule}
        for name in rules.deciding(kind):
            answers = rules.house_rules[name].answers
            ways = [judged(case | {"house_rules": {**played, name: one}}) for one in answers]
            assert (name in named) == any(way != ways[0] for way in ways), (number, name)
        decided |= {*named.items()}
    every = {
        (name, one) for name in rules.deciding(kind) for one in rules.house_rules[name].answers
    }
    assert decided == every, "each answer decides something"
