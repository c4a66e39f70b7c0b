"""A phone in a real browser that does whatever its page asks.

Law: nothing is known here of any game but what a page offers. What can be tapped is tapped, what
can be filled in is filled in, and a phone that is for somebody else is handed on.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

from playwright.sync_api import BrowserContext, Error, Locator, Page, expect

from tests.browser.conftest import SURE_MS, WITHIN_MS

Come = Callable[..., BrowserContext]

GONE_MS = 5_000
HAND = "#ask > form[data-seal]"
SEEN = """(ways) => {
  if (document.readyState !== "complete") return [-1, ""];
  const seen = (e) => e.checkVisibility() && !e.disabled;
  const found = ways.findIndex((way) => [...document.querySelectorAll(way)].some(seen));
  const version = document.getElementById("version");
  return [found, `${location.href} ${version?.value}`];
}"""
"""What the page offers first, and which view of the game it shows."""


class Phone:
    """One phone. The first name sits down with it; the others play from it too, by /share."""

    def __init__(self, come: Come, size: dict[str, int], names: Sequence[str]) -> None:
        self._come, self._size, self.names = come, size, names
        self.dice = Random(names[0])
        self.closed: dict[tuple[int, int], Any] = {}
        self._answered: tuple[int, str] = (-1, "")
        self.wake()

    def wake(self, **state: Any) -> None:
        """Switch it on."""
        self.context = self._come(self._size, **state)
        self.context.set_default_navigation_timeout(WITHIN_MS)
        self.context.set_default_timeout(GONE_MS)  # What was there a moment ago may be gone.
        self.page = self.context.new_page()

    def die(self) -> None:
        """Its battery is empty, or somebody swiped the browser away: only storage is left."""
        self._state = self.context.storage_state()
        self._url = self.page.url
        self.context.close()

    def revive(self) -> None:
        """Opened again, where it was."""
        self.wake(storage_state=self._state)
        self.page.goto(self._url)
        self._answered = (-1, "")

    # Coming in.

    def sit_down(self, address: str, seats: Sequence[int]) -> None:
        """Everyone of this phone says a name and taps a seat."""
        self.page.goto(address)
        for n, (name, seat) in enumerate(zip(self.names, seats, strict=True)):
            if n:
                self.page.goto(address)
                self.page.locator("#also summary").click()
            who = "also" if n else "who"
            self.page.locator(f"#{who}-name").fill(name)
            self.page.locator(f"#{who} button").click()
            self.page.locator(f".at-{seat} button").click()
            expect(self.page).to_have_url(re.compile("/share$" if n else f"/phone/{seat}$"))

    # Playing.

    def play(self) -> bool:
        """Answer the page's question once; return whether it asked."""
        with suppress(Error):  # The page may have gone on between a look and a tap.
            found, version = self.page.evaluate(SEEN, list(WAYS))
            if found >= 0 and (found, version) != self._answered:
                list(WAYS.values())[found](self)
                self._answered = (found, version)
                return True
        return False

    def _any(self, places: str, page: Page | None = None) -> Locator:
        """One of these, as chance has it."""
        there = (page or self.page).locator(places)
        return there.nth(self.dice.randrange(max(1, there.count())))

    def _follow(self, places: str) -> None:
        self.press(self._any(f"{places} >> visible=true"))

    def _pick_up(self) -> None:
        """Take a piece by its left edge: in a fan the next card, or a figure, covers the rest."""
        self._any(f"{PIECE} >> visible=true").click(position={"x": 3, "y": 20})

    def press(self, button: Locator) -> None:
        """Have it pressed."""
        button.click()

    def pick(self, radio: Locator) -> None:
        """Have it picked of several."""
        radio.check()

    def put(self, field: Locator, n: int) -> None:
        """Have a number put in."""
        field.fill(str(n))

    def choose(self, select: Locator, index: int) -> None:
        """Have a line of a list chosen."""
        select.select_option(index=index)

    @contextmanager
    def out_of_reach(self) -> Iterator[None]:
        """Close a hand while nothing gets through, and once more when it does."""
        form = self.page.locator(HAND)
        expect(form).to_have_attribute("data-ready", "")  # Its scripts are loaded.
        self.context.set_offline(True)
        self._put_in(form)
        self._seal(form)
        expect(form.locator("[data-refusal]")).not_to_be_empty()
        yield
        with self.page.expect_request("**/stream/**", timeout=WITHIN_MS):
            self.context.set_offline(False)
        self._close(form)

    def _close_hand(self) -> None:
        form = self.page.locator(HAND)
        self._put_in(form)
        self._close(form)

    def _close(self, form: Locator) -> None:
        mark = form.get_attribute("id")
        self._seal(form)
        expect(self.page.locator(f"#{mark}")).to_have_count(0)

    def _seal(self, form: Locator) -> None:
        """Press twice, as those do who cannot hold a button."""
        for pause in (SURE_MS, 0):
            self.press(form.locator("[data-seals]"))
            self.page.wait_for_timeout(pause)
        while form.locator("[data-seals][data-armed]").count():  # Again, if the second was late.
            self.page.wait_for_timeout(SURE_MS)
            self.press(form.locator("[data-seals]"))

    def _keep_or_lay_again(self) -> None:
        if self.dice.random() < 0.5:
            self._follow("#ask form.kept button")
            return
        self.press(self.page.locator("#ask details[id^=again] summary"))
        form = self.page.locator("#ask details[id^=again] form[data-seal]")
        self._put_in(form)
        self._close(form)

    def _put_in(self, form: Locator) -> None:
        """A few coins, a few chips, or a bank; and remember what lies in the hand."""
        round, seat = (int(form.get_attribute(f"data-{one}") or 0) for one in ("round", "seat"))
        self.closed[round, seat] = self._value(form)

    def _value(self, form: Locator) -> Any:
        banks = form.locator("input[type=radio]")
        if banks.count():
            bank = banks.nth(self.dice.randrange(banks.count()))
            self.pick(bank)
            return bank.get_attribute("value")
        hand: dict[str, int] = {}
        for field in form.locator("input[data-value]").all():
            n = min(self.dice.randint(0, 1), int(field.get_attribute("max") or 0))
            self.put(field, n)
            hand[field.get_attribute("data-value") or ""] = n
        return hand[""] if "" in hand else {colour: n for colour, n in hand.items() if n}

    def _tap_twice(self) -> None:
        """Pick a piece, and press a button that this leaves."""
        self.pick(self._any("#ask form.two-taps input[type=radio]"))
        self.press(self._any("#ask form.two-taps .answers button:enabled"))

    def _choose(self) -> None:
        self._follow(CHOICE)

    def _confirm(self) -> None:
        form = self.page.locator("#ask form.fill >> visible=true").first
        if form.locator("input[type=radio]").count():
            self.pick(form.locator("input[type=radio]").last)
        for select in form.locator("select").all():
            self.choose(select, self.dice.randrange(1, select.locator("option").count()))
        self.press(form.locator("button.main"))


