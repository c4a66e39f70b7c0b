"""What would Ben have had to bid: told against every other decision, all of them judged."""

from random import Random
from time import process_time

import pytest

from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, get_language
from companion.judge.better import find_better, say_better
from companion.judge.checks import MOST_NUMBER
from companion.judge.decide import decide, find_kind
from companion.judge.possibilities import MOST_JUDGED
from tests.judge.conftest import Judge
from tests.worlds.campaign import pick
from tests.worlds.dealt_cases import DEALERS, put

CASES = pick(5, 50, 500)
DECIDED = {
    ("bankueberfall", "robbery"): "bids",
    ("banque_fatale", "auction"): "bids",
    ("robby_solo", "round"): "choices",
}


def test_funds_that_no_box_holds_are_not_bid_coin_by_coin() -> None:
    """A case of any size comes from anyone; a million bids would take a hundred times as long."""
    bids, spent = dict.fromkeys("ABCDE", 3), list[float]()
    case = {"game": "bankueberfall", "kind": "robbery", "cards": ["10"], "bids": bids}
    for funds in (MOST_JUDGED, MOST_NUMBER):
        began = process_time()
        assert find_better({**case, "funds": dict.fromkeys(bids, funds)}, "A")
        spent.append(process_time() - began)
    assert spent[1] < 10 * spent[0]


@pytest.mark.parametrize(("game", "kind"), DECIDED)
def test_every_better_decision_is_told_and_no_other(game: str, kind: str) -> None:
    field = DECIDED[game, kind]
    for number in range(CASES):
        case = DEALERS[game, kind](Random(number))
        found = find_kind(case)
        name = Random(number).choice([*case[field]])
        if kind == "auction":
            case = put(case, (field, name), dict.fromkeys(case["values"], 0) | case[field][name])
        had = found.gains(decide(case))[name]
        told = {
            (one.place.path, value): one.more
            for one in find_better(case, name) for value in one.values
        }  # fmt: skip
        if kind == "auction":
            paths = [(field, name, colour) for colour in case["values"]]
            every = [(path, n) for path in paths for n in range(9)]
        else:
            owned = case.get("funds", {}).get(name, 85)
            values = case["banks"] if kind == "round" else range(owned + 1)
            every = [((field, name), value) for value in values]
        for path, value in every:
            try:
                has = found.gains(decide(put(case, path, value)))[name]
            except Malformed:
                continue
            by = {what: n - had[what] for what, n in has.items()}
            is_better = any(by.values()) and min(by.values()) >= 0
            expected = {what: n for what, n in by.items() if n} if is_better else None
            assert told.get((path, value)) == expected, (case, name, path, value)


def test_what_ben_would_have_had_to_bid(judge: Judge) -> None:
    case = {"game": "bankueberfall", "kind": "robbery", "cards": ["10", "detective"],
            "bids": {"Ana": 11, "Ben": 9, "Cem": 2}}  # fmt: skip
    assert judge(case, "--better", "Ben").out.replace("\u00a0", " ").splitlines() == [
        "If Ben had bid 10: Ben gets 1 coin more."
    ]
    assert judge(case, "--better", "Ana").out.replace("\u00a0", " ").splitlines() == [
        "If Ana had bid 10: Ana gets 10 coins more.",
        "If Ana had bid 1: Ana gets 1 coin more.",
    ]
    found = judge(case, "--better", "Ben", "--json").json["better"]
    assert [(one["field"], one["values"], one["more"]) for one in found] == [
        ("bids.Ben", [10], {"coins": 1})
    ]


def test_many_that_bring_each_another_amount_are_told_together() -> None:
    case = {"game": "bankueberfall", "kind": "robbery", "cards": ["10", "x"],
            "bids": {"Ana": 3, "Ben": 0}}  # fmt: skip
    said = [get_language("en")(one) for one in say_better(find_better(case, "Ben"), "Ben")]
    assert [one.replace("\u00a0", " ") for one in said] == [
        "If Ben had bid 17: Ben gets 17 coins more.",
        "If Ben had bid 1 to 16: Ben gets from 1 coin to 16 coins more.",
    ]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("game", "kind"), DECIDED)
def test_it_is_told_in_every_language(game: str, kind: str, code: str) -> None:
    case = DEALERS[game, kind](Random(1))
    found = find_kind(case)
    assert found.decision is not None
    words = get_language(code)
    for name in case[found.decision.field]:
        for said in say_better(find_better(case, name), name):
            assert name in words(said)
            assert code == "en" or words(said) != get_language("en")(said)


def test_who_is_not_there_and_who_decides_nothing_is_refused(judge: Judge) -> None:
    case = {"game": "robby_solo", "kind": "score", "loot": {"A": [1000]}}
    assert judge(case, "--better", "A").refusal.startswith("--better: ")
    robbery = {"game": "bankueberfall", "kind": "robbery", "cards": ["5"], "bids": {"Ana": 3}}
    assert judge(robbery, "--better", "Ben").refusal == '--better must be one of Ana, not "Ben".'
