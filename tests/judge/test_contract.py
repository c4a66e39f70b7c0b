"""The judge's contract: what goes in, what comes out, field by field.

The expected answers are worked out by hand from the contract and the booklets. What a verdict
pays is added up a second time here, from nothing but the facts of its steps.
"""

import json
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.i18n import INSTALLED, LANGUAGES, get_language
from companion.core.verdict import describe_house_rule
from companion.games import find_game
from companion.judge.decide import find_kinds, judged_games
from tests.judge.conftest import Judge
from tests.judge.test_second_opinion import a_round, an_auction
from tests.worlds.own_games import own_games

Json = dict[str, Any]

ROBBERY = {
    "game": "bankueberfall",
    "kind": "robbery",
    "cards": ["5", "x", "10", "seductress", "policeman", "detective", "thief"],
    "bids": {"Ana": 3, "Ben": 0},
    "funds": {"Ana": 12, "Ben": 10},
    "house_rules": {"shortfall": "continue"},
}
AUCTION = {
    "game": "banque_fatale",
    "kind": "auction",
    "players": ["A", "B", "C"],
    "start": "A",
    "bids": {"A": {"red": 1, "blue": 2}, "B": {}, "C": {"green": 1}},
    "values": {"red": 6, "yellow": 6, "green": 6, "blue": 6, "orange": 6},
    "card": ["red", "green"],
    "holdings": {"A": [["red"]]},
    "house_rules": {"unplayed": "to_minimum"},
}
ROUND = {
    "game": "robby_solo",
    "kind": "round",
    "banks": {"yellow": [7000, "object"], "red": [1000]},
    "choices": {"A": "yellow", "B": "red"},
    "loot": {"A": [1000]},
}
ROBBY_SCORE = {"game": "robby_solo", "kind": "score", "loot": {"A": [1000, "object"]}}
BANK_SCORE = {
    "game": "bankueberfall",
    "kind": "score",
    "funds": {"A": {"coins": 31, "credits": 1}},
}
FATALE_SCORE = {
    "game": "banque_fatale",
    "kind": "score",
    "values": {"red": 8, "yellow": 2, "green": 6, "blue": 7, "orange": 5},
    "funds": {"A": {"cash": 20, "chips": 7, "cards": [["red"], ["red", "blue"]]}},
    "house_rules": {"chips_at_end": "one_million"},
}
CONTRACT = [
    (
        ROBBERY,
        {
            "outcome": "shared",
            "direction": "lowest_first",
            "loot": 30,
            "paid": {"Ana": 3, "Ben": 0},
            "change": {"Ana": 3, "Ben": 0},
            "to_reserve": 27,
            "credits": {"Ana": 0, "Ben": 0},
        },
    ),
    (
        AUCTION,
        {
            "winner": "A",
            "values": {"red": 5, "yellow": 2, "green": 5, "blue": 8, "orange": 2},
            "bonuses": {"A": 0, "B": 0, "C": 0},
            "first_pick": "B",
            "chips_on_table": 4,
        },
    ),
    (
        ROUND,
        {
            "taken": {"A": [7000, "object"], "B": [1000]},
            "left": {"yellow": [], "red": []},
            "raids": [],
            "loot": {"A": [1000, 7000, "object"], "B": [1000]},
        },
    ),
    (ROBBY_SCORE, {"totals": {"A": 2000}, "winners": ["A"]}),
    (BANK_SCORE, {"totals": {"A": 21}, "winners": ["A"]}),
    (FATALE_SCORE, {"totals": {"A": 20 + 7 + 8 + 8 + 7}, "winners": ["A"]}),
]
RULE_IDS = {"bankueberfall": "B.", "banque_fatale": "F.", "robby_solo": "R."}
EVERY_KIND = [(game, kind) for game in judged_games() for kind in find_kinds(game)]


def named(case: Json) -> str:
    return f"{case['game']}-{case['kind']}"


def without_steps(found: Json) -> Json:
    return {name: value for name, value in found.items() if name != "steps"}


