"""The demo loop in real browsers: there, out of it by a press and a tap, and back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from companion.core.sensor_events import ButtonPressed
from companion.host.demo import IDLE, load_demo
from tests.browser.conftest import SCREEN
from tests.worlds.served import ServedDemo

SQUARE = """() => {
  const code = document.querySelector(".way .qr");
  return code.getBoundingClientRect().width / code.viewBox.baseVal.width;
}"""
"""How wide a square of the code is."""
CODE = "http://192.168.178.20:8000/"


@pytest.fixture
def served_demo_table(put_up: Callable[..., ServedDemo]) -> ServedDemo:
    quiet = put_up(ServedDemo, address=CODE)
    quiet.turn()
    return quiet


def test_from_the_loop_by_a_press_and_a_tap_to_a_game_and_back(
    served_demo_table: ServedDemo, open_browser: Callable[..., BrowserContext]
) -> None:
    screen = open_browser(SCREEN, reduced_motion="no-preference").new_page()
    screen.goto(served_demo_table.address + "/table")
    ribbon = screen.get_by_role("button", name="Demo: press any button")
    expect(ribbon).to_be_visible()
    assert screen.evaluate(SQUARE) >= 12, "6 mm on 43 inches: read from three metres"
    served_demo_table.until(lambda scene: scene.before is not None)
    expect(screen.locator("#stage .picture")).to_be_visible()

    served_demo_table.evening.host.filter_evidence([ButtonPressed(1.0, 1)])
    assert served_demo_table.turn() is None
    expect(screen.get_by_text("Scan the code and take a seat.")).to_be_visible()
    expect(screen.locator(".brand")).to_have_text("Table companion")

    phone = open_browser(has_touch=True).new_page()
    phone.goto(served_demo_table.address)
    phone.get_by_role("button", name="Banküberfall").tap()
    phone.wait_for_url("**/play/1")
    expect(screen.locator(".player")).to_have_count(3)
    served_demo_table.turn()
    served_demo_table.evening.bots.play_one()

    assert served_demo_table.turn(IDLE) is not None
    expect(ribbon).to_be_visible()
    expect(screen.locator(".brand")).to_have_text(load_demo()[1].record.header.title)
    phone.wait_for_url(served_demo_table.address + "/")
    assert served_demo_table.turn() is not None, (
        "the phone that was left on the table keeps nobody there"
    )
