"""A real browser, and a real `companion play` for it to visit. Waits are for things, not times."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from companion.core import i18n
from tests.worlds.campaign import IS_WIDE
from tests.worlds.served import Company, Hall, House
from web.static_files import files_version

BROWSERS = ("chromium-headless-shell", "chromium")
"""Debian's; the one without windows needs half the time."""
CALM = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip
PHONE = {"width": 390, "height": 844}
SHORT = {"width": 390, "height": 664}
SMALLEST = {"width": 360, "height": 640}
SCREEN = {"width": 1920, "height": 1080}
WITHIN_MS = 60_000
expect.set_options(timeout=WITHIN_MS)  # Two busy cores are slow; what never comes still fails.
ANY_LANGUAGE = {"extra_http_headers": {"Accept-Language": "*"}}
LANGUAGES = i18n.LANGUAGES if IS_WIDE else ("de",)
"""Those in which it is looked whether everything fits; all other tests speak English."""
FILES = f"/static/{files_version()}"
"""Where the scripts of this tree are served; two addresses of a module would be two modules."""
COMPANION = "import sys; from companion.cli import main; sys.exit(main())"


def find_chromium() -> str | None:
    """Return Debian's Chromium; None if it is not installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="package")  # Its event loop must be gone when other tests want one.
def chromium() -> Iterator[Browser]:
    found = find_chromium()
    if found is None and os.environ.get("CI") == "true":
        pytest.fail("There is no Chromium here, and in CI the pages must be driven.")
    if found is None:
        pytest.skip("There is no Chromium here to drive the pages with.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
        yield browser
        browser.close()


class Playing:
    """A companion that runs as a program of its own, on a folder of its own."""

    def __init__(self, path: Path, *words: str) -> None:
        self.folder = path.with_suffix("")
        command = [sys.executable, "-u", "-c", COMPANION, *words, "--data", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        says = re.compile(
            r"(http://localhost:\d+)/table$" if "play" in words else r"(http://\S+)/$"
        )
        self.address = next(found[1] for found in map(says.search, self.process.stdout) if found)

    def shut(self) -> None:
        """Have it end, as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(autouse=True)
def no_page_stays_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close what a test has opened: a page that is left goes on asking and drawing beside all
    later tests. What a module shares stays."""
    if "chromium" not in request.fixturenames:
        yield
        return
    browser: Browser = request.getfixturevalue("chromium")
    shared = [*browser.contexts]
    yield
    for context in browser.contexts:
        if context not in shared:
            context.close()


@pytest.fixture
def open_browser(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Somebody's own browser; a fault in a page's script is a fault of the test.

    It asks for reduced motion, for pictures in motion are drawn sixty times a second; and, without
    a `locale`, for any language, so that a page is in that of the table.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def come(size: dict[str, int] = PHONE, **how: object) -> BrowserContext:
        how = {"reduced_motion": "reduce"} | ({} if "locale" in how else ANY_LANGUAGE) | how
        context = chromium.new_context(viewport=size, **how)  # type: ignore[arg-type]
        context.set_default_timeout(WITHIN_MS)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        contexts.append(context)
        return context

    yield come
    for context in contexts:
        context.close()
    assert faults == []


def sit(context: BrowserContext, address: str, name: str) -> Page:
    """Sit down under this name; the phone page."""
    page = context.new_page()
    page.goto(address)
    page.locator("li", has_text=name).get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    return page


SURE_MS = 400
"""Longer than a second press must be away from the first one, to count (sealed_bid.mjs)."""


def seal(page: Any) -> None:
    """Seal the hand as those do who cannot hold a button: by pressing it twice; once, if something
    is wrong, which is then told at once."""
    button = page.locator("[data-seals] >> visible=true").first
    button.click()
    while button.and_(page.locator("[data-armed]")).count():  # Again, if the second was late.
        page.wait_for_timeout(SURE_MS)
        button.click()


ALSO = """async (seat) => (await import("/static/js/signing.mjs")).sendSigned(
  `/api/join/seats/${seat}`, JSON.stringify({ key: `also${seat}`, also: true }),
  { "Content-Type": "application/json" })""".replace("/static", FILES)
"""Someone else sits down, and plays from the same phone."""
T = TypeVar("T")


@pytest.fixture
def put_up(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Put up a table of some kind, and its pages; all are shut in the end."""
    tables: list[Any] = []

    def put(kind: Callable[..., T], *what: Any, **how: Any) -> T:
        made = kind(tmp_path / f"{len(tables)}.sqlite3", *what, **how)
        tables.append(made)
        return made

    yield put
    for table in tables:
        table.shut()


@pytest.fixture
def play(put_up: Callable[..., Playing]) -> Callable[..., Playing]:
    """Start `companion play` with more words on its command line."""
    how = ("--address", "127.0.0.1", "--port", "18500", "--pace", "fast")
    return partial(put_up, Playing, "play", "--no-browser", *how)


@pytest.fixture
def company(put_up: Callable[..., Company]) -> Callable[..., Company]:
    """A simulated table of a game."""
    return partial(put_up, Company)


@pytest.fixture
def hall(put_up: Callable[..., Hall]) -> Callable[..., Hall]:
    """A table with nothing on it yet."""
    return partial(put_up, Hall)


@pytest.fixture
def open_house(put_up: Callable[..., House]) -> Callable[..., House]:
    """A table with readers; a card lies at each bank."""

    def open_(**how: Any) -> House:
        house = put_up(House, **how)
        for bank in range(1, 6):
            house.lay("5", bank)
        return house

    return open_
