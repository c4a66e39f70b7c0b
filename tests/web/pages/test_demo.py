"""The demo on the pages: the table screen alone shows it, and one tap leads out of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.new_game import NewGame
from companion.host.demo import IDLE
from tests.worlds.demo_table import QuietTable
from tests.worlds.stream_text import full_state
from web.rendering.scene import Screen

PLAYERS = ("Xaver", "Yolanda", "Zeno")


@pytest.fixture
def demo_table(tmp_path: Path) -> Iterator[QuietTable]:
    quiet = QuietTable(tmp_path / "journal.sqlite3", address="http://192.168.1.20:8000/")
    quiet.turn()
    yield quiet
    quiet.shut()


def test_the_demo_screen_shows_nothing_of_the_real_table(demo_table: QuietTable) -> None:
    screen = Screen("table", 0, "en")
    empty = full_state(demo_table.app, demo_table.room, screen)
    assert demo_table.seats.wait_for_press("a phone", "Wanda") is None
    assert demo_table.evening.host.begin_game(NewGame("banque_fatale", PLAYERS)) is None
    busy = full_state(demo_table.app, demo_table.room, screen)
    assert busy == empty, "the same to the letter"
    demo_table.turn()
    live = full_state(demo_table.app, demo_table.room, screen)
    assert all(name in live for name in PLAYERS)


def test_a_page_that_was_left_open_is_nobody(demo_table: QuietTable) -> None:
    phone = demo_table.guest()
    phone.get("/")
    phone.post("/api/demo/games", game="bankueberfall", name="Zoe")
    assert "Zoe" in phone.get("/phone/1").text
    assert phone.get("/play/1").status_code == 200
    demo_table.turn()
    assert demo_table.turn(IDLE) is not None
    assert phone.get("/play/1").location == "/"
    phone.get("/")
    assert demo_table.turn() is not None, "the page went there by itself"
    phone.get("/")
    assert demo_table.turn() is None
