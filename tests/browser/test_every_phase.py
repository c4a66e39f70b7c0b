"""Everything can be read, in every phase of every game, in every language, on every screen; and on
a phone the question with its button is in sight."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from companion.core.i18n import LANGUAGES
from tests.browser.conftest import PHONE, SCREEN, SHORT, SMALLEST
from tests.browser.test_fist import HIDDEN
from tests.worlds.own_games import own_games
from tests.worlds.real_pages import unreadable
from tests.worlds.served import Served
from tests.worlds.standing_tables import (
    FROZEN,
    LAST,
    NEVER,
    cookie,
    play_on,
    played,
    served,
    states,
)
from web.context import CONTEXT_KEY

# One evening of a game, played again on a served table from phase to phase.

HOST = "host"


class Evening(Served):
    """A table at which nothing has happened, and its pages at an address."""

    def __init__(self, path: Path, game: str) -> None:
        self.game, self.at, self.is_frozen, self.language = game, 0, False, "en"
        self._app = served(path, game, NEVER)
        self._here = self._app.extensions[CONTEXT_KEY]
        self.table, self.seats = self._here.table, self._here.seats
        self._here.host.sessions.admit_by_pass(HOST)
        super().__init__(self._app)

    def phases(self) -> Iterator[str]:
        """Play to every state of this game that is worth a look, in order, and call the judge in
        the end; its name."""
        found = {name: at for name, at in states(self.game).items() if name not in LAST}
        del found[NEVER]
        for name, after in sorted(found.items(), key=lambda one: one[1]):
            play_on(self.table, played(self.game).events[self.at : after])
            if not self.at:
                self._sit_down()
            self.at = after
            yield name
        self.is_frozen = self.table.request(*LAST[FROZEN]) is None
        yield FROZEN

    def _sit_down(self) -> None:
        for seat in range(1, len(self.view().public.seats) + 1):
            assert self.seats.take_seat(seat, f"browser {seat}") is None

    def speak(self, code: str) -> None:
        """This is the language of the table from now on."""
        self.language = code
        self._here.set_language(code)

    def view(self) -> Any:
        """What everyone sees."""
        return self.table.view()

    def cookie_of(self, seat: int) -> str:
        """The cookie of the browser at this seat, or of the host."""
        return cookie(self._app, f"browser {seat}" if seat else HOST)


LONGEST = "de"
"""The language with the longest words: in it a phone that waits is looked at as well."""
TABLET = {"width": 768, "height": 1024}
PHONES = (PHONE, SHORT, SMALLEST)
OUT_OF_SIGHT = """() => {
  const low = document.querySelector(".yours")?.getBoundingClientRect().top ?? innerHeight;
  const question = document.querySelector("#judge") ?? document.querySelector("#status");
  const buttons = [...document.querySelectorAll("#judge button, #ask button, #ask a.button")];
  const shown = buttons.filter((one) => one.checkVisibility());
  const main = shown.find((one) => one.classList.contains("main")) ?? shown[0];
  return [question, main].filter((one) => one)
    .filter((one) => one.getBoundingClientRect().bottom > low)
    .map((one) => one.textContent.trim());
}"""
"""The question, or its first button, if one must scroll to it."""
MUCH = """() => [[...document.querySelectorAll("a, button, summary, select, input")].filter(
  (one) => one.checkVisibility() && one.getBoundingClientRect().width > 1,
).length, document.documentElement.scrollHeight]"""
MOST_THINGS, MOST_HIGH = 12, 1_500
"""What the host may tap, and how high the page is."""
UNFOLD = "document.querySelectorAll('details').forEach((one) => (one.open = true))"


@pytest.mark.wide
@pytest.mark.parametrize("game", own_games())
def test_everything_can_be_read_in_every_phase(put_up, open_browser, game):
    evening = put_up(Evening, game)
    pages = {code: watch(open_browser(locale=code)) for code in LANGUAGES}
    wrong: list[str] = []
    for phase in evening.phases():
        for code, page in pages.items():
            evening.speak(code)
            wrong += [f"{phase} {code} {one}" for one in misread(evening, page)]
    assert wrong == []


def watch(context: BrowserContext) -> Page:
    """A page that only looks. Whatever it sent by itself would be signed by a key that is not that
    of its cookie, and the table would lead it to the door."""
    context.route("**/api/**", lambda _never_answered: None)
    return context.new_page()


def misread(evening: Evening, page: Page) -> Iterator[str]:
    """What cannot be read on the phone that is asked, another one, and the table screen."""
    seat = min(evening.view().public.waiting, default=1)
    show(page, evening, seat, f"/phone/{seat}")
    for size in (*PHONES, TABLET):
        yield from at(page, size)
        if size in PHONES:
            yield from (f"{size} out of sight: {one}" for one in page.evaluate(OUT_OF_SIGHT))
        if size in PHONES and page.locator("#ask > form.seal").count():
            yield from (f"{size} hidden under bid: {one[:120]}" for one in page.evaluate(HIDDEN))
    page.evaluate(UNFOLD)
    yield from at(page, SMALLEST)
    if evening.language == LONGEST:
        other = seat % len(evening.view().public.seats) + 1
        show(page, evening, other, f"/phone/{other}")
        yield from at(page, SMALLEST)
        show(page, evening, 0, "/host")
        yield from at(page, PHONE)
        things, high = page.evaluate(MUCH)
        if things > MOST_THINGS or high > MOST_HIGH:
            yield f"/host {things} things to tap on {high} px"
    show(page, evening, 0, "/judge" if evening.is_frozen else "/table")
    for size in (SCREEN, TABLET):
        yield from at(page, size, least=0, whole=size is SCREEN and not evening.is_frozen)
    page.goto("about:blank")  # What is shown is loaded again in another language.


def show(page: Page, evening: Evening, seat: int, path: str) -> None:
    page.goto("about:blank")  # A page whose cookie is gone leaves by itself.
    page.context.clear_cookies()
    page.context.add_cookies(
        [{"name": "companion", "value": evening.cookie_of(seat), "url": evening.address}]
    )
    page.goto(evening.address + path)


def at(page: Page, size: dict[str, Any], **how: Any) -> Iterator[str]:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    path, wide, high = page.url.split("/", 3)[3], size["width"], size["height"]
    yield from (f"{path} {wide}x{high} {one}" for one in unreadable(page, **how))


SPOILT = {
    "cut": "width: 3em; overflow: hidden; white-space: nowrap",
    "overlap": "position: absolute; inset: 0 auto auto 0",
    "px small": "font-size: 11px",
}


def test_the_measure_finds_what_cannot_be_read(open_browser):
    page = open_browser().new_page()
    sheet = "body {margin: 0} p {margin: 0; font-size: 16px}"
    for wrong, style in SPOILT.items():
        said = "<p>These words can be read well.</p><p>So can these.</p>"
        page.set_content(f"<style>{sheet}</style>{said}")
        assert unreadable(page) == []
        page.locator("p").last.evaluate("(e, style) => e.setAttribute('style', style)", style)
        assert [wrong for one in unreadable(page) if wrong in one] == [wrong]
