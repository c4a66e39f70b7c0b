"""The same path in Firefox and WebKit: join, seal, sleep and wake, open, reveal, end."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.i18n import get_language
from companion.core.verdict import render_steps
from companion.table.telling import LONGEST, STANDS
from tests.browser.engines import (
    FIREFOX,
    HOLD_MS,
    SCREEN,
    WEBKIT,
    Firefox,
    Visitor,
    WebKit,
    find_mini_browser,
)
from tests.worlds.campaign import pick
from tests.worlds.event_story import NAMES
from tests.worlds.own_games import own_games
from tests.worlds.served import PhoneTable

BEN = 2
TRIES = 600
"""So often a page is looked at, before something is wrong: half a minute."""
PAUSE = 0.05
PROGRAMS = {"firefox": (FIREFOX,), "webkit": (WEBKIT, SCREEN)}


@pytest.fixture
def visitor(tmp_path: Path, engine: str) -> Iterator[Visitor]:
    """A person with a browser of this engine."""
    missing = [name for name in PROGRAMS[engine] if shutil.which(name) is None]
    if engine == "webkit" and find_mini_browser() is None:
        missing.append("MiniBrowser")
    if missing:
        say = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        say(f"Debian's packages of {engine} are not here: {', '.join(missing)} is missing.")
    start: Callable[[Path], Firefox | WebKit] = Firefox if engine == "firefox" else WebKit
    driver = start(tmp_path / "browser")
    yield Visitor(driver, wait_until)
    driver.close()


def see_the_end(visitor: Visitor, table: PhoneTable, clock: list[float]) -> None:
    """Once the last verdict is told, the podium stands there."""

    def look_later() -> Any:
        clock[0] += LONGEST + STANDS
        table.table.notify_watchers()
        return visitor.driver.evaluate(PODIUM)

    wait_until(look_later, PODIUM)


def wait_until(look: Callable[[], Any], what: str) -> Any:
    """What is seen, once it is true."""
    for _ in range(TRIES):
        if seen := look():
            return seen
        time.sleep(PAUSE)
    raise AssertionError(f"never true: {what}")


FIRST = {
    "bankueberfall": ("#ask .seal [data-step='1']", ""),
    "banque_fatale": ("#ask .seal [data-step='1']", ""),
    "robby_solo": ("#ask .seal label", ""),
}
"""What is pressed to bid something."""
SHOWN = "Number(document.querySelector('#version').value)"
TOLD = "document.querySelector('.verdict .now-told')?.innerText.trim()"
PODIUM = "document.querySelector('.podium .rank-1')?.checkVisibility()"
SAID = "[...document.querySelectorAll('.verdict .said')].map((step) => step.textContent)"


@pytest.mark.wide
@pytest.mark.parametrize("game", pick(["bankueberfall"], ["bankueberfall"], own_games()))
@pytest.mark.parametrize("engine", PROGRAMS)
def test_a_phone_joins_seals_sleeps_opens_and_sees_the_end(put_up, visitor, game):
    table, clock = put_up(PhoneTable, game), [0.0]
    join(visitor, table)
    table.start()
    table.play_until("seal")
    seal_one(visitor, table, game)

    visitor.driver.sleep()
    before = visitor.driver.evaluate(SHOWN)
    table.others_play(BEN, "seal")
    table.play_until("open")
    assert visitor.driver.evaluate(SHOWN) == before < table.table.version
    table.table.telling.use_clock(lambda: clock[0])
    visitor.driver.wake()
    visitor.until(f"{SHOWN} >= {table.table.version}")
    assert visitor.driver.evaluate("window.opened") == 1, "one round trip, and it is up to date"

    table.others_play(BEN, "open")
    wait_until(lambda: table.state.phase != "open", "the hand opens by itself")
    assert is_proven(table)
    table.play_until_verdict()
    see_it_told(visitor, table, clock)
    table.play_until("over")
    see_the_end(visitor, table, clock)
    assert visitor.faults() == []


def join(visitor: Visitor, table: PhoneTable) -> None:
    """Say a name, and tap a seat."""
    visitor.visit(table.address)
    visitor.press("#who-name")
    visitor.write("Ben")
    visitor.press("#who button")
    visitor.press(f".at-{BEN} button")
    visitor.arrive(f"/phone/{BEN}")


def seal_one(visitor: Visitor, table: PhoneTable, game: str) -> None:
    """Put in the first thing that can be bid, and press for long."""
    visitor.press(*FIRST[game])
    visitor.press("[data-seals]", for_ms=HOLD_MS)
    visitor.until("document.querySelector('#ask .sealed-mark')?.checkVisibility()")
    assert BEN not in table.table.view().public.waiting


def is_proven(table: PhoneTable) -> bool:
    """Whether the phone opened what it had sealed."""
    opened = [event for _, event in table.written() if event["event"] == "opened"]
    return any(event["seat"] == BEN and event["nonce"] for event in opened)


def see_it_told(visitor: Visitor, table: PhoneTable, clock: list[float]) -> None:
    """No step is shown too early; in the end all of them are, with the picture."""
    english = get_language("en").with_names(NAMES)
    steps = [step["text"] for step in render_steps(table.state.verdict, english)]
    for told in ["All hands are open.", *steps[:-1]]:
        visitor.until(f"{TOLD} === {json.dumps(told)}")
        clock[0] += table.table.telling.next_change() + 0.001
        table.table.notify_watchers()
    visitor.until(f"{TOLD} === undefined")
    assert visitor.driver.evaluate(SAID) == steps
    assert visitor.driver.evaluate("document.querySelector('.verdict .picture').checkVisibility()")
