"""Debian's Chromium, driven by Playwright as in all other tests of pages."""

from typing import Any

from playwright.sync_api import Browser, Error

from tests.worlds.engines import HEIGHT, WIDTH, Action, NotNow

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Chromium:
    """One page of a browser that runs already."""

    def __init__(self, browser: Browser) -> None:
        how = {"extra_http_headers": {"Accept-Language": "en"}}
        self._context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, **how)  # type: ignore[arg-type]
        self._page = self._context.new_page()

    def visit(self, url: str) -> None:
        """Show this page."""
        self._page.goto(url)

    def evaluate(self, script: str) -> Any:
        """The value of an expression, as JSON has it."""
        try:
            return self._page.evaluate(script)
        except Error as error:
            raise NotNow from error

    def act(self, sources: list[Action]) -> None:
        """Perform W3C actions."""
        for step in (step for source in sources for step in source["actions"]):
            match step["type"]:
                case "pointerMove":
                    self._page.mouse.move(step["x"], step["y"])
                case "pointerDown":
                    self._page.mouse.down()
                case "pointerUp":
                    self._page.mouse.up()
                case "pause":
                    self._page.wait_for_timeout(step["duration"])
                case "keyDown":
                    self._page.keyboard.down(step["value"])
                case "keyUp":
                    self._page.keyboard.up(step["value"])

    def sleep(self) -> None:
        """Without a window no page is ever hidden, so it is told that it is."""
        self._page.evaluate(HIDE, True)

    def wake(self) -> None:
        """It is told that it is seen again."""
        self._page.evaluate(HIDE, False)

    def close(self) -> None:
        """End its context; the browser goes on."""
        self._context.close()
