"""The judge of a game that brings none: any verdict of it as a case, asked again and changed."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.cli import main
from companion.core.errors import Malformed
from companion.core.events import Entered
from companion.core.i18n import get_language
from companion.core.table_events import Frozen
from companion.games import find_game, make_rulebook
from companion.games.any_judge import derive_judge, describe_case
from companion.games.disputes import is_new_verdict
from companion.games.random_game import RandomGame
from companion.judge.decide import decide
from companion.judge.fields import NO_CASES
from companion.judge.it_depends import answer_case_in_words
from companion.table.look_back import LookBack, look_back
from companion.table.what_if import what_if
from tests.worlds.campaign import pick
from tests.worlds.installed_games import installed
from tests.worlds.watched_table import Watched

EN = get_language("en")
GAMES = ("goofspiel", "lantern_night", "wharf_auction")
replace = msgspec.structs.replace


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    with ExitStack() as shelf:
        for name in GAMES:
            shelf.enter_context(installed(name.replace("_", "-"), {name: f"{name}.game:GAME"}))
        yield


def example(game: str, kind: str = "verdict", **changed: Any) -> dict[str, Any]:
    case = json.loads(json.dumps(find_game(game).judge.examples[kind]))
    return {name: value for name, value in (case | changed).items() if value is not None}


def moments(game: str, seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the states around every event of a game at random."""
    rules = make_rulebook(game)
    played = RandomGame(rules, 2 + seed % 2, Random(seed)).play_to_end()
    for (before, after), event in zip(pairwise(played.states), played.events[1:], strict=True):
        yield before, event, after


# At the table.


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_verdict_is_a_case_that_leads_to_it(game: str, shown: bool) -> None:
    rules = make_rulebook(game)
    for seed in range(pick(2, 10, 100)):
        for before, event, after in moments(game, seed):
            if is_new_verdict(before, after, "verdict"):
                case = describe_case(rules, before, event, after, "verdict", shown)
                assert case is not None
                assert decide(json.loads(json.dumps(case))) == after.verdict
            if is_new_verdict(before, after, "score"):
                case = describe_case(rules, before, event, after, "score", True)
                assert case is not None
                assert decide(case) == after.score


def test_what_lies_behind_a_screen_is_in_no_case_before_the_end() -> None:
    rules, told = make_rulebook("lantern_night"), set[str]()
    for before, event, after in moments("lantern_night", 1):
        if not is_new_verdict(before, after, "verdict"):
            continue
        case = describe_case(rules, before, event, after, "verdict", False)
        richer = replace(before, players=tuple(replace(p, coins=20) for p in before.players))
        assert case == describe_case(
            rules, richer, event, rules.apply(richer, event), "verdict", False
        )
        told |= case["funds"]["Ana"].keys() if case else set()
    assert told == {"lanterns"}


def test_a_hand_that_was_entered_counts_like_one_that_was_opened() -> None:
    rules = make_rulebook("lantern_night")
    before, event, _ = next(
        one for one in moments("lantern_night", 2) if is_new_verdict(one[0], one[2], "verdict")
    )
    entered = Entered(event.seat, event.value)
    after = rules.apply(before, entered)
    assert after.verdict.steps[0].rule == "S.enter"
    case = describe_case(rules, before, entered, after, "verdict", False)
    assert case is not None
    assert decide(case).steps == after.verdict.steps[1:]


def test_the_look_back_offers_what_if_and_says_what_would_differ(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "lantern_night", readers=())
    table.do(1, 'lantern_lit card="7"').close(5, 5, 3).show(5, 5, 3)
    table.do(1, Frozen(1))
    found = look_back(table.table.history)
    assert isinstance(found, LookBack)
    case, version = found.rulings[0].case, table.table.version
    assert case is not None
    assert (case["table"]["lit"], case["hands"]["Ana"]) == ("7", 5)
    fork = what_if(case, {"hands": {"Ana": 5, "Ben": 4, "Cleo": 3}})
    assert [EN(said) for said in fork.says] == [
        "Before: Cleo made the highest bid that is left, takes lantern 7 and pays 3\u00a0coins. "
        "Now: Ana made the highest bid that is left, takes lantern 7 and pays 5\u00a0coins."
    ]
    assert table.table.version == version
    table.journal.close()


# At any table.


