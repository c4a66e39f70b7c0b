"""What makes painting quick changes no byte of a page."""

from random import Random

import pytest
from flask.templating import Environment
from msgspec.structs import replace

from companion.seating.seats import SeatHolder, Seats
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Dice, Evening
from tests.worlds.stream_text import full_state
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.blocks import BlockPainter
from web.rendering.languages import offered_languages
from web.rendering.scene import Screen
from web.rendering.screens import BLOCK_PAINTER


@pytest.mark.parametrize("game", own_games())
def test_pages_are_as_jinja_itself_would_paint_them(tmp_path, game):
    watched = Watched(tmp_path / "journal.sqlite3", game)
    ours, jinjas = (
        create_app(AppContext(watched.table, Seats({1: SeatHolder("ana")}))) for _ in range(2)
    )
    jinjas.jinja_env.__class__ = Environment
    jinjas.extensions[BLOCK_PAINTER] = BlockPainter(jinjas.jinja_env)
    states = Evening(game, Dice(Random(5)), watched.table.seats).play().states[1:]
    for state in states[:: len(states) // pick(6, 60, 200) or 1]:
        watched.table.history = replace(watched.table.history, state=state)
        for page, seat in (("phone", 1), ("table", 0)):
            for language in offered_languages():
                screen = Screen(page, seat, language)
                painted = [
                    full_state(app, app.extensions[CONTEXT_KEY], screen) for app in (ours, jinjas)
                ]
                assert painted[0] == painted[1]
                assert len(painted[0]) > 100
    watched.journal.close()
