"""Checks of a game's pages: every phase on every screen and language, and at the sizes of phones.

Law: a table stands still for this, as a game played at random came to each of its phases; nothing
is read from a disk but templates and sheets. A name that a template knows and no facts have is a
fault.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import StrictUndefined, TemplateError

from companion.core.cards import Box
from companion.core.i18n import LANGUAGES, Message
from companion.games.game import Game
from companion.games.rulebook import AnyRulebook
from companion.table.telling import TellingClock
from companion.table.view import View, open_view, seat_view
from companion.testing.random_games import random_game
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import Screen, draw_live_part, render_page, template_facts
from web.static_files import find_file

T = TypeVar("T")
PHONES = ((390, 844), (390, 664), (360, 640))
"""Widths and heights of small phones."""
ADDRESS = "http://table.invalid"
BROWSERS = ("chromium-headless-shell", "chromium")
"""Debian's; the one without windows needs half the time."""


class NoBrowser(LookupError):
    """There is no Chromium on this machine."""


class StandingTable:
    """A table at which nothing happens: it stands as it is put."""

    def __init__(self, rules: AnyRulebook) -> None:
        self.rules, self.state = rules, None
        self.faults = self.guard = self
        self.game_fault: Message | None = None
        self.telling = TellingClock()

    def view(self, seat: int = 0) -> View:
        if seat:
            return seat_view(self.rules, self.state, 1, seat)
        return open_view(self.rules, self.state, 1)

    def ask(self, _asked: str, call: Callable[[], T], _box: Box | None = None) -> T:
        """Let what the game raises come out, as a finding."""
        return call()

    def find_failure(self, _asked: str, _error: Exception) -> None:
        """Take no error for one of the game: whatever is raised comes out."""

    def messages(self) -> tuple[Message, ...]:
        return ()


class StandingPages:
    """The pages of a table that stands still in each phase of a game."""

    def __init__(self, game: Game, seed: int) -> None:
        played = random_game(game, seed)
        self.states: dict[str, Any] = {state.phase: state for state in played.states}
        self.table = StandingTable(played.rules)
        self.app = create_app(AppContext(self.table))  # type: ignore[arg-type]

    def list_screens(self, language: str) -> Iterator[Screen]:
        """Yield the table screen, and the phone of every seat."""
        yield Screen("table", 0, language)
        for seat in range(1, len(next(iter(self.states.values())).players) + 1):
            yield Screen("phone", seat, language)

    def draw_page(self, phase: str, screen: Screen) -> str:
        """Return a whole page as it is first sent."""
        self.table.state = self.states[phase]
        with self.app.test_request_context(f"/{screen.page}"):
            return render_page(template_facts(self.app.extensions[CONTEXT_KEY], screen))


def check_screens(game: Game, seed: int) -> Iterator[str]:
    """Yield a sentence for each phase that a screen cannot show."""
    pages = StandingPages(game, seed)
    pages.app.jinja_env.undefined = StrictUndefined
    for phase, state in pages.states.items():
        pages.table.state = state
        for language in LANGUAGES:
            for screen in pages.list_screens(language):
                try:
                    draw_live_part(pages.app, pages.app.extensions[CONTEXT_KEY], screen)
                except (TemplateError, LookupError, TypeError, AttributeError) as error:
                    where = f"{screen.page} ({language}) in the phase “{phase}”"
                    yield f"The page {where}: {type(error).__name__}: {error}"


def find_browser(playwrights_own: str) -> str:
    """Return the Chromium of this machine: Debian's, or else playwright's if it is there; raise
    NoBrowser if neither is."""
    found = next(filter(None, map(shutil.which, BROWSERS)), playwrights_own)
    if not Path(found).exists():
        raise NoBrowser
    return found


def check_phone_sizes(game: Game, seed: int) -> Iterator[str]:
    """Yield a sentence for each phone on which a page is wider than its screen.

    Raises ImportError without playwright, and NoBrowser without a Chromium.
    """
    from playwright.sync_api import Route, sync_playwright  # noqa: PLC0415  Developers have it.

    pages = StandingPages(game, seed)

    def serve_file(route: Route) -> None:
        file = find_file(route.request.url.removeprefix(ADDRESS))
        if route.request.resource_type == "script" or file is None:
            route.abort()
        else:
            route.fulfill(body=file.plain, content_type=file.headers["Content-Type"])

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        browser = playwright.chromium.launch(executable_path=find_browser(own))
        page = browser.new_page(java_script_enabled=True)
        page.route("**/*", serve_file)
        for phase in pages.states:
            html = pages.draw_page(phase, Screen("phone", 1, "de"))
            html = html.replace("<head>", f'<head><base href="{ADDRESS}/">', 1)
            for width, height in PHONES:
                page.set_viewport_size({"width": width, "height": height})
                page.set_content(html, wait_until="load")
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    yield f"In the phase “{phase}” a phone of {width}×{height} is {wide} wide."
        browser.close()
