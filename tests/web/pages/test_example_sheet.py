"""The form of a dispute in a game that brings none: made from the example of the kind."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from companion.games import find_game
from tests.web.pages.test_judge import fields
from tests.worlds.installed_games import installed
from tests.worlds.request_campaign import served
from tests.worlds.visitor import Visitor, words
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext

GAME = "lantern_night"
COURT = """
import msgspec
from companion.judge.fields import GameJudge, check_fields, check_int, check_object, check_players
from lantern_night.game import GAME as NIGHT, resolve_contest

EXAMPLE = {"game": "lantern_night", "kind": "one_lantern", "card": "7",
           "bids": {"Ana": 3, "Ben": 5}}


def decide(case):
    check_fields(case, ("game", "kind", "card", "bids"))
    bids = check_object(case["bids"], "bids")
    for name in check_players(bids, "bids", NIGHT.standard_box()):
        check_int(bids[name], f"bids.{name}", most=20)
    return resolve_contest(case["card"], bids)


GAME = msgspec.structs.replace(NIGHT, judge=GameJudge({"one_lantern": decide},
                                                      {"one_lantern": EXAMPLE}))
"""


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    package = tmp_path / "package"
    package.mkdir()
    (package / "night_court.py").write_text(COURT)
    with installed("night-court", {GAME: "night_court:GAME"}, package):
        yield Visitor(served(tmp_path / "journal.sqlite3", "bankueberfall", "seal"))


def test_the_form_asks_for_what_the_example_has_and_is_judged(visitor: Visitor) -> None:
    assert "One lantern" in visitor.reads("/judge/case")
    empty = visitor.get(f"/judge/case?game={GAME}&kind=one_lantern")
    asked = fields(empty.text)
    assert {"of.card", "of.bids.1", "of.bids.2"} <= asked.keys()
    names = {"players": "2", "name1": "Ana", "name2": "Ben"}
    filled = asked | names | {"of.card": "7", "of.bids.1": "5", "of.bids.2": "5"}
    answer = words(visitor.get(f"/judge/case?{urlencode(filled)}").text)
    assert "No bid was made only once: lantern 7 goes out." in answer


def test_an_error_is_shown_at_its_part_in_the_words_of_the_judge(visitor: Visitor) -> None:
    example = find_game(GAME).judge.examples["one_lantern"]
    names = {"players": "2", "name1": "Ana", "name2": "Ben"}
    of = {"game": GAME, "kind": "one_lantern", "of.card": example["card"], "of.bids.1": "21"}
    page = visitor.get(f"/judge/case?{urlencode(names | of)}")
    assert page.status_code == 400
    assert "from 0 to 20, not 21" in words(page.text[page.text.index('id="part-bids"') :])


# A game without a judge of its own.


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Watched]:
    with installed("lantern-night", {GAME: "lantern_night.game:GAME"}):
        table = Watched(tmp_path / "table.sqlite3", GAME, readers=())
        table.do(1, 'lantern_lit card="7"').close(5, 5, 3).show(5, 5, 3)
        yield table
        table.journal.close()


def what_if_form(night: Watched) -> tuple[Visitor, dict[str, str]]:
    visitor = Visitor(create_app(AppContext(night.table)))
    link = re.search(r'href="(/judge/case[^"]*)"[^>]*>What if', visitor.get("/judge").text)
    assert link is not None
    return visitor, fields(visitor.get(html.unescape(link.group(1))).text)


def test_the_verdict_of_any_game_can_be_asked_again_with_something_changed(night: Watched) -> None:
    visitor, form = what_if_form(night)
    assert (form["of.hands.1"], form["of.table.lit"]) == ("5", "7")
    said = visitor.reads(f"/judge/case?{urlencode(form | {'of.hands.2': '4'})}")
    assert "Now: Ana made the highest bid that is left, takes lantern 7 and pays 5 coins." in said
    assert "Nothing would be different." in visitor.reads(f"/judge/case?{urlencode(form)}")
