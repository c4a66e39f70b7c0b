"""Blocks: drawn from their facts alone, drawn again only when those change, and shared."""

import re
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from jinja2 import UndefinedError

from tests.worlds.campaign import pick
from tests.worlds.named_table import NamedTable
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Evening
from tests.worlds.standing_tables import served
from web.context import CONTEXT_KEY
from web.rendering.blocks import Block, BlockPainter, Layout, LivePart
from web.rendering.scene import Found, Screen, make_scene
from web.rendering.screens import draw_live_part

replace = msgspec.structs.replace
PLACED = re.compile(r"<!--block (.+?)-->(.*?)<!--/block \1-->", re.DOTALL)
LANGUAGES = ("en", "de")


class Followed:
    """A table whose pages are drawn from state to state, as a phone would show them."""

    def __init__(self, game: str, path: Path, state: str = "seal") -> None:
        self.app = served(path, game, state)
        self.room = self.app.extensions[CONTEXT_KEY]
        self.table = self.room.table
        for seat in range(1, self.table.seats + 1):
            assert self.room.seats.take_seat(seat, f"browser {seat}") is None

    def screens(self) -> list[Screen]:
        seats = range(1, self.table.seats + 1)
        return [
            *(Screen("table", 0, code) for code in LANGUAGES),
            Screen("share", 0, "en", "browser 1"),
            *(Screen("phone", seat, LANGUAGES[seat % 2]) for seat in seats),
        ]

    def stand(self, state: Any) -> None:
        """Have the table stand like this."""
        self.table.history = replace(self.table.history, state=state)

    def draw(
        self, screen: Screen, before: LivePart | None = None, found: Found | None = None
    ) -> LivePart:
        return draw_live_part(self.app, self.room, screen, before, found or Found())


def applied(page: str, changed: dict[str, str | None], now: LivePart) -> str:
    """A page on which these blocks have been exchanged, as blocks.mjs does it; a folded one is
    fetched when it is opened."""
    fetched = dict(PLACED.findall(now.html))

    def exchanged(found: re.Match[str]) -> str:
        key, old = found.groups()
        new = changed.get(key, old)
        return f"<!--block {key}-->{fetched[key] if new is None else new}<!--/block {key}-->"

    return PLACED.sub(exchanged, page)


@pytest.mark.parametrize("game", own_games())
def test_what_has_changed_makes_of_the_old_page_the_new_one(game, tmp_path):
    followed = Followed(game, tmp_path / "journal.sqlite3")
    evening = Evening(game, Random(7), followed.table.seats).play()
    screens = followed.screens()
    steps = [*evening.states[1 : pick(40, 150, 400)], evening.states[-1]]
    followed.stand(steps[0])
    parts = {screen: followed.draw(screen) for screen in screens}
    told = 0
    for state in steps[1:]:
        followed.stand(state)
        everyone = Found()
        for screen in screens:
            before, found = parts[screen], everyone if screen.page == "table" else None
            now = followed.draw(screen, before, found)
            assert now.html == followed.draw(screen).html
            changed = now.changes_since(before)
            if changed is not None:
                assert applied(before.html, changed, now) == now.html
                told += len(changed)
            parts[screen] = now
    assert told > len(steps)


def test_a_seat_without_a_name_is_called_in_each_readers_language(tmp_path):
    hall, everyone = NamedTable(tmp_path), Found()
    hall.seats.claim_seat(1, "a browser", "")
    for code in ("en", "de"):
        drawn = [
            draw_live_part(hall.app, hall.context, Screen("table", 0, code), None, found).html
            for found in (everyone, Found())
        ]
        assert drawn[0] == drawn[1]
    hall.close()


# Given nothing else.


def test_a_template_that_draws_from_what_its_block_does_not_have_fails(tmp_path):
    followed = Followed("bankueberfall", tmp_path / "journal.sqlite3", "seal")
    scene = make_scene(followed.room, Screen("phone", 1, "en"))
    page = Block("phone/page.html")
    frame = Block("shared/lobby_frame.html")
    blocks = dict.fromkeys(("held_on", "lobby", "staff"), Block("phone/private.html"))
    with pytest.raises(UndefinedError):
        BlockPainter(followed.app.jinja_env).draw(Layout(page, frame, blocks), scene, None, {})


def test_equal_facts_in_one_language_are_drawn_once(tmp_path):
    watched = Followed("robby_solo", tmp_path / "journal.sqlite3")
    drawn = [watched.draw(Screen("phone", seat, "en")).blocks for seat in (1, 2)]
    (bank,) = [key for key in drawn[0] if key.startswith("board_item ")][:1]
    board = [blocks[bank] for blocks in drawn]
    assert board[0] is board[1]
    german = watched.draw(Screen("phone", 1, "de")).blocks[bank]
    assert german != board[0]


def test_a_name_that_looks_like_the_end_of_a_block_is_no_markup(tmp_path):
    hall = NamedTable(tmp_path)
    hall.begin("<!--/block ask-->", "--><b>x", "Cleo")
    for page, seat in (("table", 0), ("share", 0), ("phone", 1)):
        screen = Screen(page, seat, "en", "a browser")
        part = draw_live_part(hall.app, hall.context, screen, None, Found())
        assert len(part.frame) == len(part.blocks) + 1
        assert [key for key, _ in PLACED.findall(part.html)] == [*part.blocks]
        assert ("--&gt;&lt;b&gt;x" in part.html) == (page != "share")
        assert "<b>x" not in part.html
    hall.close()