def _follows(places: str) -> Callable[[Phone], None]:
    return lambda phone: phone._follow(places)


PIECE, SPOT = "#wood .wanted [data-piece]", "#wood .welcome > .putting > .put"
"""A piece that the game expects to be picked up, and where it is expected then."""
SETTLES = "#todos form.todo button:not([value*=hand])"
"""Not by hand: what nobody's reader hears could not be done with the cards any more."""
CHOICE = "#ask form.act:not(.fill) :is(button[name=choice], .choices button)"
"""A button that answers at once."""

WAYS: dict[str, Callable[[Phone], None]] = {
    ".cover:target a.main": _follows(".cover:target a.main"),
    SETTLES: _follows(SETTLES),
    f"{HAND} button.main": Phone._close_hand,
    "#ask .hands a.main": _follows("#ask .hands a.main"),
    "#ask a.main[data-pass]": _follows("#ask a.main[data-pass]"),
    "#ask a.main[href^='/play/']": _follows("#ask a.main[href^='/play/']"),
    SPOT: _follows(SPOT),
    PIECE: Phone._pick_up,
    "#ask form.kept button": Phone._keep_or_lay_again,
    "#ask form.two-taps .answers button": lambda phone: phone._tap_twice(),
    CHOICE: lambda phone: phone._choose(),
    "#ask form.fill button.main": lambda phone: phone._confirm(),
    "#ask a.main[href^='/phone/']": _follows("#ask a.main[href^='/phone/']"),
    "body.play nav a[href^='/phone/']": _follows("body.play nav a[href^='/phone/']"),
}
"""What a page may offer, the most urgent first, and what one does then."""
