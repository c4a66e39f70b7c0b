"""Firefox and WebKit, driven as a person drives one: by pointer, keys and what is shown.

Laws: all of them are Debian's, and nothing is fetched from the net. A path is written once for all:
pointer and keys are W3C actions, which every driver of browsers takes.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

Action = dict[str, Any]

WIDTH, HEIGHT = 450, 844
"""WebKit's window gets no narrower."""
HOLD_MS = 1_100
"""Longer than a long press has to be (sealed_bid.mjs)."""
FIND = """((css, text) => {
  const can = (e) => e.checkVisibility() && !e.disabled && e.textContent.includes(text);
  const found = [...document.querySelectorAll(css)].find(can);
  if (!found) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = found.getBoundingClientRect();
  const at = [Math.round(left + width / 2), Math.round(top + height / 2)];
  return found.contains(document.elementFromPoint(...at)) ? at : null;
})"""
"""The middle of what can be pressed: it is shown, and nothing lies over it."""
LISTEN = """(() => {
  window.faults = [];
  for (const kind of ["error", "unhandledrejection"]) {
    window.addEventListener(kind, (event) => faults.push(String(event.message ?? event.reason)));
  }
  const Source = window.EventSource;
  window.opened = 0;
  window.EventSource = class extends Source {
    constructor(...how) { super(...how); window.opened += 1; }
  };
})()"""
"""Note the faults of scripts, and how many streams are opened from now on."""


class NotNow(Exception):
    """The script cannot run: the page is changing, or has not what it looks at."""


class Driver(Protocol):
    """What an engine can be asked for."""

    def visit(self, url: str) -> None:
        """Show this page."""

    def evaluate(self, script: str) -> Any:
        """The value of an expression, as JSON has it; raises NotNow."""

    def act(self, sources: list[Action]) -> None:
        """Perform W3C actions."""

    def sleep(self) -> None:
        """Put the page out of sight, as a phone does that is put into a pocket."""

    def wake(self) -> None:
        """Show it again."""

    def close(self) -> None:
        """End the browser."""


class Visitor:
    """A person with one page open in some engine."""

    def __init__(self, driver: Driver, wait: Callable[[Callable[[], Any], str], Any]) -> None:
        self.driver, self._wait = driver, wait

    def visit(self, url: str) -> None:
        """Open a page."""
        self.driver.visit(url)
        self.arrive(url)

    def arrive(self, end: str) -> None:
        """The address ends so, and its page is loaded and listened to."""
        self.until(f"location.href.includes({end!r}) && document.readyState === 'complete'")
        self.driver.evaluate(LISTEN)

    def until(self, script: str) -> Any:
        """The value of an expression, once it is true."""
        return self._wait(lambda: self._now(script), script)

    def _now(self, script: str) -> Any:
        with suppress(NotNow):
            return self.driver.evaluate(script)
        return None

    def press(self, css: str, text: str = "", for_ms: int = 0) -> None:
        """Point at something that is shown, and press it."""
        x, y = self.until(f"{FIND}({json.dumps(css)}, {json.dumps(text)})")
        steps: list[Action] = [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": for_ms},
            {"type": "pointerUp", "button": 0},
        ]
        how = {"pointerType": "mouse"}
        self.driver.act([{"type": "pointer", "id": "p", "parameters": how, "actions": steps}])

    def write(self, text: str) -> None:
        """Press the keys of a text, where the focus is."""
        kinds: Sequence[str] = ("keyDown", "keyUp")
        keys: list[Action] = [{"type": kind, "value": key} for key in text for kind in kinds]
        self.driver.act([{"type": "key", "id": "k", "actions": keys}])

    def faults(self) -> list[str]:
        """What went wrong in scripts since this page was arrived at."""
        found: list[str] = self.driver.evaluate("window.faults")
        return found
