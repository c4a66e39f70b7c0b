"""Firefox and WebKit, driven as a person drives one: by pointer, keys and what is shown.

Laws: all of them are Debian's, and nothing is fetched from the net. A path is written once for all:
pointer and keys are W3C actions, which every driver of browsers takes.
"""

import asyncio
import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.worlds.ports import free_port

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


class Visitor:
    """A person with one page open in some engine."""

    def __init__(
        self, driver: "Firefox | WebKit", wait: Callable[[Callable[[], Any], str], Any]
    ) -> None:
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


FIREFOX = "firefox-esr"
PATIENCE = 60
QUIET = {
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9",
    "toolkit.telemetry.enabled": False,
}
"""It asks for nothing but what a page asks for."""


class Firefox:
    """One window; commands go through a loop of its own, for another may run in this thread."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        prefs = (f"user_pref({name!r}, {json.dumps(value)});\n" for name, value in QUIET.items())
        (folder / "user.js").write_text("".join(prefs), "utf-8")
        command = [FIREFOX, "--headless", "--no-remote", "--profile", str(folder)]
        self._process = subprocess.Popen(
            [*command, "--remote-debugging-port", "0"],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "HOME": str(folder)},
        )
        self._loop = asyncio.new_event_loop()
        Thread(target=self._loop.run_forever, daemon=True).start()
        self._sent = 0
        self._line = self._run(self._connect(self._own_address()))
        self._ask("session.new", capabilities={})
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self._other = ""
        size = {"width": WIDTH, "height": HEIGHT}
        self._ask("browsingContext.setViewport", context=self._page, viewport=size)

    def _own_address(self) -> str:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := re.search(r"BiDi listening on (ws://\S+)", line):
                return f"{found[1]}/session"
        raise AssertionError("Firefox ended before it listened.")

    async def _connect(self, address: str) -> WebSocketClientConnection:
        return await websocket_connect(address)

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def _ask(self, method: str, **params: Any) -> Any:
        answer = self._run(self._exchange(method, params))
        assert answer["type"] == "success", (method, answer)
        return answer["result"]

    async def _exchange(self, method: str, params: dict[str, Any]) -> Any:
        self._sent += 1
        command = {"id": self._sent, "method": method, "params": params}
        await self._line.write_message(json.dumps(command))
        while True:
            text = await self._line.read_message()
            assert text is not None, "Firefox has gone."
            answer = json.loads(text)
            if answer.get("id") == self._sent:
                return answer

    def visit(self, url: str) -> None:
        """Show this page."""
        self._ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def evaluate(self, script: str) -> Any:
        """The value of an expression, as JSON has it."""
        asked = {"target": {"context": self._page}, "expression": f"JSON.stringify({script})"}
        answer = self._run(self._exchange("script.evaluate", asked | {"awaitPromise": True}))
        if answer["type"] != "success" or answer["result"]["type"] != "success":
            raise NotNow(answer)
        text = answer["result"]["result"].get("value")
        return json.loads(text) if text is not None else None

    def act(self, sources: list[Action]) -> None:
        """Perform W3C actions."""
        self._ask("input.performActions", context=self._page, actions=sources)

    def sleep(self) -> None:
        """Another tab covers this one."""
        self._other = self._ask("browsingContext.create", type="tab")["context"]

    def wake(self) -> None:
        """It is closed."""
        self._ask("browsingContext.close", context=self._other)
        self._ask("browsingContext.activate", context=self._page)

    def close(self) -> None:
        """End the browser."""
        self._ask("browser.close")
        self._process.wait(PATIENCE)
        assert self._process.stderr is not None
        self._process.stderr.close()
        self._loop.call_soon_threadsafe(self._loop.stop)


WEBKIT, SCREEN = "WebKitWebDriver", "Xvfb"
MINI_BROWSERS = "webkit2gtk-4*/MiniBrowser"


def find_mini_browser() -> Path | None:
    """Return the newest one."""
    found = sorted(Path("/usr/lib").glob(f"*/{MINI_BROWSERS}"))
    return found[-1] if found else None


class WebKit:
    """One window on a screen of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._screen, display = start_screen()
        quiet = {"GTK_A11Y": "none", "NO_AT_BRIDGE": "1", "DISPLAY": display}
        quiet |= {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "GDK_BACKEND": "x11"}
        port = free_port()
        self._driver = subprocess.Popen(
            [WEBKIT, f"--port={port}"],
            env={**os.environ, **quiet},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._at = f"http://127.0.0.1:{port}"
        self._wait_until_it_listens()
        how = {"binary": str(find_mini_browser()), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": how}}
        self._at += f"/session/{self._ask('/session', capabilities=wanted)['sessionId']}"
        self._size()

    def _wait_until_it_listens(self) -> None:
        for _ in range(PATIENCE * 20):
            try:
                urlopen(f"{self._at}/status", timeout=PATIENCE).close()
                return
            except HTTPError as answer:
                answer.close()
                return
            except URLError:
                time.sleep(0.05)
        raise AssertionError("WebKitWebDriver does not listen.")

    def _size(self) -> None:
        self._ask("/window/rect", x=0, y=0, width=WIDTH, height=HEIGHT)

    def _ask(self, path: str, method: str = "POST", **body: Any) -> Any:
        asked = Request(
            self._at + path,
            method=method,
            data=json.dumps(body).encode() if method == "POST" else None,
            headers={"Content-Type": "application/json"},
        )
        try:
            with urlopen(asked, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError((path, error.read().decode())) from None

    def visit(self, url: str) -> None:
        """Show this page."""
        self._ask("/url", url=url)

    def evaluate(self, script: str) -> Any:
        """The value of an expression, as JSON has it."""
        try:
            return self._ask("/execute/sync", script=f"return {script}", args=[])
        except AssertionError as error:
            raise NotNow from error

    def act(self, sources: list[Action]) -> None:
        """Perform W3C actions."""
        self._ask("/actions", actions=sources)

    def sleep(self) -> None:
        """The window becomes an icon."""
        self._ask("/window/minimize")

    def wake(self) -> None:
        """It is a window again."""
        self._ask("/window/maximize")
        self._size()

    def close(self) -> None:
        """End the browser, its driver and their screen."""
        try:
            self._ask("", method="DELETE")
        finally:
            for process in (self._driver, self._screen):
                process.terminate()
                process.wait(PATIENCE)


def start_screen() -> "tuple[subprocess.Popen[bytes], str]":
    """Start a screen that nobody sees; also its name."""
    here, there = os.pipe()
    command = [SCREEN, "-displayfd", str(there), "-screen", "0", "1024x900x24"]
    process = subprocess.Popen(
        [*command, "-nolisten", "tcp"], pass_fds=[there], stderr=subprocess.DEVNULL
    )
    os.close(there)
    with open(here, encoding="ascii") as told:
        return process, f":{told.readline().strip()}"
