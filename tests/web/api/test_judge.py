"""The judge over HTTP: the same answers as on the command line, and no look that is not allowed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from companion.core.i18n import get_language
from companion.core.table_events import Frozen
from companion.judge import decide as judge
from companion.judge.fields import GameJudge
from tests.worlds.visitor import OURS
from tests.worlds.watched_table import Watched, seen_at_bank_1
from web.api.judge import ANY_CASE, case_type
from web.app import create_app
from web.context import AppContext


@pytest.fixture
def table_with_ten(tmp_path: Path) -> Iterator[Watched]:
    """Bank 1 was robbed, a ten lay there; then everybody waits."""
    made = seen_at_bank_1(tmp_path / "journal.sqlite3")
    yield made
    made.journal.close()


def robbed(table: Watched) -> int:
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    table.close(3, 4, 2).show(3, 4, 2)
    return table.table.version


@pytest.fixture
def app(table_with_ten: Watched) -> Flask:
    return create_app(AppContext(table_with_ten.table))


Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(app: Flask) -> Ask:
    client = app.test_client()

    def asked(path: str, body: Any = None) -> tuple[int, Any]:
        where = f"/api/judge/{path}"
        if body is None:
            found = client.get(where, base_url=OURS)
        else:
            headers = {"Origin": OURS, "Content-Type": "application/json"}
            found = client.post(where, data=json.dumps(body), headers=headers, base_url=OURS)
        return found.status_code, found.json

    return asked


CASES = [
    (game, kind)
    for game in sorted(judge.judged_games())
    for kind in sorted(judge.find_judge(game).examples)
]


@pytest.mark.parametrize(("game", "kind"), CASES)
def test_a_case_is_answered_as_on_the_command_line(ask: Ask, game: str, kind: str) -> None:
    case = judge.find_judge(game).examples[kind]
    expected = judge.to_json(judge.render_verdict(judge.decide(case), get_language("en")))
    assert ask("cases", case) == (200, json.loads(expected))


@pytest.mark.parametrize(("change", "field"), [
    ({"bids": {"Ana": -1, "Ben": 0}}, "bids.Ana"), ({"cards": ["7"]}, "cards[0]"),
    ({"kind": "murder"}, "kind"), ({"loots": {}}, "loots"), ({"bids": 3}, "bids"),
])  # fmt: skip
def test_a_bad_case_names_its_field(ask: Ask, change: Any, field: str) -> None:
    case = judge.find_judge("bankueberfall").examples["robbery"]
    status, problem = ask("cases", {**case, **change})
    assert (status, problem["field"]) == (400, field)
    assert problem["title"].endswith(".")


def test_the_fields_of_a_case_are_those_of_the_judges() -> None:
    judges = [judge.find_judge(game) for game in judge.judged_games()]
    ours = set(ANY_CASE.__struct_fields__)
    assert ours == {
        field.encode_name
        for one in judges for case in one.list_case_types()
        for field in msgspec.structs.fields(case)
    }  # fmt: skip
    other = GameJudge({}, {"race": {"game": "snails", "kind": "race", "lanes": [], "wind": 3}})
    more = case_type([*judges, other])
    assert set(more.__struct_fields__) - ours == {"lanes", "wind"}
    assert msgspec.convert({"game": "snails", "kind": "race", "lanes": ["x"]}, more).to_dict() == {
        "game": "snails", "kind": "race", "lanes": ["x"],
    }  # fmt: skip
    with pytest.raises(msgspec.ValidationError, match=r"\$.lanes"):
        msgspec.convert({"game": "snails", "kind": "race", "lanes": 3}, more)


def test_a_fork_tells_both_verdicts_and_changes_nothing(ask: Ask, table_with_ten: Watched) -> None:
    robbed(table_with_ten)
    case, version = ask("verdict")[1]["rulings"][0]["case"], table_with_ten.table.version
    status, found = ask("forks", {"case": case, "change": {"cards": ["policeman"]}})
    assert (status, found["first"]["outcome"], found["then"]["outcome"]) == (
        200, "shared", "guarded",
    )  # fmt: skip
    assert "Ana gets 3\u00a0coins less." in found["says"]
    assert table_with_ten.table.version == version
    bad = ask("forks", {"case": case, "change": {"game": "robby_solo"}})
    assert (bad[0], bad[1]["field"]) == (400, "game")


def test_moments_are_looked_at_while_the_judge_is_called(ask: Ask, table_with_ten: Watched) -> None:
    assert ask("verdict")[1]["code"] == "no_verdict"
    at = robbed(table_with_ten)
    assert ask("verdict")[1]["told"]["at"] == at
    assert ask(f"moments/{at}")[1]["code"] == "not_called"
    table_with_ten.do(1, Frozen(1))
    assert ask(f"moments/{at}")[1]["rulings"][0]["verdict"]["outcome"] == "shared"
    assert ask("moments/0")[0] == ask("moments/999")[0] == 404


def test_a_case_with_gaps_is_decided_for_every_possibility(ask: Ask) -> None:
    case = judge.find_judge("bankueberfall").examples["robbery"]
    status, found = ask("possibilities", {"case": {**case, "cards": ["5", "?"]}})
    assert (status, found["fillings"]) == (200, 10)
    assert found["says"][-1].startswith("If card 2 = ")


def test_what_would_have_to_be_different_is_found(ask: Ask) -> None:
    case = judge.find_judge("bankueberfall").examples["robbery"]
    status, found = ask("reversals", case)
    assert (status, found["cases"][0]["bids"]) == (200, {"Ana": 3, "Ben": 1})
    assert found["says"][0] == "If Ben had bid 1 instead of 0: Ben gets 1\u00a0coin."
