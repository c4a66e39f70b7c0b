"""boardgame.io as a peer: a match whose state has as many bytes as our news, and its spectators.

It keeps its matches in memory, without a journal; its answer is the news that the player who moved
is sent; its viewers are one node process with bare WebSockets. It is installed once, by npm, into a
cache folder for this alone, in the version of `package.json`.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.speed.client import PAUSE_MS, TIMEOUT_MS, Heard, parse_heard
from bench.speed.measure import Audience

HERE = Path(__file__).parent
MINUTES_TO_INSTALL = 5


class NotInstalled(Exception):
    """There is no boardgame.io here, and none to be had; the sentence says why."""


class BoardgamePeer(NamedTuple):
    """An installed boardgame.io, and the environment that finds it."""

    environ: dict[str, str]

    def measure(self, audience: Audience, requests: int, size: int) -> Heard:
        """Make this many moves of a match of its own before an audience."""
        with self._serve(size) as (port, process):
            words = (port, process, audience.viewers, audience.stalled, requests)
            numbers = map(str, (*words, PAUSE_MS, TIMEOUT_MS))
            command = ["node", str(HERE / "viewers.js"), *numbers]
            done = subprocess.run(
                command, env=self.environ, check=True, stdout=subprocess.PIPE, text=True
            )
            return parse_heard(done.stdout)

    @contextmanager
    def _serve(self, size: int) -> Iterator[tuple[int, int]]:
        """Serve until the block ends; yield the port and the process."""
        command = ["node", str(HERE / "server.js"), str(size)]
        with subprocess.Popen(
            command, env=self.environ, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            try:
                yield json.loads(process.stdout.readline())[0], process.pid
            finally:
                process.terminate()


def install_peer() -> BoardgamePeer:
    """Install boardgame.io if it is not in the cache yet; raise NotInstalled if that fails."""
    for needed in ("node", "npm"):
        if shutil.which(needed) is None:
            raise NotInstalled(f"boardgame.io is left out: there is no {needed} here.")
    version = json.loads((HERE / "package.json").read_text())["dependencies"]["boardgame.io"]
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "companion-bench" / f"boardgame-{version}"
    if not (folder / "installed").exists():
        _install_into(folder)
    return BoardgamePeer({**os.environ, "NODE_PATH": str(folder / "node_modules")})


def _install_into(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", folder)
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        subprocess.run(
            command, cwd=folder, check=True, capture_output=True, timeout=60 * MINUTES_TO_INSTALL
        )
    except (OSError, subprocess.SubprocessError):
        raise NotInstalled("boardgame.io is left out: npm could not install it.") from None
    (folder / "installed").touch()