def robbery(cards: str, bids: Json, shortfall: str = "continue", **more: Any) -> Json:
    case = {"game": "bankueberfall", "kind": "robbery", "cards": cards.split(), "bids": bids}
    return case | {"house_rules": {"shortfall": shortfall}} | more


# The examples of the contract


@pytest.mark.parametrize(("case", "expected"), CONTRACT, ids=[named(case) for case, _ in CONTRACT])
def test_the_contract_s_example_is_answered_to_the_letter(
    judge: Judge, case: Json, expected: Json
) -> None:
    ran = judge(case, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert without_steps(ran.json) == expected
    assert ran.out == ran.out.strip() + "\n", "one line"
    assert list(ran.json)[-1] == "steps"


@pytest.mark.parametrize("case", [case for case, _ in CONTRACT], ids=named)
def test_every_step_has_a_rule_a_sentence_and_its_facts(judge: Judge, case: Json) -> None:
    steps = judge(case, "--json").json["steps"]
    assert steps
    for step in steps:
        assert step.keys() - {"house_rule"} == {"rule", "text", "facts"}
        assert step["text"].endswith(".")
        assert "{" not in step["text"]
        assert step["rule"][:2] == RULE_IDS[case["game"]]


@pytest.mark.parametrize("case", [case for case, _ in CONTRACT], ids=named)
def test_the_words_are_the_same_steps_numbered_each_with_its_rule(judge: Judge, case: Json) -> None:
    steps = judge(case, "--json").json["steps"]
    said = judge(case).out.splitlines()
    assert len(said) == len(steps)
    for n, (line, step) in enumerate(zip(said, steps, strict=True), 1):
        assert line.startswith(f"{n}. {step['text']} [{step['rule']}")


def test_a_case_without_what_is_optional_is_a_case(judge: Judge) -> None:
    bare = [
        {name: value for name, value in case.items() if name not in ("house_rules", "holdings")}
        for case, _ in CONTRACT
    ]
    for case, (_, expected) in zip(bare, CONTRACT, strict=True):
        assert without_steps(judge(case, "--json").json) == expected
    del bare[0]["funds"]
    assert "credits" not in judge(bare[0], "--json").json
    del bare[2]["loot"]
    assert judge(bare[2], "--json").json["loot"] == {"A": [7000, "object"], "B": [1000]}


# The examples in the booklets


def red_at_eleven(**holdings: Any) -> Json:
    bids = {"A": {"red": 2}, "B": {}, "C": {}}
    values = AUCTION["values"] | {"red": 9}
    return AUCTION | {"bids": bids, "values": values, "holdings": holdings, "card": ["green"]}


def test_red_at_eleven_pays_fifteen_for_the_double_red_and_one_more_red(judge: Judge) -> None:
    found = judge(red_at_eleven(B=[["red", "red"], ["red", "blue"]]), "--json").json
    assert found["bonuses"] == {"A": 0, "B": 15, "C": 0}
    assert found["values"]["red"] == 6, "and the marker goes back"


def test_a_colour_at_twelve_pays_six_an_ace_the_card_just_won_included(judge: Judge) -> None:
    case = red_at_eleven(C=[["red"]]) | {"card": ["blue", "red"]}
    case["values"] = case["values"] | {"red": 10}
    assert judge(case, "--json").json["bonuses"] == {"A": 6, "B": 0, "C": 6}


def test_a_colour_at_ten_pays_nothing_and_stays(judge: Judge) -> None:
    case = red_at_eleven(B=[["red"]])
    case["values"] = case["values"] | {"red": 8}
    found = judge(case, "--json").json
    assert (found["bonuses"]["B"], found["values"]["red"]) == (0, 10)


def test_red_at_seven_and_green_at_nine_make_the_red_green_card_worth_sixteen(judge: Judge) -> None:
    values = FATALE_SCORE["values"] | {"red": 7, "green": 9}
    funds = {"A": {"cash": 0, "chips": 0, "cards": [["green", "red"]]}}
    found = judge(FATALE_SCORE | {"values": values, "funds": funds}, "--json").json
    assert found["totals"] == {"A": 16}


OBJECTS = {0: 0, 1: 1_000, 2: 10_000, 3: 20_000, 4: 40_000, 5: 60_000, 6: 80_000, 7: 100_000}


@pytest.mark.parametrize(("objects", "worth"), OBJECTS.items())
def test_so_many_objects_are_worth_what_the_booklet_s_table_says(
    judge: Judge, objects: int, worth: int
) -> None:
    case = ROBBY_SCORE | {"loot": {"A": ["object"] * objects + [9000]}}
    assert judge(case, "--json").json["totals"] == {"A": worth + 9000}


SINGLE_ROBBERIES = [
    # The bank, the bids, then: outcome, direction, loot, paid to A, B and C, back to the reserve
    ("5 seductress policeman thief", (1, 2, 3), "shared lowest_first 5 1 2 0 2"),
    ("5 seductress seductress", (1, 2, 3), "shared lowest_first 5 1 2 0 2"),
    ("5 x policeman policeman", (5, 4, 1), "shared lowest_first 10 5 4 1 0"),
    ("5 x x", (9, 3, 3), "shared lowest_first 15 9 3 3 0"),
    ("5 5 detective", (6, 4, 1), "shared highest_first 10 6 4 0 0"),
    ("5 5 detective detective thief", (0, 11, 8), "shared highest_first 10 0 0 8 2"),
    ("5 5 detective thief", (4, 4, 8), "shared lowest_first 10 4 4 0 2"),
    ("5 seductress detective", (9, 1, 2), "shared lowest_first 5 0 1 2 2"),
    ("x x x x", (0, 1, 2), "nothing lowest_first 0 0 0 0 0"),
    ("x detective", (0, 1, 2), "nothing highest_first 0 0 0 0 0"),
    ("", (0, 1, 2), "nothing lowest_first 0 0 0 0 0"),
    ("5", (0, 0, 0), "shared lowest_first 5 0 0 0 5"),
    ("5", (3, 3, 3), "shared lowest_first 5 0 0 0 5"),
    ("5 policeman detective", (1, 1, 1), "guarded lowest_first 0 0 0 0 0"),
    ("5 thief thief detective", (1, 0, 9), "stolen lowest_first 0 0 0 0 0"),
]


@pytest.mark.parametrize(("cards", "bids", "expected"), SINGLE_ROBBERIES)
def test_a_robbery_goes_as_the_booklet_tells_it(
    judge: Judge, cards: str, bids: Any, expected: str
) -> None:
    found = judge(robbery(cards, dict(zip("ABC", bids, strict=True))), "--json").json
    paid = [found["paid"][name] for name in "ABC"]
    told = [found["outcome"], found["direction"], found["loot"], *paid, found["to_reserve"]]
    assert " ".join(map(str, told)) == expected
    if found["outcome"] in ("shared", "nothing"):
        assert found["change"] == found["paid"]


def test_a_policeman_gives_five_to_every_empty_hand_and_nobody_loses(judge: Judge) -> None:
    found = judge(robbery("10 policeman thief", {"A": 0, "B": 7, "C": 0}), "--json").json
    assert found["change"] == {"A": 5, "B": 0, "C": 5}
    assert found["paid"] == {"A": 0, "B": 0, "C": 0}


def test_thieves_take_every_hand_and_who_owns_less_than_ten_takes_one_credit(judge: Judge) -> None:
    funds = {"A": 19, "B": 20, "C": 9, "D": 31}
    case = robbery("10 thief", {"A": 10, "B": 10, "C": 0, "D": 31}, funds=funds)
    found = judge(case, "--json").json
    assert found["change"] == {"A": -10, "B": -10, "C": 0, "D": -31}, "without the ten of a credit"
    assert found["credits"] == {"A": 1, "B": 0, "C": 1, "D": 1}


# House rules


@pytest.mark.parametrize(("shortfall", "paid"), [("continue", 4), ("stop", 0)])
def test_shortfall_decides_whether_a_later_bid_is_still_tried(
    judge: Judge, shortfall: str, paid: int
) -> None:
    case = robbery("5 detective", {"A": 6, "B": 4, "C": 2}, shortfall)
    found = judge(case, "--json").json
    assert found["paid"] == {"A": 0, "B": paid, "C": 0}
    assert house_rules_of(found) == {("shortfall", shortfall)}
    said = get_language("en")(describe_house_rule("shortfall", shortfall))
    assert f"house rule: {said}" in judge(case).out


def test_every_answer_of_every_box_is_said_in_words() -> None:
    offered = {
        (name, answer)
        for game in map(find_game, own_games())
        for name, answers in game.standard_box().house_rules.items()
        for answer in answers
    }
    assert offered == set(INSTALLED.house_rules)


def test_shortfall_decides_after_a_tie_even_from_the_lowest(judge: Judge) -> None:
    bids = {"A": 3, "B": 3, "C": 4}
    assert judge(robbery("5", bids, "continue"), "--json").json["paid"]["C"] == 4
    assert judge(robbery("5", bids, "stop"), "--json").json["paid"]["C"] == 0


@pytest.mark.parametrize(("unplayed", "value"), [("to_minimum", 2), ("minus_two", 4)])
def test_unplayed_decides_how_far_a_colour_falls(judge: Judge, unplayed: str, value: int) -> None:
    found = judge(AUCTION | {"house_rules": {"unplayed": unplayed}}, "--json").json
    assert found["values"]["orange"] == value
    assert house_rules_of(found) == {("unplayed", unplayed)}


@pytest.mark.parametrize(("tied", "value"), [("all_rise", 8), ("none_rises", 6)])
def test_three_colours_that_tie_for_most_rise_or_not(judge: Judge, tied: str, value: int) -> None:
    three = {"A": {"red": 2, "blue": 2}, "B": {"green": 2, "yellow": 1, "orange": 1}, "C": {}}
    case = AUCTION | {"bids": three, "house_rules": {"tied_for_most": tied}}
    found = judge(case, "--json").json
    assert [found["values"][colour] for colour in ("red", "blue", "green")] == [value] * 3
    assert house_rules_of(found) == {("tied_for_most", tied)}
    two = {"A": {"red": 2, "blue": 2}, "B": {"green": 1, "yellow": 1, "orange": 1}, "C": {}}
    found = judge(case | {"bids": two}, "--json").json
    assert [found["values"][colour] for colour in ("red", "blue")] == [8, 8]
    assert house_rules_of(found) == set()


@pytest.mark.parametrize(("chips", "total"), [("one_million", 50), ("nothing", 43)])
def test_chips_at_end_decides_what_a_chip_is_worth(judge: Judge, chips: str, total: int) -> None:
    found = judge(FATALE_SCORE | {"house_rules": {"chips_at_end": chips}}, "--json").json
    assert found["totals"] == {"A": total}
    assert house_rules_of(found) == {("chips_at_end", chips)}


def house_rules_of(found: Json) -> set[tuple[str, str]]:
    rules = [step["house_rule"] for step in found["steps"] if "house_rule" in step]
    return {(rule["name"], rule["value"]) for rule in rules}


def both_ways(judge: Judge, case: Json, name: str, *values: str) -> None:
    """If the two ways to play end differently, each names the house rule that decided."""
    asked = [case | {"house_rules": {name: value}} for value in values]
    found = judge(stream_of(*asked), "--stream").lines
    if without_steps(found[0]) != without_steps(found[1]):
        named = [{one for one in house_rules_of(f) if one[0] == name} for f in found]
        assert named == [{(name, value)} for value in values], case


def test_a_house_rule_that_decided_is_always_named(judge: Judge) -> None:
    for number in range(150):
        dice = Random(number)
        both_ways(judge, a_robbery(dice), "shortfall", "continue", "stop")
        both_ways(judge, an_auction(dice), "unplayed", "to_minimum", "minus_two")
        both_ways(judge, an_auction(dice), "tied_for_most", "all_rise", "none_rises")


def test_a_house_rule_that_decided_nothing_is_not_named(judge: Judge) -> None:
    everybody_is_paid = robbery("10 10", {"A": 1, "B": 2, "C": 3})
    assert house_rules_of(judge(everybody_is_paid, "--json").json) == set()
    every_colour_is_played = {"A": dict.fromkeys(AUCTION["values"], 1), "B": {}, "C": {}}
    found = judge(AUCTION | {"bids": every_colour_is_played}, "--json").json
    assert house_rules_of(found) == set()


# What is paid, added up again from the steps


def a_robbery(dice: Random) -> Json:
    deck = ["2", "5", "5", "10", "x"] * 2 + ["seductress", "policeman", "detective", "thief"] * 2
    cards = dice.sample(deck, dice.randint(0, 7))
    bids = {name: dice.randint(0, 12) for name in "ABCDE"[: dice.randint(1, 5)]}
    funds = {name: bid + dice.randint(0, 20) for name, bid in bids.items()}
    return robbery(" ".join(cards), bids, dice.choice(["continue", "stop"]), funds=funds)


def facts(found: Json, *rules: str) -> list[Json]:
    return [step["facts"] for step in found["steps"] if step["rule"] in rules]


def only(found: list[Json], name: str) -> Any:
    (value,) = [fact[name] for fact in found if name in fact]
    return value


def robbery_again(found: Json) -> Json:
    bids = only(facts(found, "B.bid"), "tally")
    again = {name: dict.fromkeys(bids, 0) for name in ("paid", "change", "credits")}
    again |= {"loot": 0, "to_reserve": 0}
    for fact in facts(found, "B.loot"):
        again["loot"] = again["to_reserve"] = fact["loot"]
    for fact in facts(found, "B.pay", "B.pay.short"):
        for name in fact.get("who", []):
            again["paid"][name] = again["change"][name] = fact["paid"]
            again["to_reserve"] -= fact["paid"]
        if "rest" in fact:
            assert fact["rest"] == again["to_reserve"]
    for fact in facts(found, "B.rob.2"):
        again["change"] |= dict.fromkeys(fact.get("who", []), fact.get("coins"))
    for fact in facts(found, "B.rob.4"):
        again["change"] |= {name: -bid for name, bid in fact.get("tally", {}).items()}
        again["credits"] |= dict.fromkeys(fact.get("who", []), 1)
    return again


def test_what_a_robbery_pays_adds_up_again_from_its_steps(judge: Judge) -> None:
    cases = [a_robbery(Random(number)) for number in range(400)]
    for case, found in zip(cases, judge(stream_of(*cases), "--stream").lines, strict=True):
        again = robbery_again(found)
        assert {name: found[name] for name in again} == again, case
        rest = [fact["coins"] for fact in facts(found, "B.pay.short") if "coins" in fact]
        assert rest == ([found["to_reserve"]] if found["to_reserve"] else [])


def test_what_is_left_of_a_bank_can_be_counted_from_the_steps(judge: Judge) -> None:
    cases = [a_robbery(Random(number)) for number in range(400)]
    for case, found in zip(cases, judge(stream_of(*cases), "--stream").lines, strict=True):
        left = Counter(only(facts(found, "B.rob"), "cards"))
        for fact in facts(found, "B.rob.1", "B.rob.2", "B.rob.3"):
            left -= Counter(fact.get("gone", []))
        left.pop("seductress", None)
        assert (left["policeman"] == 1) == (found["outcome"] == "guarded"), case
        if found["outcome"] in ("shared", "nothing"):
            money = sum(int(card) * n for card, n in left.items() if card.isdecimal())
            assert found["loot"] == money * (1 + left["x"])
            assert (found["direction"] == "highest_first") == (left["detective"] > 0)
            assert left["policeman"] == left["thief"] == 0


def auction_again(found: Json, players: list[str]) -> Json:
    moved, paid = facts(found, "F.track"), facts(found, "F.bonus")
    chips = facts(found, "F.chips")
    winner = only([f for f in facts(found, "F.auction", "F.auction.tie") if "card" in f], "who")
    again: Json = {
        "winner": winner[0],
        "values": {fact["colour"]: fact["after"] for fact in moved},
        "bonuses": dict.fromkeys(players, 0),
        "chips_on_table": sum(fact["chips"] for fact in moved),
    }
    for fact in paid:
        for name in fact.get("who", []):
            again["bonuses"][name] += fact["millions"]
        if "after" in fact:
            again["values"][fact["colour"]] = fact["after"]
    assert only(chips, "chips") == again["chips_on_table"]
    return again | {"first_pick": only(chips, "who")[0]} if again["chips_on_table"] else again


def test_what_an_auction_pays_adds_up_again_from_its_steps(judge: Judge) -> None:
    cases = [an_auction(Random(number)) for number in range(400)]
    for case, found in zip(cases, judge(stream_of(*cases), "--stream").lines, strict=True):
        again = auction_again(found, case["players"])
        assert {name: found[name] for name in again} == again, case


def round_again(found: Json, case: Json) -> Json:
    again: Json = {
        "taken": {name: [] for name in case["choices"]},
        "raids": [],
        "loot": {name: Counter(case["loot"].get(name, [])) for name in case["choices"]},
    }
    for fact in facts(found, "R.solo"):
        if len(fact.get("who", [])) == 1:
            again["taken"][fact["who"][0]] = fact["cards"]
            again["loot"][fact["who"][0]].update(fact["cards"])
    for fact in facts(found, "R.police"):
        if "gone" in fact:
            raid = {"bank": fact["colour"], "removed": fact["gone"], "returns": {}}
            again["raids"].append(raid)
        if "card" in fact:
            again["raids"][-1]["returns"][fact["who"][0]] = fact["card"]
            again["loot"][fact["who"][0]].subtract([fact["card"]])
    return again


def test_what_a_round_of_robby_solo_brings_adds_up_again_from_its_steps(judge: Judge) -> None:
    cases = [a_round(Random(number)) for number in range(400)]
    for case, found in zip(cases, judge(stream_of(*cases), "--stream").lines, strict=True):
        again = round_again(found, case)
        found["loot"] = {name: Counter(pile) for name, pile in found["loot"].items()}
        assert {name: found[name] for name in again} == again, case


@pytest.mark.parametrize("case", [ROBBY_SCORE, BANK_SCORE, FATALE_SCORE], ids=named)
def test_a_final_score_can_be_read_from_its_steps(judge: Judge, case: Json) -> None:
    found = judge(case, "--json").json
    counted = [step["facts"] for step in found["steps"]]
    total = "total_money" if case["game"] == "robby_solo" else "total"
    counts = [fact for fact in counted[:-1] if total in fact]
    assert {fact["who"][0]: fact[total] for fact in counts} == found["totals"]
    assert counted[-1]["who"] == found["winners"]
    for fact in counts:
        if "cards_worth" in fact:
            assert fact["cash"] + fact["chips"] + fact["cards_worth"] == fact[total]
        if "red" in fact:
            assert fact["owned"] - fact["purse"] * fact["red"] == fact[total]
        if "money" in fact:
            assert fact["money"] + fact["worth"] == fact[total]


# Structure


def test_paid_and_change_name_every_bidder_and_credits_come_only_with_funds(judge: Judge) -> None:
    for number in range(100):
        case = a_robbery(Random(number))
        found = judge(case, "--json").json
        assert found["paid"].keys() == found["change"].keys() == found["credits"].keys()
        assert found["paid"].keys() == case["bids"].keys()
        del case["funds"]
        bare = judge(case, "--json").json
        assert bare.keys() == found.keys() - {"credits"}


def test_direction_is_highest_first_exactly_when_detectives_are_left(judge: Judge) -> None:
    for kinds in ("", "thief", "policeman", "policeman policeman", "seductress"):
        found = judge(robbery(f"5 detective {kinds}", {"A": 1}), "--json").json
        left = kinds in ("", "policeman policeman")
        assert (found["direction"] == "highest_first") == left, kinds


def test_taken_and_loot_name_every_player_and_left_every_bank(judge: Judge) -> None:
    banks = {"red": [], "khaki": [1000], "blue": [2000, "object", 3000, 4000], "yellow": []}
    case = ROUND | {"banks": banks, "choices": {"B": "red", "A": "red", "C": "khaki"}, "loot": {}}
    found = judge(case, "--json").json
    assert found["taken"] == {"B": [], "A": [], "C": [1000]}
    assert found["left"] == {"red": [], "khaki": [], "blue": [], "yellow": []}
    assert found["loot"] == {"B": [], "A": [], "C": []}
    raid = {"bank": "blue", "removed": [2000, "object", 3000, 4000], "returns": {"C": 1000}}
    assert found["raids"] == [raid]


def test_raids_come_in_the_order_of_banks_and_count_anew_each_time(judge: Judge) -> None:
    banks = {"khaki": [1000] * 4, "yellow": [2000] * 4, "red": []}
    piles = {"A": [9000, 8000], "B": [7000], "C": []}
    case = ROUND | {"banks": banks, "choices": dict.fromkeys("ABC", "red"), "loot": piles}
    found = judge(case, "--json").json
    assert [raid["bank"] for raid in found["raids"]] == ["khaki", "yellow"]
    assert [raid["returns"] for raid in found["raids"]] == [{"A": 9000}, {"A": 8000, "B": 7000}]


def test_equal_first_places_share_the_win(judge: Judge) -> None:
    fortune = {"coins": 20, "credits": 0}
    case = BANK_SCORE | {"funds": {"A": fortune, "B": {"coins": 30, "credits": 1}, "C": fortune}}
    assert judge(case, "--json").json["winners"] == ["A", "B", "C"]


def test_players_sit_clockwise_in_the_order_given(judge: Judge) -> None:
    for players in ("ABC", "CAB", "BAC"):
        bids: Json = {name: {} for name in players}
        case = AUCTION | {"players": list(players), "bids": bids, "start": "B"}
        found = judge(case, "--json").json
        assert found["winner"] == "B", "a tie of everybody goes to the start player"
        assert found["first_pick"] == (players + players)[players.index("B") + 1]


def test_a_tie_goes_to_the_first_clockwise_from_the_start_player(judge: Judge) -> None:
    bids = {"A": {"red": 2}, "B": {"blue": 2}, "C": {"green": 1}}
    winners = {who: judge(AUCTION | {"bids": bids, "start": who}, "--json").json["winner"]
               for who in "ABC"}  # fmt: skip
    assert winners == {"A": "A", "B": "B", "C": "A"}


# Ways in, ways out


def stream_of(*cases: Any) -> bytes:
    return "".join(json.dumps(case) + "\n" for case in cases).encode()


def to_toml(case: Json) -> str:
    return "".join(f"{name} = {toml_value(value)}\n" for name, value in case.items())


def toml_value(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{json.dumps(name)} = {toml_value(inner)}" for name, inner in value.items())
        return "{ " + ", ".join(pairs) + " }"
    return (
        f"[{', '.join(map(toml_value, value))}]" if isinstance(value, list) else json.dumps(value)
    )


@pytest.mark.parametrize("case", [case for case, _ in CONTRACT], ids=named)
def test_json_and_toml_stdin_and_file_and_stream_give_the_same_verdict(
    judge: Judge, case: Json, tmp_path: Path
) -> None:
    (tmp_path / "case.json").write_text(json.dumps(case, indent=3))
    (tmp_path / "case.toml").write_text(to_toml(case))
    (tmp_path / "toml.case").write_text("# what Ben says\n\n" + to_toml(case))
    (tmp_path / "json.case").write_text("\n\t " + json.dumps(case))
    answers = {judge(b"", "--json", str(path)).out for path in tmp_path.iterdir()}
    answers |= {judge(case, "--json").out, judge(case, "--json", "-").out}
    answers |= {judge(to_toml(case).encode(), "--json").out, judge(stream_of(case), "--stream").out}
    assert len(answers) == 1
    assert len(list(tmp_path.iterdir())) == 4


def test_toml_may_be_written_the_way_people_write_it(judge: Judge) -> None:
    typed = b"""game = "bankueberfall"\r\nkind = 'robbery'
        cards = [
            "5", "x",   # and a ten
            "10",
        ]
        bids.Ana = 3\n\n[funds]\nAna = 1_0\n"""
    assert judge(typed, "--json").json["paid"] == {"Ana": 3}


@pytest.mark.parametrize(("game", "kind"), EVERY_KIND)
def test_the_printed_example_is_a_case_that_can_be_judged(
    judge: Judge, game: str, kind: str
) -> None:
    example = judge(b"", "--example", game, "--kind", kind)
    assert (example.status, example.err) == (0, "")
    assert (example.json["game"], example.json["kind"]) == (game, kind)
    assert judge(example.out.encode()).status == 0
    assert judge(example.out.encode(), "--json").json["steps"]


@pytest.mark.parametrize("game", judged_games())
def test_an_example_without_a_kind_is_one_of_them(judge: Judge, game: str) -> None:
    example = judge(b"", "--example", game)
    assert example.json["game"] == game
    assert judge(example.out.encode(), "--json").status == 0


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("case", [case for case, _ in CONTRACT], ids=named)
def test_only_the_words_change_with_the_language(judge: Judge, case: Json, lang: str) -> None:
    english, found = judge(case, "--json").json, judge(case, "--json", "--lang", lang).json
    assert without_steps(found) == without_steps(english)
    texts = [[step.pop("text") for step in steps] for steps in (english["steps"], found["steps"])]
    assert found["steps"] == english["steps"]
    same = [a for a, b in zip(*texts, strict=True) if a == b]
    assert same == (texts[0] if lang == "en" else []), "every sentence is translated"
    assert not any("{" in text for text in texts[1])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_is_said_in_the_language_too(judge: Judge, lang: str) -> None:
    case = ROBBERY | {"bids": {"Ana": 99, "Ben": 0}}
    said = judge(case, "--lang", lang).refusal
    assert all(word in said for word in ("bids.Ana", "99", "Ana", "12"))
    assert (said == judge(case).refusal) == (lang == "en")


def test_a_case_is_not_changed_by_being_judged() -> None:
    from companion.judge.decide import decide

    for case, _ in CONTRACT:
        before = deepcopy(case)
        decide(case)
        assert case == before


def test_the_installed_command_reads_stdin_or_a_file_and_prints_one_line(tmp_path: Path) -> None:
    command = [Path(sys.executable).with_name("companion"), "judge", "--json"]
    printed = subprocess.check_output(command, input=json.dumps(ROBBERY).encode())
    assert without_steps(json.loads(printed)) == CONTRACT[0][1]
    (tmp_path / "case.toml").write_text(to_toml(ROBBERY))
    assert subprocess.check_output([*command, tmp_path / "case.toml"]) == printed


def test_a_card_against_the_declaration_robs_nothing(judge: Judge) -> None:
    false = {**ROUND, "declared": {"name": "A", "bank": "red", "will": True}}
    found = judge(false, "--json").json
    assert (found["taken"]["A"], found["left"]["yellow"]) == ([], [7000, "object"])
    true = {**ROUND, "declared": {"name": "A", "bank": "red", "will": False}}
    assert judge(true, "--json").json == judge(ROUND, "--json").json


def test_a_declaration_is_read_as_strictly_as_the_rest(judge: Judge) -> None:
    for said, field in (
        ({"name": "C", "bank": "red", "will": True}, "declared.name"),
        ({"name": "A", "bank": "blue", "will": True}, "declared.bank"),
        ({"name": "A", "bank": "red", "will": "yes"}, "declared.will"),
        ({"name": "A", "bank": "red"}, "declared.will"),
    ):
        assert judge({**ROUND, "declared": said}).refusal.startswith(f"{field} ")
