"""Script of the floor page for a change of a table, in a real browser, with 100 tables on it.

What is counted is DevTools' ScriptDuration while the page takes so many changes one after the
other, a call among ten of them, divided by their number: what takes the event apart, exchanges the
tile and puts it in its place. The page's clock, which ages all tiles once a second, is in it, and
what looks for the change from here: the figure is rather too high. Measured on the counter screen,
and with the processor slowed to a sixth, as that of a cheap phone.
"""

import statistics
import sys
from collections.abc import Iterator
from contextlib import closing

import msgspec
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.measure import Figure
from companion.floor.table_state import CalledStaff, TableState
from tests.browser.conftest import CALM, PHONE, SCREEN, find_chromium
from tests.worlds.served_floor import ServedFloor

TABLES, CHANGES, RUNS = 100, 100, 3
BAR = 5.0
FRAME_MS = 1000 / 60
SLOWER = 6
WITHIN_MS = 60_000
STATE = TableState(
    place="Window",
    game="Bank",
    phase="seal",
    players=3,
    waiting=(2,),
    address="http://127.0.0.1:9/",
)


def figures() -> Iterator[Figure]:
    """Yield the milliseconds of script for each change."""
    found = find_chromium()
    if found is None:
        print("There is no Chromium here to show the floor page.", file=sys.stderr)
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
        for what, size, slower, bar in (
            ("on the counter screen", SCREEN, 1, BAR),
            ("on a phone, at a sixth", PHONE, SLOWER, BAR * SLOWER),
        ):
            took = statistics.median(_measure_page(browser, size, slower) for _ in range(RUNS))
            name = f"script for a change of {TABLES} tables, {what}"
            yield Figure(name, took, "ms", bar, False, "a frame at 60 Hz", took / FRAME_MS)
        browser.close()


def _measure_page(browser: Browser, size: dict[str, int], slower: int) -> float:
    with closing(ServedFloor()) as floor:
        for n in range(TABLES):
            _tell(floor, n, 0)
        context = browser.new_context(viewport=size)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(floor.address)
        page.wait_for_function(f"document.querySelectorAll('.tile').length === {TABLES}")
        line = context.new_cdp_session(page)
        line.send("Performance.enable")
        line.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        before = _script_ms(line)
        for change in range(1, CHANGES + 1):
            _tell(floor, change % TABLES, change)
            _wait_for_change(page, change)
        took = (_script_ms(line) - before) / CHANGES
        context.close()
    return took


def _tell(floor: ServedFloor, n: int, change: int) -> None:
    call = CalledStaff(change, 2, 0) if change and change % 10 == 0 else None
    told = msgspec.structs.replace(STATE, name=f"Table {n}", place=f"Change {change}", call=call)
    floor.tell(f"{n:012x}", told)


def _wait_for_change(page: Page, change: int) -> None:
    """Wait for a change without a script of the page: by what its elements hold."""
    page.get_by_text(f"Change {change}", exact=True).wait_for(timeout=WITHIN_MS)


def _script_ms(line: CDPSession) -> float:
    metrics = line.send("Performance.getMetrics")["metrics"]
    return 1000 * next(float(one["value"]) for one in metrics if one["name"] == "ScriptDuration")


if __name__ == "__main__":
    for each in figures():
        print(each)
