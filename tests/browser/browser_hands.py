"""A player at the simulated table in a real browser: by mouse, by keyboard or by touch.

Law: it knows nothing of any game but what the page offers: a piece that glows is picked up and laid
where it glows then; a card that the page offers to turn over is turned; the phone beside the table,
or behind a link, is played as people play a phone.
"""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from playwright.sync_api import Error, Locator, Position, expect

from tests.browser.browser_player import CHOICE, PIECE, SPOT, Come, Phone
from tests.browser.conftest import WITHIN_MS

WIDE = {"width": 1280, "height": 800}
THUMB = {"width": 390, "height": 844}
TABS = 120
"""So many steps of the Tab key lead round a page."""
NAMED = """(pieces) => pieces.map((piece) =>
  piece.querySelector("[aria-label]")?.ariaLabel ?? piece.textContent)"""
IN_STEP = """(at) => document.readyState === "complete" &&
  Number(document.querySelector("#live #version")?.value ?? at) >= Number(at)"""
"""At least this view: a phone may have opened its hand by itself meanwhile."""
FOCUSED = "(it) => it === document.activeElement && document.hasFocus()"
IN_GROUP = """(it) => document.hasFocus() && document.activeElement.type === "radio"
  && document.activeElement.name === it.name && document.activeElement.form === it.form"""
"""Tab leads to one of several that one is picked of."""
TURN = "[form^=turn-]"
EDGE: Position = {"x": 5, "y": 12}


class Hands(Phone, ABC):
    """One browser at seat 1 of a simulated table; its phone stands beside, or behind a link."""

    size = WIDE
    how: ClassVar[dict[str, Any]] = {}

    def __init__(self, come: Come, address: str, name: str) -> None:
        self.before: list[str] = []
        self.lays = 0
        super().__init__(lambda size, **more: come(size, **more, **self.how), self.size, [name])
        self.table = self.page
        self.table.goto(address)
        self.table.locator("li", has_text=name).get_by_role("button").click()
        self.table.wait_for_url("**/phone/*")
        self.table.goto(f"{address}/play")

    def sees(self, at: int) -> None:
        """The page, if it is the table's, shows this view of the game."""
        self.table.wait_for_function(IN_STEP, arg=f"{at}", timeout=WITHIN_MS)

    def play(self) -> bool:
        """Answer the table's question, or the phone's beside it; return whether either asked."""
        if self.table.locator(PIECE).count():
            self.lay()
            return True
        if "/play/" in self.table.url:
            self.before = self.table.locator(".edge .piece").evaluate_all(NAMED)
        phone = self.table.frame("phone")
        if phone is None:
            return super().play()
        self.page = phone  # type: ignore[assignment]
        return super().play()

    def _choose(self) -> None:
        """Choose what lay before me, if that is asked for, else anything."""
        offered = self.page.locator(f"{CHOICE} >> visible=true").all()
        known = {word for name in self.before for word in name.lower().split()}
        named = [one for one in offered if known & {*one.inner_text().lower().split()}]
        self.press(self.dice.choice(named or offered))

    def _confirm(self) -> None:
        """Answer a page's confirmation, if it asks for one."""
        form = self.page.locator("#ask form.fill >> visible=true").first
        for select in form.locator("select").all():
            options = select.locator("option").all_inner_texts()
            true = [one for one in options if any(one in name.split() for name in self.before)]
            self.choose(select, options.index((true or options[1:])[0]))
        self.press(form.locator("button.main"))

    def lay(self) -> None:
        """Pick up one of the pieces that glow, and lay it where it glows then."""
        self.lays += 1
        piece = self._any(PIECE, self.table)
        if piece.and_(self.table.locator(TURN)).count():
            self.turn(piece)
        else:
            self.carry(piece)

    def turn(self, piece: Locator) -> None:
        """Turn a card over where it lies."""
        with self._sends("turn"):
            self.press(piece)

    @abstractmethod
    def carry(self, piece: Locator) -> None:
        """From one spot to the other."""

    def _sends(self, what: str) -> AbstractContextManager[Any]:
        """Wait for the answer to what is sent meanwhile."""
        return self.table.expect_response(f"**/{what}", timeout=WITHIN_MS)

    def _find_spot(self) -> Locator:
        """Return a spot where the piece is to be laid, once the page shows them."""
        expect(self.table.locator(SPOT).first).to_be_attached()
        return self._any(SPOT, self.table)

    def press(self, button: Locator) -> None:
        """Have it pressed."""
        button.click()

    def laid(self) -> None:
        """Nothing is held any more."""
        expect(self.table.locator("#held")).to_have_count(0)


class Mouse(Hands):
    """Drags every piece."""

    def turn(self, piece: Locator) -> None:
        """By its edge: other cards of the bank may lie over its middle."""
        with self._sends("turn"):
            piece.click(position=EDGE)

    def carry(self, piece: Locator) -> None:
        mouse = self.table.mouse
        with self._sends("lift"):
            mouse.move(*middle(piece))
            mouse.down()
            mouse.move(*(one + 9 for one in middle(piece)))
        spot = self._find_spot()
        mouse.move(*middle(spot), steps=4)
        with self._sends("put"):
            mouse.up()
        self.laid()


class Keyboard(Hands):
    """Tab, and Enter; arrow keys within a group, and digits."""

    def press(self, button: Locator) -> None:
        self.tab_to(button)
        self.table.keyboard.press("Enter")

    def pick(self, radio: Locator) -> None:
        self.tab_to(radio, IN_GROUP)
        for _ in range(TABS):
            if radio.evaluate(FOCUSED):
                break
            self.table.keyboard.press("ArrowDown")
        self.table.keyboard.press("Space")

    def put(self, field: Locator, n: int) -> None:
        self.tab_to(field)
        self.table.keyboard.type(str(n))

    def choose(self, select: Locator, index: int) -> None:
        self.tab_to(select)
        self.table.keyboard.press("Home")
        for _ in range(index):
            self.table.keyboard.press("ArrowDown")

    def turn(self, piece: Locator) -> None:
        self.tab_to(piece)
        with self._sends("turn"):
            self.table.keyboard.press("Enter")

    def carry(self, piece: Locator) -> None:
        self.tab_to(piece)
        with self._sends("lift"):
            self.table.keyboard.press("Enter")
        expect(self.table.locator(f"{SPOT}:focus")).to_have_count(1)
        with self._sends("put"):
            self.table.keyboard.press("Enter")
        self.laid()

    def tab_to(self, button: Locator, reached: str = FOCUSED) -> None:
        """As far as it takes."""
        for _ in range(TABS):
            if button.evaluate(reached):
                return
            self.table.keyboard.press("Tab")
        raise AssertionError("Tab does not lead there.")


class Touch(Hands):
    """Taps the piece, then the spot; the phone is behind a link."""

    size = THUMB
    how: ClassVar = {"has_touch": True}

    def press(self, button: Locator) -> None:
        button.tap()

    def turn(self, piece: Locator) -> None:
        """By its edge: other cards of the bank may lie over its middle."""
        with self._sends("turn"):
            piece.tap(position=EDGE)

    def carry(self, piece: Locator) -> None:
        with self._sends("lift"):
            piece.tap()
        with self._sends("put"):
            self._find_spot().tap()
        self.laid()


def middle(place: Locator) -> tuple[float, float]:
    """Where one points at it."""
    box = place.bounding_box()
    if box is None:
        raise Error("It has gone.")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
