"""Whole games with nothing but roles, names and live regions."""

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.worlds.campaign import IS_LARGE, pick
from tests.worlds.own_games import own_games
from tests.worlds.screen_reader import ScreenReader
from tests.worlds.served_phone_table import PhoneTable

BEN = 2
ROUNDS = pick(1, 2, 0)
"""After so many verdicts a game need not be played on; 0 plays it to its end."""
GLANCES = 600
"""So often a page is looked at while nothing happens, before something is wrong."""
OUTCOME = """() => {
  const line = document.querySelector(".verdict .my-line");
  return line && !document.querySelector(".verdict.running") ? line.innerText : "";
}"""


@pytest.mark.wide
@pytest.mark.parametrize("game", own_games())
def test_a_game_is_played_by_what_a_screen_reader_is_told(put_up, open_browser, game):
    table, page = put_up(PhoneTable, game), open_browser().new_page()
    ben = come_in(page, table)
    table.start()
    clock = [0.0]
    table.table.telling.use_clock(lambda: clock[0])
    acts, verdicts = play(table, ben, clock)
    heard = ben.heard()
    assert acts
    assert [words for words in verdicts if not any(words in one for one in heard)] == []
    if table.state.phase == "over":
        hears_the_end(table, ben, clock)


def hears_the_end(table: PhoneTable, ben: ScreenReader, clock: list[float]) -> None:
    """It is told who won, and read out in full below."""
    while (pause := table.table.telling.next_change()) is not None:
        clock[0] += pause + 0.001
    table.table.notify_watchers()
    expect(ben.page.get_by_role("region", name="The game is over.")).to_be_visible()
    winners = table.state.score.winners
    assert any(winners[0] in words for words in ben.heard()[-3:])


def come_in(page: Page, table: PhoneTable) -> ScreenReader:
    """Say a name, and sit down."""
    page.goto(table.address)
    page.get_by_role("textbox", name="Your name").fill("Ben")
    page.get_by_role("button", name="Sit down").press("Enter")
    page.get_by_role("button", name="2 free").press("Enter")
    page.wait_for_url("**/phone/2")
    return ScreenReader(page, "Ben")


def play(table: PhoneTable, ben: ScreenReader, clock: list[float]) -> tuple[int, list[str]]:
    """To the end, or for some rounds; how often Ben acted, and what the verdicts brought him."""
    acts, idle, verdicts = 0, 0, list[str]()
    while table.state.phase != "over" and (IS_LARGE or len(verdicts) < ROUNDS):
        at = table.table.version
        keep_up(ben.page, at)
        if brought := tell(table, ben.page, clock):
            verdicts.append(brought)
        did = is_asked(table, at) and acted(ben)
        acts += did
        if did:
            ben.page.wait_for_timeout(20)
        elif table.others_act(BEN):
            idle = 0
        idle = 0 if table.table.version > at else idle + 1
        assert idle < GLANCES, (table.state.phase, ben.parts())
    return acts, verdicts


def is_asked(table: PhoneTable, at: int) -> bool:
    """Whether Ben is to answer the view that his page shows."""
    view: Any = table.table.view()
    return view.at == at and BEN in view.public.waiting and view.public.phase != "open"


def acted(ben: ScreenReader) -> bool:
    """Ben answers what his page asks; whether anything was asked, and still was when he pressed."""
    with suppress(TimeoutError):
        return ben.answer()
    return False


def keep_up(page: Page, at: int) -> None:
    """The page shows this view of the game, or a newer one."""
    page.wait_for_function("(at) => Number(document.querySelector('#version').value) >= at", arg=at)


def tell(table: PhoneTable, page: Page, clock: list[float]) -> str:
    """A new verdict is told to its end; what it brought Ben, as his phone shows it."""
    telling = table.table.telling
    if telling.next_change() is None:
        return ""
    page.wait_for_selector(".verdict.running")
    while (pause := telling.next_change()) is not None:
        clock[0] += pause + 0.001
    table.table.notify_watchers()
    page.wait_for_function(OUTCOME)
    return " ".join(str(page.evaluate(OUTCOME)).split())
