"""The pages of a game that fails: they say so in one sentence, and the host can end it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import UndefinedError

from companion.games import find_game
from companion.table.faults import FAILED, find_own_line
from tests.worlds.failing_game import NOT_SHOWN, SECRET, SENTENCES, FailingTable, failing_table
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.visitor import Visitor

PAGES = ("/table", "/phone", "/play", "/share", "/")
NONSENSE = "describe_phase answers nonsense"
"""It cannot be put into words, by code of ours."""
FAILS = ("public_view", "show", "expected_cards", "describe_phase", NONSENSE)


@pytest.fixture
def fog(tmp_path: Path) -> Iterator[FailingTable]:
    with failing_table(tmp_path) as table:
        table.turn_until(lambda state: state.hands.round == 2)
        yield table


@pytest.mark.parametrize("where", FAILS)
def test_every_page_says_that_the_game_failed(where: str, fog: FailingTable) -> None:
    ana = Visitor(fog.app)
    ana.sits(1)
    fog.fails.add(where)
    fog.turn(3)
    for page in PAGES:
        answer = ana.get(page)
        assert answer.status_code == 200, page
        assert SECRET not in answer.text
    ours = where == NONSENSE
    for page in ("/table", "/phone"):
        told = ana.reads(page)
        assert (NOT_SHOWN["en"] in told) + (SENTENCES["en"] in told) == (not ours)
        assert (FAILED in told) == ours
    judge, said = ana.get("/judge"), FAILED if ours else NOT_SHOWN["en"]
    assert judge.status_code == 200 or said in judge.text


def test_the_host_page_stays_and_ends_the_game(fog: FailingTable) -> None:
    fog.fails.add("show")
    assert NOT_SHOWN["en"] in Visitor(fog.app).reads("/table")
    host = HostsBrowser(fog.app).signs_in()
    assert NOT_SHOWN["en"] in host.reads("/host")
    assert "End this game" in host.get("/host").text
    assert host.decides("ended").status_code in (204, 303)
    assert host.calls("reset").status_code in (204, 303)
    fog.fails.clear()
    assert fog.table.state is None
    assert "No game has been started yet." in host.reads("/host")


def test_a_template_that_fails_is_told_on_its_page(tmp_path: Path) -> None:
    with failing_table(tmp_path, **{"board.html": "{{ 1 // 0 }}"}) as fog:
        fog.turn(3)
        assert NOT_SHOWN["en"] in Visitor(fog.app).reads("/table")
        assert fog.table.state is not None


def test_a_compiled_template_of_a_game_is_a_file_of_it(app: Flask) -> None:
    with pytest.raises(UndefinedError) as failed:
        app.jinja_env.get_template("games/robby_solo/board.html").render()
    assert find_own_line(find_game("robby_solo"), failed.value) is not None
