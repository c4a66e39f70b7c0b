"""A calm table: no page of it moves or sounds, and every result is told at once."""

from pathlib import Path

import pytest

from companion.games.new_game import NewGame
from companion.host.settings import load_choices
from tests.web.socket_clients import Cafe, run_story
from tests.worlds.fresh_table import Fresh
from tests.worlds.fresh_table import host as host_of

CALM = 'data-calm="table"'
PAGES = ("/", "/table", "/judge", "/host", "/host/health", "/first", "/no-such-page")


@pytest.fixture
def table(tmp_path: Path) -> Fresh:
    return Fresh(tmp_path)


def test_the_host_makes_every_page_calm_and_lively_again(table: Fresh) -> None:
    host = host_of(table)
    for is_calm in (True, False):
        host.calls("calm", calm=is_calm)
        assert {CALM in host.get(page).text for page in PAGES} == {is_calm}
        assert table.real.table.telling.is_calm == is_calm
        assert load_choices(table.real.folder).calm == is_calm
    table.shut()


def test_pages_that_are_open_come_anew_and_programs_go_on(table: Fresh) -> None:
    async def story(cafe: Cafe) -> None:
        screen = await cafe.listen("table")
        program = await cafe.listen("table", base="/api/stream")
        await anext(screen)
        before = await anext(program)
        host_of(table).calls("calm", calm=True)
        assert "anew" in [name async for name, _ in screen]
        assert table.host.begin_game(NewGame("bankueberfall", ("Ana", "Ben"))) is None
        assert (await anext(program))[0] == before[0]

    run_story(table.app, story)
    table.shut()
