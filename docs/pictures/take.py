"""`make pictures`: the pictures of the README, taken of the real thing in a real browser.

Law: nothing depends on a clock or on luck. The box is shuffled by a fixed seed, bots play up to a
certain moment, and there everything stands still while the picture is taken.
"""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from companion.app.default_players import NAMES
from companion.app.simulated.simulation import Simulation
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.view import View
from tests.worlds.simulated_hands import deal, simulated
from web.app import create_app
from web.context import AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets

HERE = Path(__file__).parent
GAME, SEED, SEAT, PLAYERS = "bankueberfall", 7, 1, 4
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
PORT = 18_900
"""This or the next one that is free; no picture shows it."""
CALM = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"]


class Picture(NamedTuple):
    """What is shown of which moment, and how large."""

    name: str
    page: str
    wide: int
    high: int
    shrunk: float
    moment: Callable[[View], bool]


def sealing(view: View) -> bool:
    """The second robbery: everyone counts coins in secret, and seat 1 has not closed its hand."""
    public = view.public
    return public.phase == "seal" and public.verdict is not None and SEAT in public.waiting


def paid_out(view: View) -> bool:
    """A robbery in which several cards mattered is resolved, and everyone reads why."""
    public = view.public
    return public.phase == "refill" and len(public.verdict.steps) >= 9


def laying(view: View) -> bool:
    """Seat 1 is to lay a card, and something lies at every bank."""
    public = view.public
    return public.phase == "place" and SEAT in public.waiting and all(public.banks)


PICTURES = (
    Picture("table", "table", 1920, 1080, 0.5, paid_out),
    Picture("phone", f"phone/{SEAT}", 390, 844, 1.0, sealing),
    Picture("play", f"play/{SEAT}", 1280, 896, 0.625, laying),
)


def main() -> None:
    """Take every picture."""
    for picture in PICTURES:
        asyncio.run(take(picture))
        print(HERE / f"{picture.name}.png")


async def take(picture: Picture) -> None:
    """Play up to the moment, open the doors, and press the shutter."""
    with tempfile.TemporaryDirectory() as folder, closing(_journal(folder)) as journal:
        seats = Seats(open_house=True)
        evening = simulated(journal, GAME, seats, NAMES[:PLAYERS], seed=SEED)
        deal(evening)
        play_on(evening, picture.moment)
        context = AppContext(evening.host.table, seats, evening, evening.host)
        app = create_app(context)
        server = Server(app, bind_sockets(PORT))
        await asyncio.to_thread(shoot, picture, f"http://localhost:{server.port}")
        await server.stop()


def _journal(folder: str) -> Journal:
    return Journal(Path(folder) / "journal.sqlite3")


def play_on(evening: Simulation, moment: Callable[[View], bool]) -> None:
    """Bots act until it has come."""
    while True:
        evening.source.poll()
        view = evening.host.table.view()
        if view is not None and moment(view):
            return
        if not evening.bots.play_one():
            sys.exit("The moment of this picture never comes.")


def shoot(picture: Picture, address: str) -> None:
    """Sit down with a browser, look at the page, and keep what is seen."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CALM)
        context = browser.new_context(
            viewport={"width": picture.wide, "height": picture.high},
            device_scale_factor=picture.shrunk,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(f"{address}/play")
        page.locator(".welcome .act button").click()
        page.wait_for_url("**/play/*")
        page.goto(f"{address}/{picture.page}")
        for phone in page.locator("iframe").all():
            phone.content_frame.locator("#ask").wait_for()
        page.screenshot(path=HERE / f"{picture.name}.png", animations="disabled")
        browser.close()


if __name__ == "__main__":
    main()
