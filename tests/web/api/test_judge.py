"""The judge over HTTP: the same answers as on the command line, and no look that is not allowed."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from companion.core.i18n import get_language
from companion.core.table_events import Frozen
from companion.judge import decide as judge
from tests.worlds.visitor import OURS
from tests.worlds.watched_table import Watched
from web.api.judge import ANY_CASE
from web.app import create_app
from web.context import AppContext


def robbed(table: Watched) -> int:
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    table.close(3, 4, 2).show(3, 4, 2)
    return table.table.version


Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(table_with_ten: Watched) -> Ask:
    client = create_app(AppContext(table_with_ten.table)).test_client()

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
    (game, kind) for game in sorted(judge.judged_games()) for kind in sorted(judge.find_kinds(game))
]


@pytest.mark.parametrize(("game", "kind"), CASES)
def test_a_case_is_answered_as_on_the_command_line(ask: Ask, game: str, kind: str) -> None:
    case = judge.find_kinds(game)[kind].example
    expected = msgspec.json.encode(judge.render_verdict(judge.decide(case), get_language("en")))
    assert ask("cases", case) == (200, json.loads(expected))


@pytest.mark.parametrize(("change", "field"), [
    ({"bids": {"Ana": -1, "Ben": 0}}, "bids.Ana"), ({"cards": ["7"]}, "cards[0]"),
    ({"kind": "murder"}, "kind"), ({"loots": {}}, "loots"), ({"bids": 3}, "bids"),
])  # fmt: skip
def test_a_bad_case_names_its_field(ask: Ask, change: Any, field: str) -> None:
    case = judge.find_kinds("bankueberfall")["robbery"].example
    status, problem = ask("cases", {**case, **change})
    assert (status, problem["field"]) == (400, field)
    assert problem["title"].endswith(".")


def test_a_case_has_the_fields_of_every_kind() -> None:
    kinds = [kind for game in judge.judged_games() for kind in judge.find_kinds(game).values()]
    fields = {name for kind in kinds for name in kind.known}
    assert set(ANY_CASE.__struct_fields__) == fields


def test_a_fork_tells_both_verdicts_and_changes_nothing(ask: Ask, table_with_ten: Watched) -> None:
    robbed(table_with_ten)
    case, version = ask("verdict")[1]["rulings"][0]["case"], table_with_ten.table.version
    status, found = ask("forks", {"case": case, "change": {"cards": ["policeman"]}})
    assert (status, found["first"]["outcome"], found["then"]["outcome"]) == (
        200, "shared", "guarded",
    )  # fmt: skip
    assert "Seat 1 gets 3\u00a0coins less." in found["says"]
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
    assert [one["at"] for one in ask("log")[1]["entries"]] == [*range(1, at + 2)]
    assert ask("moments/0")[0] == ask("moments/999")[0] == 404


def test_a_case_with_gaps_is_decided_for_every_possibility(ask: Ask) -> None:
    case = judge.find_kinds("bankueberfall")["robbery"].example
    status, found = ask("possibilities", {"case": {**case, "cards": ["5", "?"]}})
    assert (status, found["fillings"]) == (200, 10)
    assert found["says"][-1].startswith("If card 2 = ")


def test_what_a_player_could_have_decided_is_found(ask: Ask) -> None:
    case = judge.find_kinds("bankueberfall")["robbery"].example
    status, found = ask("better", {"case": case, "who": "Ben"})
    assert (status, found["better"][0]["values"]) == (200, [10])
    assert found["better"][0]["more"] == {"coins": 10}
    assert ask("better", {"case": case, "who": "Zoe"})[1]["field"] == "who"
