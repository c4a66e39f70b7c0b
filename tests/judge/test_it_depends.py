"""It depends: what is said of a case with gaps, against the judge asked about every filling."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from companion.core.errors import Malformed
from companion.judge.decide import decide, find_kind
from companion.judge.it_depends import judge_possibilities, say_gain
from companion.judge.possibilities import (
    Branch,
    CaseFillings,
    find_comes,
    gains_of,
    judge_fillings,
    list_features,
)
from tests.judge.conftest import Judge
from tests.worlds.campaign import pick
from tests.worlds.dealt_cases import EVERY_VALUE, Path, deal_open_case, put

CASES = pick(5, 50, 500)
"""Cases of every kind; a game has at least two kinds."""
MOST_FILLINGS = pick(120, 1_200, 1_200)
ROBBERY = {"game": "bankueberfall", "kind": "robbery", "bids": {"Ana": 3, "Ben": 5, "Cem": 0}}


def brute_force(case: dict[str, Any], values: dict[Path, list[Any]]) -> dict[tuple[Any, ...], Any]:
    """The verdict of each filling that the judge takes."""
    found = {}
    for filling in product(*values.values()):
        filled = case
        for path, value in zip(values, filling, strict=True):
            filled = put(filled, path, value)
        try:
            found[tuple(map(repr, filling))] = decide(filled)
        except Malformed:
            continue
    return found


def features(
    found: CaseFillings, values: dict[Path, list[Any]], filling: tuple[Any, ...]
) -> list[int]:
    """What a branch asks of this filling."""
    at = dict(zip(values, filling, strict=True))
    row: list[int] = []
    for group in found.groups:
        said = [repr(value) for value in group.values]
        holds = [said.index(at[gap.place.path]) for gap in group.gaps]
        row += holds if len(holds) == 1 else [holds.count(n) for n in range(len(said))]
    assert len(row) == list_features(found.groups)[-1].stop
    return row


def open_cases(game: str, kind: str) -> Iterator[tuple[dict[str, Any], dict[Path, list[Any]]]]:
    return (deal_open_case(game, kind, number, MOST_FILLINGS) for number in range(CASES))


@pytest.mark.parametrize(("game", "kind"), EVERY_VALUE)
def test_every_possibility_is_told_and_nothing_else(game: str, kind: str) -> None:
    for case, values in open_cases(game, kind):
        every = brute_force(case, values)
        if not every:
            with pytest.raises(Malformed):
                judge_fillings(case)
            continue
        found = judge_fillings(case)
        endings = {filling: repr(find_comes(one, found.kind)) for filling, one in every.items()}
        assert {*found.endings} == {*endings.values()}, case
        for ending in found.endings:
            _, verdict = found.decide_example(ending)
            assert repr(find_comes(verdict, found.kind)) == ending, case
        branches = found.find_branches(lambda ending: ending)
        if branches:
            check_branches(found, branches, values, endings)


def check_branches(
    found: CaseFillings,
    branches: list[Branch],
    values: dict[Path, list[Any]],
    endings: dict[Any, Any],
) -> None:
    """Each filling meets the conditions of one branch, and that leads to its ending."""
    for filling, ending in endings.items():
        row = features(found, values, filling)
        met = [
            branch
            for branch in branches
            if all(row[feature] in wanted for feature, wanted in branch.conditions)
        ]
        assert len(met) == 1, filling
        assert met[0].ending == ending, filling


@pytest.mark.parametrize(("game", "kind"), EVERY_VALUE)
def test_what_is_certain_is_so_in_every_filling(game: str, kind: str) -> None:
    for case, values in open_cases(game, kind):
        every = list(brute_force(case, values).values())
        if not every:
            continue
        found, known = judge_possibilities(case), find_kind(case)
        said = [
            {*map(repr, known.outcomes(one))}
            | {repr(s) for name, own in gains_of(one, known).items() for s in say_gain(name, own)}
            for one in every
        ]
        sure = set.intersection(*said)
        assert {*map(repr, found.certain)} <= sure, case
        assert len(every) > 1 or sure == {*map(repr, found.certain)}, case


def test_whatever_the_card_was_ana_is_paid(judge: Judge) -> None:
    case = ROBBERY | {"cards": ["5", "x", "?"], "bids": {"Ana": 3, "Ben": 3}}
    ran = judge(case | {"cards": ["5", "x", {"one_of": ["2", "3", "x", "seductress"]}]})
    assert ran.out.splitlines() == [
        "Whatever card 3 may be: Ana gets 3\u00a0coins, Ben gets 3\u00a0coins, the loot is shared, "
        "the lowest bid is paid first."
    ]
    assert "If card 3 = policeman: Ana gets nothing, Ben gets nothing" in judge(case).out


def test_a_house_rule_that_no_one_agreed_on_is_open_too(judge: Judge) -> None:
    case = ROBBERY | {"cards": ["5"], "bids": {"Ana": 3, "Ben": 3, "Cem": 4}}
    found = judge(case | {"house_rules": {"shortfall": "?"}}, "--json").json
    assert [one["says"] for one in found["endings"]] == [["Cem gets 4\u00a0coins"],
                                                         ["Cem gets nothing"]]  # fmt: skip
    assert [one["verdict"]["paid"]["Cem"] for one in found["endings"]] == [4, 0]
    assert [one["case"]["house_rules"] for one in found["endings"]] == [
        {"shortfall": "continue"}, {"shortfall": "stop"}
    ]  # fmt: skip


def test_what_makes_no_difference_is_said(judge: Judge) -> None:
    case = ROBBERY | {"cards": ["5", "x", {"one_of": ["2", "policeman"]}]}
    case = case | {
        "bids": {"Ana": 3, "Ben": {"from": 4, "to": 5}},
        "house_rules": {"shortfall": "?"},
    }
    assert "Makes no difference: the house rule." in judge(case).out


def test_too_many_possibilities_are_refused_with_a_way_out(judge: Judge) -> None:
    said = judge(ROBBERY | {"cards": ["5"], "bids": dict.fromkeys("ABCD", "?")}).refusal
    assert said.startswith("bids.A: this leaves")
    assert '{"from": 0, "to": 5}' in said


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"cards": ["5", {"one_of": ["thef"]}]}, "cards[1].one_of[0]"),
        ({"cards": ["5", {"one_of": []}]}, "cards[1]"),
        ({"bids": {"Ana": {"from": "a", "to": 3}}}, "bids.Ana.from"),
        ({"bank": "?"}, "bank"),
        ({"house_rules": {"shortfal": "?"}}, "house_rules.shortfal"),
        ({"cards": ["thief"] * 5 + ["?"]}, "cards"),
    ],
)
def test_an_unknown_that_is_written_wrong_is_refused(
    judge: Judge, change: dict[str, Any], field: str
) -> None:
    assert judge({**ROBBERY, "cards": ["5"], **change}).refusal.startswith(field)


def test_a_stream_answers_an_open_case_too(judge: Judge) -> None:
    case = b'{"game":"robby_solo","kind":"score","loot":{"A":["?"],"B":[2000]}}\n'
    found = judge(case, "--stream").lines[0]
    assert len(found["endings"]) == 3


def test_with_several_unknowns_it_is_told_by_what_decides_most(judge: Judge) -> None:
    bids = {"Ana": {"from": 2, "to": 5}, "Ben": {"from": 0, "to": 9}, "Cem": 8}
    ran = judge(ROBBERY | {"cards": ["10", "5", "?"], "bids": bids})
    shared, guarded, stolen = ran.out.replace("\u00a0", " ").splitlines()
    assert "card 3 = policeman" in guarded
    assert "Cem gets nothing, a policeman stands guard" in guarded
    assert "Ana loses from 2 coins to 5 coins, Ben gets nothing, or loses" in stolen
    assert "Ana gets nothing or from 2 coins to 5 coins" in shared
