"""The screens of a game, drawn as they stand in each phase and measured in a browser: nothing
overflows the table screen or a phone, and no page prints Python.

A maker's test imports `check_screens`; it needs Playwright with Chromium.
"""

import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core.i18n import LANGUAGES, Message
from companion.games.game import Game
from companion.games.rulebook import AnyRulebook
from companion.table.telling import TellingClock
from companion.table.view import View, make_view
from companion.testing.laws import PYTHON, play_at_random
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.scene import Screen, make_scene
from web.rendering.screens import draw_page
from web.static_files import find_file

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

T = TypeVar("T")
ADDRESS = "http://table.invalid"
SIZES = {"table": (1920, 1080), "phone": (360, 640)}
TAG = re.compile(r"<script.*?</script>|<style.*?</style>|<[^>]*>", re.DOTALL)
SPILT = """(tall) => {
  const spilt = [];
  const cuts = (box, within) => box.left < within.left - 2 || box.right > within.right + 2
    || tall && (box.top < within.top - 2 || box.bottom > within.bottom + 2);
  const clips = (e) => getComputedStyle(e).overflow === "hidden"
    && getComputedStyle(e).textOverflow !== "ellipsis";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const around = texts.currentNode.parentElement;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = (around instanceof SVGElement ? around : range).getBoundingClientRect();
    if (!texts.currentNode.data.trim() || !around.checkVisibility() || !box.width
      || tall && around.closest(".verdict")) continue;
    const frames = [];
    let e = around;
    for (; e !== document.body && getComputedStyle(e).overflowY !== "auto"; e = e.parentElement) {
      if (clips(e)) frames.push(e.getBoundingClientRect());
    }
    if (e === document.body) frames.push(new DOMRect(0, 0, innerWidth, innerHeight));
    const isUnseen = frames.some((frame) => frame.width < 5);
    const isCut = frames.some((frame) => cuts(box, frame));
    if (isCut && !isUnseen) spilt.push(texts.currentNode.data.trim());
  }
  return [...new Set(spilt)];
}"""
"""The texts that are cut at the side of the window or of a frame, and where all must fit, below. A
verdict is not among them there: a script makes it fit."""


class StandingTable:
    """A table without events: it stands as it is put."""

    def __init__(self, rules: AnyRulebook) -> None:
        self.rules, self.state = rules, None
        self.faults = self.guard = self
        self.game_fault: Message | None = None
        self.telling = TellingClock()

    @property
    def seats(self) -> int:
        """Number of players; 0 before the first game."""
        return len(self.state.players) if self.state is not None else 0

    def view(self, seat: int = 0) -> View:
        return make_view(self.rules, self.state, 1, seat)

    def find_failure(self, _asked: str, _error: Exception) -> None:
        """Re-raise every error."""

    def messages(self) -> tuple[Message, ...]:
        return ()


class StandingPages:
    """The pages of a table that stands still in each phase, as a game played at random had it."""

    def __init__(self, game: Game, seed: int) -> None:
        played = play_at_random(game, seed)
        self.states: dict[str, Any] = {state.phase: state for state in played.states}
        self.table = StandingTable(played.rules)
        self.app = create_app(AppContext(self.table))  # type: ignore[arg-type]

    def draw_page(self, phase: str, screen: Screen) -> str:
        """Return a whole page as it is first sent."""
        self.table.state = self.states[phase]
        with self.app.test_request_context(f"/{screen.page}"):
            return draw_page(make_scene(self.app.extensions[CONTEXT_KEY], screen))


def show_page(page: "Page", drawn: str) -> None:
    """Show a drawn page in a browser, with its sheets."""

    def serve(route: "Route") -> None:
        file = find_file(route.request.url.removeprefix(ADDRESS))
        assert file is not None
        route.fulfill(body=file.plain, content_type=file.headers["Content-Type"])

    page.route(re.compile(r"/static/.*\.(css|svg|woff2)$"), serve)
    page.set_content(drawn.replace("<head>", f'<head><base href="{ADDRESS}/">', 1))


def check_screens(game: Game, page: "Page") -> list[str]:
    """Return a sentence for each screen that overflows, or prints Python."""
    seats = game.standard_box().players
    return list(_find_faults(StandingPages(game, seats.most - seats.least), page))


def _find_faults(pages: StandingPages, page: "Page") -> Iterator[str]:
    for phase in pages.states:
        for name, (width, height) in SIZES.items():
            for code in LANGUAGES:
                drawn = pages.draw_page(phase, Screen(name, int(name != "table"), code))
                where = f"{name}, “{phase}”, {code}"
                text = html.unescape(TAG.sub("", drawn))
                yield from (
                    f"{where}: Python in the text: {sign}" for sign in PYTHON if sign in text
                )
                page.set_viewport_size({"width": width, "height": height})
                show_page(page, drawn)
                yield from (
                    f"{where}: overflows: “{told}”"
                    for told in page.evaluate(SPILT, name == "table")
                )
