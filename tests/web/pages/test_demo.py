"""The demo on the pages: the table screen alone shows it, and one tap leads out of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.host.demo import IDLE, NOTICE
from companion.host.demo_scenes import DemoScene
from tests.worlds.demo_table import QuietTable
from tests.worlds.own_games import own_games
from tests.worlds.stream_text import full_state
from web.rendering.scene import Screen

PLAYERS = ("Xaver", "Yolanda", "Zeno")
CODE = "http://192.168.1.20:8000/"


@pytest.fixture
def demo_table(tmp_path: Path) -> Iterator[QuietTable]:
    quiet = QuietTable(tmp_path / "journal.sqlite3", address=CODE)
    quiet.turn()
    yield quiet
    quiet.shut()


def has_verdict(scene: DemoScene) -> bool:
    return scene.view.public.verdict is not None


@pytest.mark.parametrize("game", own_games())
def test_the_table_screen_shows_every_box_with_a_ribbon_and_the_code(
    demo_table: QuietTable, game: str
) -> None:
    scene = demo_table.until(lambda scene: scene.game == game and has_verdict(scene))
    page = demo_table.guest().get("/table").text
    assert "Demo: press any button or scan the code" in page
    assert page.count('class="qr"') == 1
    assert f"<title>Table · {make_rulebook(game).box.title}</title>" in page
    assert scene.names
    assert all(name in page for name in scene.names)
    assert "Ask the judge" not in page
    actions = re.findall(r'<form[^>]* action="([^"]*)"', page)
    assert actions == ["/api/demo/touched", "/api/demo/games"]


def test_every_other_page_shows_the_table_itself(demo_table: QuietTable) -> None:
    names = shown(demo_table).names
    phone = demo_table.guest()
    for page in ("/judge", "/host/enter", "/api/table", "/"):
        told = phone.get(page).text
        assert not any(re.search(rf"\b{name}\b", told) for name in names), page


def shown(quiet: QuietTable) -> DemoScene:
    scene = quiet.loop.current_scene()
    assert scene is not None
    return scene


def test_the_demo_screen_shows_nothing_of_the_real_table(
    demo_table: QuietTable,
) -> None:
    screen = Screen("table", 0, "en")
    empty = full_state(demo_table.app, demo_table.room, screen)
    assert demo_table.seats.wait_for_press("a phone", "Wanda") is None
    assert demo_table.evening.host.begin_game(NewGame("banque_fatale", PLAYERS)) is None
    busy = full_state(demo_table.app, demo_table.room, screen)
    assert busy == empty, "the same to the letter"
    demo_table.turn()
    live = full_state(demo_table.app, demo_table.room, screen)
    assert all(name in live for name in PLAYERS)


def test_the_view_of_the_demo_holds_nothing_private(demo_table: QuietTable) -> None:
    scene = demo_table.until(has_verdict)
    data = msgspec.json.encode(scene.view).decode()
    assert '"mine":null' in data
    assert '"may":[]' in data
    assert '"nonce"' not in data


# Out of it.


@pytest.mark.parametrize("game", own_games())
def test_one_tap_on_the_demo_begins_a_game_with_bots(demo_table: QuietTable, game: str) -> None:
    phone = demo_table.guest()
    phone.get("/")
    assert phone.post("/api/demo/games", game=game).status_code == 204
    assert demo_table.turn() is None
    assert demo_table.seats.taken_seats() == {1}
    assert (demo_table.room.game, demo_table.evening.host.table.seats) == (game, 3)
    for _ in range(12):
        demo_table.evening.bots.play_one()
        demo_table.turn()
    assert 1 in demo_table.evening.host.table.view().public.waiting  # type: ignore[union-attr]


def test_a_page_that_was_left_open_is_nobody(demo_table: QuietTable) -> None:
    phone = demo_table.guest()
    phone.get("/")
    phone.post("/api/demo/games", game="bankueberfall")
    assert phone.get("/play/1").status_code == 200
    demo_table.turn()
    assert demo_table.turn(IDLE) is not None
    assert phone.get("/play/1").location == "/"
    phone.get("/")
    assert demo_table.turn() is not None, "the page went there by itself"
    phone.get("/")
    assert demo_table.turn() is None


def test_before_a_game_is_put_away_every_page_says_so_and_one_tap_keeps_it(demo_table):
    guest = demo_table.guest()
    assert demo_table.evening.host.begin_game(NewGame("bankueberfall", PLAYERS)) is None
    demo_table.turn()
    demo_table.turn(IDLE - NOTICE - 1)
    assert "We play on" not in guest.reads("/table")
    demo_table.turn(1)
    assert "We play on" in guest.reads("/table")
    assert guest.tells("/api/demo/touched", {"key": "tap"}).status_code == 204
    demo_table.turn(IDLE - NOTICE - 1)
    assert "We play on" not in guest.reads("/table")
    assert demo_table.evening.host.table.view() is not None