@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_prints_its_examples_and_judges_them(
    game: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for kind in ("verdict", "score"):
        assert main(["judge", "--example", game, "--kind", kind]) == 0
        case = tmp_path / "case.json"
        case.write_text(capsys.readouterr().out, "utf-8")
        assert main(["judge", str(case)]) == 0
        assert capsys.readouterr().out.startswith("1. ")


def test_a_score_counts_the_last_round_by_the_house_rule() -> None:
    case = example("lantern_night", "score", players=["Ana", "Ben"], active="Ana")
    case["funds"] = {name: {"coins": 20, "lanterns": ["3"]} for name in ("Ana", "Ben")}
    case |= {"table": {"lit": "1", "pile": 0}, "hands": {"Ana": 1, "Ben": 1}}
    case["house_rules"] = {"coins_at_end": "a_tenth"}
    found: Any = decide(case)
    assert found.totals == {"Ana": 5, "Ben": 5}


def test_a_house_rule_that_is_not_known_is_judged_both_ways() -> None:
    case = example("lantern_night", "score", house_rules={"coins_at_end": "?"})
    assert "the win goes to Cleo." in answer_case_in_words(case, EN)


@pytest.mark.parametrize(("game", "changed", "field"), [
    ("lantern_night", {"hands": {"Ana": 21, "Ben": 0, "Cleo": 0}}, "hands.Ana"),
    ("lantern_night", {"hands": {"Ana": "red", "Ben": 0, "Cleo": 0}}, "hands.Ana"),
    ("lantern_night", {"hands": {"Ana": 1, "Ben": 0}}, "hands.Cleo"),
    ("lantern_night", {"hands": None}, "hands"),
    ("lantern_night", {"players": ["Ana"]}, "players"),
    ("lantern_night", {"players": ["Ana", "Ana", "Cleo"]}, "players"),
    ("lantern_night", {"active": "Zoe"}, "active"),
    ("lantern_night", {"funds": {"Zoe": {"coins": 3}}}, "funds.Zoe"),
    ("lantern_night", {"funds": {"Ana": {"gold": 3}}}, "funds.Ana.gold"),
    ("lantern_night", {"funds": {"Ana": {"coins": -3}}}, "funds.Ana.coins"),
    ("lantern_night", {"table": {"lit": 7}}, "table.lit"),
    ("lantern_night", {"table": {"out": [[]]}}, "table.out"),
    ("lantern_night", {"house_rules": {"coins_at_end": "all"}}, "house_rules.coins_at_end"),
    ("lantern_night", {"wind": 3}, "wind"),
    ("goofspiel", {"hands": {"Ana": "14", "Ben": "1", "Cleo": "2"}}, "hands.Ana"),
    ("wharf_auction", {"hands": {"Ana": 1, "Ben": 1, "Cleo": 1}}, "hands"),
    ("wharf_auction", {"move": {"do": "burnt", "who": "Ana"}}, "move.do"),
    ("wharf_auction", {"move": {"do": "passed", "who": "Ana"}}, "move"),
    ("wharf_auction", {"move": {"do": "bid_raised", "who": "Cleo"}}, "move"),
    ("wharf_auction", {"move": None}, "hands"),
])  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence_that_names_it(
    game: str, changed: dict[str, Any], field: str
) -> None:
    with pytest.raises(Malformed) as refused:
        decide(example(game, **changed))
    assert refused.value.field == field
    assert str(refused.value).endswith(".")


def test_what_brings_no_verdict_or_no_end_is_refused() -> None:
    opening = example("wharf_auction", move={"do": "crate_landed", "card": "3"})
    opening["table"] = {}
    with pytest.raises(Malformed, match="brings no verdict"):
        decide(opening)
    with pytest.raises(Malformed, match="does not end"):
        decide(example("lantern_night") | {"kind": "score"})


def test_rules_that_fail_on_a_case_cost_no_traceback() -> None:
    case = example("lantern_night", "score", table={"lit": "moon", "pile": 0}, funds=None)
    case["hands"] = {"Ana": 2, "Ben": 1, "Cleo": 1}
    with pytest.raises(Malformed, match="do not decide such a case"):
        decide(case)


def test_a_game_that_says_how_it_is_disputed_is_not_given_another_judge() -> None:
    for name in ("bankueberfall", "banque_fatale", "robby_solo"):
        assert derive_judge(make_rulebook(name)) is NO_CASES


@pytest.mark.parametrize("raised", [LookupError, SystemExit])
def test_a_game_whose_code_fails_is_left_without_a_judge(raised: type[BaseException]) -> None:
    class Failing(type(make_rulebook("lantern_night"))):  # type: ignore[misc]
        def initial_state(self, _event: Any) -> Any:
            raise raised

    assert derive_judge(Failing(find_game("lantern_night").standard_box())) is NO_CASES
