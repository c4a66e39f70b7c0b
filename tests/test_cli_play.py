"""`companion play`: it starts with nothing configured, says what it does, and leaves nothing."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main

LONG = 40.0
ALONE = ("--address", "127.0.0.1", "--port", "8820")


class Playing:
    """A `companion play` in a process of its own, and a browser that visits it."""

    def __init__(self, aside: Path, *how: str) -> None:
        environ = {**os.environ, "XDG_RUNTIME_DIR": str(aside), "TMPDIR": str(aside)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "play", *ALONE, *how],
            stdout=subprocess.PIPE, text=True, env=environ,
        )  # fmt: skip
        self.said = self.greeting()
        self.address = re.findall(r"(http://localhost:\d+)/table$", self.said, re.MULTILINE)[-1]
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self._browser = urllib.request.build_opener(cookies)

    def greeting(self) -> str:
        """What it says when it starts."""
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline()]
        while lines[-1] and "Ctrl-C ends" not in lines[-1]:
            lines.append(self.process.stdout.readline())
        return "".join(lines)

    def get(self, path: str) -> str:
        with self._browser.open(self.address + path, timeout=LONG) as answer:
            return str(answer.read().decode())

    def post(self, path: str, body: dict[str, Any]) -> None:
        how = {"Origin": self.address, "Content-Type": "application/json"}
        what = json.dumps({"key": os.urandom(8).hex(), **body}).encode()
        asked = urllib.request.Request(self.address + path, what, how, method="POST")
        self._browser.open(asked, timeout=LONG).close()

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(sign)
        self.process.communicate(timeout=LONG)
        return self.process.returncode


Start = Callable[..., Playing]


@pytest.fixture
def aside(tmp_path: Path) -> Path:
    """Where passing things lie."""
    folder = tmp_path / "aside"
    folder.mkdir()
    return folder


@pytest.fixture
def start(aside: Path) -> Iterator[Start]:
    running = list[Playing]()

    def play(*how: str) -> Playing:
        running.append(Playing(aside, *how))
        return running[-1]

    yield play
    for playing in running:
        if playing.process.poll() is None:
            playing.end(signal.SIGKILL)


def folders(aside: Path) -> list[Path]:
    """The folders of evenings that have not ended."""
    return list(aside.glob("companion-*/"))
