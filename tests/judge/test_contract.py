"""The judge's contract: what goes in, what comes out, field by field.

The expected answers are worked out by hand from the contract and the booklets. What a verdict
pays is added up a second time here, from nothing but the facts of its steps.
"""

import json
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
from tests.judge.test_second_opinion import an_auction
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
