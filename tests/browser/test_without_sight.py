"""Whole games with nothing but roles, names and live regions."""

import re
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.browser_player import GONE_MS
from tests.browser.conftest import SURE_MS
from tests.worlds.campaign import IS_LARGE, pick
from tests.worlds.own_games import own_games
from tests.worlds.served import PhoneTable

# A player who has only what a screen reader has: roles, names, and what live regions tell.

LINE = re.compile(r"""^(\s*)- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$""")
FIELDS = ("spinbutton", "radio", "combobox")
HEAR = """() => {
  const regions = new WeakMap();
  window.heard = [];
  const listen = (isNew) => {
    for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
      const words = region.textContent.trim().replace(/\\s+/g, " ");
      const was = regions.get(region);
      regions.set(region, words);
      const isHeard = was === undefined ? isNew && region.role === "alert" : was !== words;
      if (isHeard && words) window.heard.push(words);
    }
  };
  listen(false);
  const everything = { subtree: true, childList: true, characterData: true };
  new MutationObserver(() => listen(true)).observe(document.body, everything);
}"""


class Part(NamedTuple):
    """One line of what a screen reader reads out."""

    depth: int
    role: str
    name: str
    more: str

    @property
    def is_usable(self) -> bool:
        """Whether it is not disabled."""
        return "[disabled]" not in self.more


class ScreenReader:
    """Plays one page, a phone's, by its accessibility tree."""

    def __init__(self, page: Page, seed: str) -> None:
        self.page, self.dice = page, Random(seed)
        page.evaluate(HEAR)

    def heard(self) -> list[str]:
        """Return all announcements of the live regions."""
        told: list[str] = self.page.evaluate("window.heard")
        return told

    def parts(self) -> list[Part]:
        """What the page says, line by line."""
        told = self.page.get_by_role("main").aria_snapshot()
        found = (LINE.match(line) for line in told.splitlines())
        return [Part(len(one[1]), one[2], one[3] or "", one[4]) for one in found if one]

    def question(self) -> list[Part]:
        """The fields and buttons that answer what is asked."""
        found: list[Part] = []
        parts = iter(self.parts())
        top = next((part.depth for part in parts if part.role == "status"), 0)
        for part in parts:
            is_unnamed_group = part.role == "group" and not part.name
            if part.depth == top and (part.role == "region" or is_unnamed_group):
                break
            if part.role in (*FIELDS, "button") and part.is_usable:
                found.append(part)
        return found

    def answer(self) -> bool:
        """Answer the question on the page; return whether there was one."""
        question = self.question()
        fields = [part for part in question if part.role in FIELDS]
        if not any(part.role == "button" for part in question):
            return False
        if not fields:
            self.press(self.dice.choice(question).name)
            return True
        self.fill(fields)
        buttons = [part.name for part in self.question() if part.role == "button"]
        if not buttons:  # The page went on meanwhile.
            return False
        self.press(buttons[-1])
        self.press_again()
        return True

    def fill(self, fields: list[Part]) -> None:
        """Set numbers and lists by arrow keys, and pick one of several."""
        radios = [part for part in fields if part.role == "radio"]
        if radios:
            self.find("radio", self.dice.choice(radios).name).press(" ")
        for part in fields:
            key = {"spinbutton": "ArrowUp", "combobox": "ArrowDown"}.get(part.role)
            for _ in range(self.dice.randrange(2) if key else 0):
                self.find(part.role, part.name).press(key or "")

    def press_again(self) -> None:
        """Press the button of a status that speaks up when a choice is to be sealed."""
        again = [part.name for part in self.question() if part.name.startswith("Press again")]
        if again:
            assert any("Press again" in words for words in self.heard())
            self.page.wait_for_timeout(SURE_MS)
            self.press(again[0])

    def press(self, name: str) -> None:
        """Press a button by its name; TimeoutError if the page has gone on, and it is no more."""
        self.find("button", name).press("Enter", timeout=GONE_MS)

    def find(self, role: str, name: str) -> Locator:
        """The first with this role and name."""
        return self.page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]


# The tests.

BEN = 2
ROUNDS = pick(1, 2, 0)
"""After so many verdicts a game need not be played on; 0 plays it to its end."""
GLANCES = 600
"""So often a page is looked at while nothing happens, before something is wrong."""
OUTCOME = """() => {
  const line = document.querySelector(".verdict .my-line");
  return line && !document.querySelector(".verdict.running") ? line.textContent : "";
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
    if telling.current() is None:
        return ""
    page.wait_for_selector(".verdict.running")
    while (pause := telling.next_change()) is not None:
        clock[0] += pause + 0.001
    table.table.notify_watchers()
    page.wait_for_function(OUTCOME)
    return " ".join(str(page.evaluate(OUTCOME)).split())
