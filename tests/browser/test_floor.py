"""The page of the floor in a browser: a call comes first and is heard, nothing old is green."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from companion.floor import CalledStaff, TableState
from tests.browser.conftest import PHONE, SCREEN
from tests.worlds.mosquitto import FloorProgram, Listener, Mosquitto, until

PLAYING = TableState(
    name="Table 1", place="Window", game="Bank", phase="seal", players=3, waiting=(2,),
    address="http://127.0.0.1:9/",
)  # fmt: skip
COUNT_NOTES = """() => {
const begin = AudioContext.prototype.createOscillator;
window.notes = 0;
AudioContext.prototype.createOscillator = function () { notes += 1; return begin.call(this); };
}"""


class Room:
    """A floor of twelve tables whose states the test publishes."""

    def __init__(self, folder: Path) -> None:
        self.broker = Mosquitto(folder)
        self.floor, self.listener = FloorProgram(self.broker), Listener(self.broker)

    def tell(self, n: int, **facts: object) -> None:
        state = msgspec.structs.replace(PLAYING, name=f"Table {n}", **facts)
        self.listener.publish(f"companion/{n:012x}/state", msgspec.json.encode(state))

    def open(self, browser: Browser, language: str = "en", **how: object) -> Page:
        page = browser.new_context(**how).new_page()  # type: ignore[arg-type]
        page.goto(f"{self.floor.address}?lang={language}")
        expect(page.locator(".tile")).to_have_count(12, timeout=60_000)
        return page

    def close(self) -> None:
        self.listener.close()
        self.floor.close()
        self.broker.kill()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    for n in range(1, 13):
        made.tell(n)
    yield made
    made.close()


def test_a_call_comes_first_is_said_and_heard_and_its_tile_opens_the_table(
    room: Room, chromium: Browser
) -> None:
    page = room.open(chromium)
    page.evaluate(COUNT_NOTES)
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => notes === 2")
    room.tell(9, call=CalledStaff(1, 2, 0))
    first = page.locator(".tile").first
    expect(first).to_contain_text("Table 9")
    expect(first).to_contain_text("Seat 2")
    expect(page.locator("#said")).to_have_text("Table 9: Staff, please")
    page.wait_for_function("() => notes === 4")
    assert first.locator("a").get_attribute("href") == "http://127.0.0.1:9/table"
    room.tell(9)
    expect(page.locator(".tile").first).to_contain_text("Table 1")


def test_when_the_floor_or_the_broker_is_silent_nothing_stays_green(
    room: Room, chromium: Browser
) -> None:
    page = room.open(chromium)
    expect(page.locator("body.lost")).to_have_count(0)
    room.broker.kill()
    expect(page.locator("#link")).to_contain_text("The floor cannot be reached")
    expect(page.locator("body.lost")).to_have_count(1)
    room.broker.start()
    expect(page.locator("body.lost")).to_have_count(0)
    room.floor.hold()
    expect(page.locator("#link")).to_contain_text("The floor cannot be reached")
    expect(page.locator("body.lost")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_it_fits_and_everyone_can_use_it(room: Room, chromium: Browser, language: str) -> None:
    looks = {
        1: {"call": CalledStaff(1, 0, 5)}, 2: {"stopped": "frozen"}, 3: {"light": "amber"},
        4: {"light": "red"}, 5: {"phase": "over"}, 6: {"stopped": "paused"}, 7: {"game": ""},
        8: {"place": "W" * 30},
    }  # fmt: skip
    for size in (PHONE, SCREEN):
        page = room.open(chromium, language, viewport=size, reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("lang", language)
        alarms = page.locator(".tile:is(.call, .judge, .amber, .red)")

        def are_told(alarms: Locator = alarms) -> bool:
            """Tell all again, as tables do: what is old turns grey on a busy machine."""
            for n, facts in looks.items():
                room.tell(n, **facts)
            return alarms.count() == 4

        until(are_told, "four alarms")
        until(lambda page=page: page.locator(".tile time").last.text_content(), "the ages")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert Axe().run(page).response["violations"] == []
