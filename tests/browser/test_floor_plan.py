"""The plan of the room: tables are dragged by mouse, finger and keyboard, seen by all pages."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from companion.floor.table_state import CalledStaff, TableState
from tests.worlds.mosquitto import until
from tests.worlds.served_floor import ServedFloor

replace = msgspec.structs.replace
PLAYING = TableState(name="Table 1", game="Bank", phase="seal", players=3, address="http://a/")
TABLE = f"{5:012x}"
pytestmark = pytest.mark.wide


@pytest.fixture
def floor() -> Iterator[ServedFloor]:
    served = ServedFloor()
    for n in range(1, 13):
        served.tell(f"{n:012x}", replace(PLAYING, name=f"Table {n}"))
    yield served
    served.close()


def open_plan(floor: ServedFloor, browser: Browser, width: int = 1920, **how: Any) -> Page:
    """Open the plan, ready to move tables."""
    height = 1080 if width > 1000 else 844
    page = browser.new_context(viewport={"width": width, "height": height}, **how).new_page()
    page.goto(floor.address)
    page.get_by_role("button", name="Room plan").click()
    page.get_by_role("button", name="Move tables").click()
    return page


def middle(page: Page, table: str) -> tuple[float, float]:
    """Return where a tile is; in one step, because the stream may exchange it at any moment."""
    box = page.evaluate(f"document.getElementById('tile-{table}').getBoundingClientRect().toJSON()")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def until_moved(page: Page, floor: ServedFloor, table: str = TABLE) -> None:
    expect(page.locator(f"#tile-{table}[data-x]")).to_be_visible()
    assert table in floor.tiles.spots


def test_a_table_is_dragged_by_mouse_while_news_come_and_another_page_follows(
    floor: ServedFloor, chromium: Browser
) -> None:
    page, other = open_plan(floor, chromium), open_plan(floor, chromium, 390)
    x, y = middle(page, TABLE)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 100, y + 50)
    floor.tell(TABLE, replace(PLAYING, name="Table 5", phase="open"))
    page.mouse.move(x + 300, y + 120, steps=4)
    page.mouse.up()
    until_moved(page, floor)
    assert middle(page, TABLE) == pytest.approx((x + 300, y + 120), abs=3)
    until_moved(other, floor)
    page.reload()
    expect(page.locator(f"#tile-{TABLE}[data-x]")).to_be_visible()
    assert middle(page, TABLE) == pytest.approx((x + 300, y + 120), abs=60)


def test_a_table_is_dragged_by_a_finger(floor: ServedFloor, chromium: Browser) -> None:
    page = open_plan(floor, chromium, 390, has_touch=True, is_mobile=True)
    page.locator(f"#tile-{TABLE}").scroll_into_view_if_needed()
    x, y = middle(page, TABLE)
    line = page.context.new_cdp_session(page)
    for kind, dx, dy in (("touchStart", 0, 0), ("touchMove", 40, 20), ("touchMove", 80, 60)):
        points = [{"x": x + dx, "y": y + dy}]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until_moved(page, floor)
    assert middle(page, TABLE) == pytest.approx((x + 80, y + 60), abs=3)


def test_a_table_is_moved_by_the_arrow_keys_and_the_new_place_is_said(
    floor: ServedFloor, chromium: Browser
) -> None:
    page = open_plan(floor, chromium)
    x, y = middle(page, TABLE)
    page.get_by_role("button", name="Move Table 5 in the plan").focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("#moved")).to_contain_text("Table 5:")
    until_moved(page, floor)
    moved = middle(page, TABLE)
    assert moved[0] > x + 20
    assert moved[1] > y + 20
    expect(page.get_by_role("button", name="Move Table 5 in the plan")).to_be_focused()
    floor.disk_fails = True
    page.keyboard.press("ArrowUp")
    expect(page.locator("#refused")).not_to_be_empty()


def test_two_tables_that_are_moved_in_quick_succession_are_both_kept(
    floor: ServedFloor, chromium: Browser
) -> None:
    page, others = open_plan(floor, chromium), (TABLE, f"{6:012x}")
    for table in others:
        page.locator(f"#tile-{table} .handle").press("ArrowRight")
    for table in others:
        until_moved(page, floor, table)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_call_is_answered_on_the_plan_which_everyone_can_use(
    floor: ServedFloor, chromium: Browser, scheme: str
) -> None:
    floor.tell(TABLE, replace(PLAYING, name="Table 5", call=CalledStaff(1, 2, 3)))
    for n, width in enumerate((390, 1920), 1):
        page = open_plan(floor, chromium, width, color_scheme=scheme)
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []
        page.get_by_role("button", name="Move tables").click()
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        page.get_by_role("button", name="Call answered: Table 5").click()
        until(lambda n=n: floor.answered == [(TABLE, 1)] * n, "the answer")
        expect(page.locator("#refused")).to_be_hidden()
