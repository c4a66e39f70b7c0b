"""A floor on one machine: Mosquitto, simulated tables with bots, and the page of the floor.

python -m bench.floor_demo --tables 12 prints where the page is, and goes on until Ctrl-C. Whatever
ends it, by a signal as well, ends all that it started.
"""

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from web.server.sockets import open_sockets

GAMES = ("robby_solo", "banque_fatale", "bankueberfall")
PLACES = ("Window", "Bar", "Stage", "Gallery")
FIRST_TABLE = 8200
Out = IO[bytes] | int | None
MISSING = "make floor needs the broker Mosquitto. Install it: sudo apt install mosquitto"


def main() -> int:
    """Start everything, and wait for Ctrl-C."""
    parser = argparse.ArgumentParser(prog="make floor")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--port", default="8100")
    asked = parser.parse_args()
    mosquitto = find_mosquitto()
    if mosquitto is None:
        print(MISSING, file=sys.stderr)
        return 2
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="floor-")))
        broker = start_broker(mosquitto, folder, running)
        floor = ["floor", "--mqtt", broker, "--port", asked.port]
        page = _start(companion(*floor), running, stdout=subprocess.PIPE)
        assert page.stdout is not None
        print("The floor is at", page.stdout.readline().decode().split()[-1], flush=True)
        for n in range(1, asked.tables + 1):
            start_table(n, broker, folder, running)
        signal.pause()
    return 0


def find_mosquitto() -> str | None:
    """Return Debian's Mosquitto, which lies where only root looks; None if it is not installed."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def companion(*words: str) -> list[str]:
    return [sys.executable, "-m", "companion", *words]


def start_broker(mosquitto: str, folder: Path, running: ExitStack) -> str:
    """Start Mosquitto without a password; return its address."""
    (free,) = open_sockets(0, "127.0.0.1")
    port = free.getsockname()[1]
    free.close()
    config = folder / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n", "utf-8")
    _start([mosquitto, "-c", str(config)], running, stderr=subprocess.DEVNULL)
    return f"mqtt://127.0.0.1:{port}"


def start_table(
    n: int, broker: str, folder: Path, running: ExitStack, pace: str = "human"
) -> "subprocess.Popen[bytes]":
    """Start a simulated table with bots, at a port of its own; return its process."""
    log = running.enter_context((folder / f"table-{n}.log").open("wb"))
    words = [
        "run", "--sim", GAMES[n % len(GAMES)], "--players", "Zenobia,Quintus,Walpurga",
        "--pace", pace, "--air", "ideal", "--port", str(FIRST_TABLE + n),
        "--data", str(folder / f"table-{n}"), "--name", f"Table {n}",
        "--place", PLACES[n % len(PLACES)], "--mqtt", broker,
    ]  # fmt: skip
    return _start(companion(*words), running, stdout=log, stderr=log)


def _start(
    command: Sequence[str], running: ExitStack, stdout: Out = None, stderr: Out = None
) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(command, stdout=stdout, stderr=stderr)
    running.callback(process.wait)
    running.callback(process.terminate)
    return process


def _end_by_signal(number: int, _frame: object) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(ending, _end_by_signal)
    sys.exit(main())
