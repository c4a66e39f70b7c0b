"""Debian's WebKitGTK, driven over W3C WebDriver: its MiniBrowser on a screen that nobody sees."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.worlds.engines import HEIGHT, WIDTH, Action, NotNow
from tests.worlds.ports import free_port

PROGRAM, SCREEN = "WebKitWebDriver", "Xvfb"
MINI_BROWSERS = "webkit2gtk-4*/MiniBrowser"
PATIENCE = 60


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
            [PROGRAM, f"--port={port}"],
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
