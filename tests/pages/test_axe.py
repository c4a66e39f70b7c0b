"""axe-core finds nothing wrong, on any page in any phase; a new page is a line here."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from companion.games import RULEBOOKS
from tests.pages.axe import violations
from tests.pages.conftest import PHONE, SCREEN
from tests.pages.standing import Standing
from tests.web.standing import states

WIDE = ("table", "judge")
FOLDED = "document.querySelectorAll('details').forEach((one) => (one.open = true))"


@pytest.fixture
def look(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A page as a browser shows it that lets axe in; the table's own would not."""
    contexts: list[BrowserContext] = []

    def at(table: Standing, path: str, **how: Any) -> Page:
        size = SCREEN if path.strip("/").split("/")[0] in WIDE else PHONE
        contexts.append(chromium.new_context(viewport=size, bypass_csp=True, **how))  # type: ignore[arg-type]
        contexts[-1].add_cookies(
            [{"name": "companion", "value": table.cookie, "url": table.address}]
        )
        page = contexts[-1].new_page()
        page.goto(table.address + path)
        page.evaluate(FOLDED)
        return page

    yield at
    for context in contexts:
        context.close()


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Callable[..., Standing]]:
    """A table in some state of some game, and its pages."""
    tables: list[Standing] = []

    def put(game: str, state: str) -> Standing:
        tables.append(Standing(tmp_path / f"{len(tables)}.sqlite3", game, state))
        return tables[-1]

    yield put
    for table in tables:
        table.shut()


PAGES = ("/", "/table", "/judge", "/judge/case", "/host", "/host/new", "/share", "/nowhere")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_can_be_used_by_everyone(stand, look, path):
    assert violations(look(stand("bankueberfall", "refill"), path)) == []


@pytest.mark.parametrize("path", ["/", "/table", "/host"])
def test_before_the_first_game_too(stand, look, path):
    assert violations(look(stand("bankueberfall", "never begun"), path)) == []


@pytest.mark.parametrize("game", RULEBOOKS)
def test_phone_and_table_can_be_used_by_everyone_in_every_phase(stand, look, game):
    wrong: list[str] = []
    for state in states(game):
        table = stand(game, state)
        for path in ("/phone/1", "/table"):
            wrong += [f"{state} {one}" for one in violations(look(table, path))]
    assert wrong == []


@pytest.mark.parametrize("path", ["/table", "/phone/1"])
@pytest.mark.parametrize("wish", [{"reduced_motion": "reduce"}, {"contrast": "more"}])
def test_calm_and_high_contrast_too(stand, look, path, wish):
    assert violations(look(stand("banque_fatale", "take"), path, **wish)) == []
