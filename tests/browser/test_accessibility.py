"""axe-core finds nothing wrong, on any page in any phase, and every page fits; a new page is a line
here."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.conftest import LANGUAGES, PHONE, SCREEN
from tests.browser.test_page_behaviour import looks_right
from tests.worlds.campaign import IS_LARGE, pick
from tests.worlds.own_games import own_games
from tests.worlds.real_pages import violations
from tests.worlds.served import Standing
from tests.worlds.standing_tables import FROZEN, NEVER, states

WIDE = ("table", "judge")
UNFOLD = "document.querySelectorAll('details').forEach((one) => (one.open = true))"


@pytest.fixture
def look(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A page as a browser shows it that lets axe in; the table's own would not."""
    contexts: list[BrowserContext] = []

    def at(table: Standing, path: str, **how: Any) -> Page:
        how = {"reduced_motion": "reduce"} | how  # What fades in is pale for a moment.
        size = SCREEN if path.split("/")[1] in WIDE else PHONE
        context = chromium.new_context(viewport=size, bypass_csp=True, **how)  # type: ignore[arg-type]
        contexts.append(context)
        context.add_cookies([{"name": "companion", "value": table.cookie, "url": table.address}])
        page = context.new_page()
        page.goto(table.address + path)
        page.evaluate(UNFOLD)
        return page

    yield at
    for context in contexts:
        context.close()


@pytest.fixture
def stand(put_up: Callable[..., Standing]) -> Callable[..., Standing]:
    """A table in some state of some game."""
    return partial(put_up, Standing)


TOLD = pick(("over",), ("seal", "over", FROZEN), ())
ASKING = {
    "bankueberfall": ("place", "seal", "refill", FROZEN),
    "banque_fatale": ("choose", "seal", "take", "over"),
    "robby_solo": ("seal", "declare", "junior"),
}
"""Of the table screen and of phones; axe takes its time, so every phase is in `make bars`."""
PAGES = (
    "/", "/table", "/judge", "/judge/case", "/share", "/share#for-1", "/host",
    "/host/enter", "/host/people", "/host/table", "/host/care", "/host/health",
    "/host/new/robby_solo", "/phone/elsewhere", "/phone/1/correct/1", "/phone/1/count",
    "/host/correct/1", "/phone/1/correct/999", "/nowhere", "/no-internet",
)  # fmt: skip
EMPTY = ("/", "/table", "/phone/1", "/share", "/host", "/judge")


@pytest.mark.wide
@pytest.mark.parametrize("path", PAGES)
def test_every_page_can_be_used_by_everyone(stand, look, path):
    table = stand("bankueberfall", "refill")
    assert violations(look(table, path)) == []
    for language in LANGUAGES:
        looks_right(look(table, path, locale=language))


@pytest.mark.wide
def test_before_the_first_game_too(stand, look):
    table = stand("bankueberfall", NEVER)
    assert [wrong for path in EMPTY for wrong in violations(look(table, path))] == []


@pytest.mark.wide
@pytest.mark.parametrize("game", own_games())
def test_the_phone_can_be_used_by_everyone_in_every_phase(stand, look, game):
    wrong: list[str] = []
    for state in set(states(game)) - {NEVER} if IS_LARGE else ASKING[game]:
        wrong += [f"{state} {one}" for one in violations(look(stand(game, state), "/phone/1"))]
    assert wrong == []


@pytest.mark.parametrize("game", pick(["bankueberfall"], own_games(), own_games()))
def test_the_table_can_be_used_by_everyone(stand, look, game):
    wrong: list[str] = []
    for state in set(states(game)) - {NEVER} if IS_LARGE else TOLD:
        wrong += [f"{state} {one}" for one in violations(look(stand(game, state), "/table"))]
    assert wrong == []


@pytest.mark.wide
def test_the_log_before_a_called_judge_too(stand, look):
    assert violations(look(stand("bankueberfall", FROZEN), "/judge/log")) == []


@pytest.mark.wide
@pytest.mark.parametrize("path", ["/table", "/phone/1"])
def test_with_high_contrast_too(stand, look, path):
    table = stand("banque_fatale", "take")
    assert violations(look(table, path, contrast="more")) == []


def test_axe_does_find_what_is_wrong(stand, look):
    page = look(stand("bankueberfall", "seal"), "/table")
    page.evaluate("document.body.append(document.createElement('button'))")
    assert any("button-name" in wrong for wrong in violations(page))
