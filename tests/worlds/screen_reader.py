"""A player who has only what a screen reader has: roles, names, and what live regions tell.

Laws: no place, picture or selector is known. The question is what stands after the first status of
the page, up to the next region or folded part; it is answered by its fields and then its last
button, or by any of its buttons. A live region is heard when its words change, and an alert also
when it comes; what a page already shows when it is opened is not heard.
"""

import re
from random import Random
from typing import NamedTuple

from playwright.sync_api import Locator, Page

from tests.browser.conftest import SURE_MS
from tests.worlds.browser_player import GONE_MS

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
