"""The judge's contract: what goes in, what comes out, field by field.

The expected answers are worked out by hand from the contract and the booklets; every other case is
compared with a naive second judge in `test_exhaustive.py` and `test_second_opinion.py`.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from companion.core.i18n import INSTALLED, LANGUAGES, get_language
from companion.core.verdict import describe_house_rule
from companion.games import find_game
from companion.judge.decide import decide, find_kinds, judged_games
from tests.judge.conftest import Judge
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
BANK_SCORE = {"game": "bankueberfall", "kind": "score", "funds": {"A": {"coins": 31, "credits": 1}}}
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
        house_rule = step.get("house_rule")
        use = describe_house_rule(**house_rule) if house_rule else None
        told = f"; house rule: {get_language('en')(use)}" if use else ""
        assert line.startswith(f"{n}. {step['text']} [{step['rule']}{told}")
        assert ("house rule" in line) == bool(use)


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


def test_every_answer_of_every_box_is_said_in_words() -> None:
    offered = {
        (name, answer)
        for game in map(find_game, own_games())
        for name, answers in game.standard_box().house_rules.items()
        for answer in answers
    }
    assert offered == set(INSTALLED.house_rules)


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
