"""A floor on one machine: Mosquitto, simulated tables with bots, and the page of the floor.

python -m bench.floor_demo --tables 12 prints when all tables are alive on the page, and goes on
until Ctrl-C. --leave ends it then. Whatever ends it, by a signal as well, ends all that it started.
"""

import argparse
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.worlds.ports import free_port

GAMES = ("robby_solo", "banque_fatale", "bankueberfall")
PLAYERS = "Ana,Ben,Cleo"
PLACES = ("Window", "Bar", "Stage", "Gallery")
PORT, FIRST_TABLE = 8100, 8200
PATIENCE = 180.0
MISSING = "make floor needs the broker Mosquitto. Install it: sudo apt install mosquitto"


def main(words: Sequence[str] | None = None) -> int:
    """Start everything, tell when all tables are alive, and wait for Ctrl-C."""
    parser = argparse.ArgumentParser(prog="make floor")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--leave", action="store_true")
    asked = parser.parse_args(words)
    mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if mosquitto is None:
        print(MISSING, file=sys.stderr)
        return 2
    begun = time.monotonic()
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="floor-")))
        broker = start_broker(mosquitto, folder, running)
        page, _process = start_floor(broker, asked.port, folder, running)
        for n in range(1, asked.tables + 1):
            start_table(n, broker, folder, running)
        print(f"The floor is at {page}", flush=True)
        alive = _wait_for_tables(page, asked.tables)
        seconds = time.monotonic() - begun
        print(f"{alive} of {asked.tables} tables play after {seconds:.0f} s.", flush=True)
        if not asked.leave:
            _wait_for_ctrl_c()
    return 0 if alive == asked.tables else 1


def _start(
    command: Sequence[str | Path], log: Path, running: ExitStack
) -> "subprocess.Popen[bytes]":
    out = running.enter_context(log.open("wb"))
    process = subprocess.Popen(list(map(str, command)), stdout=out, stderr=out)
    running.callback(process.wait)
    running.callback(process.terminate)
    return process


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def start_broker(mosquitto: str, folder: Path, running: ExitStack) -> str:
    """Start Mosquitto without a password; return its address."""
    port = free_port()
    config = folder / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n", "utf-8")
    _start([mosquitto, "-c", config], folder / "mosquitto.log", running)
    return f"mqtt://127.0.0.1:{port}"


def start_floor(
    broker: str, port: int, folder: Path, running: ExitStack
) -> tuple[str, "subprocess.Popen[bytes]"]:
    """Start the floor at this port, or at a free one if it is taken; return the address of its
    page, and its process."""
    port = port if _is_free(port) else free_port()
    options: list[str | Path] = ["--mqtt", broker, "--port", str(port), "--data", folder / "floor"]
    process = _start([*_companion("floor"), *options], folder / "floor.log", running)
    return f"http://127.0.0.1:{port}/", process


def start_table(  # noqa: PLR0913
    n: int,
    broker: str,
    folder: Path,
    running: ExitStack,
    *,
    players: str = PLAYERS,
    pace: str = "slow",
    port: int = 0,
    more: Sequence[str | Path] = (),
    shift: Path | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a simulated table on which bots play, at a port of its own; return its process. The
    file `shift` says by how much its clock is wrong."""
    options: list[str | Path] = [
        "--sim", GAMES[n % len(GAMES)], "--players", players, "--pace", pace,
        "--air", "ideal", "--port", str(port or FIRST_TABLE + n), "--data", folder / f"table-{n}",
        "--name", f"Table {n}", "--place", PLACES[n % len(PLACES)], "--mqtt", broker, *more,
    ]  # fmt: skip
    command: list[str | Path] = [*_companion("run")]
    if shift is not None:
        command[1:] = ["-m", "tests.worlds.shifted_clock", shift, "run"]
    return _start([*command, *options], folder / f"table-{n}.log", running)


def _companion(command: str) -> list[str]:
    return [sys.executable, "-m", "companion", command]


def _wait_for_tables(page: str, tables: int) -> int:
    """Wait until so many tables play on the page of the floor; return how many do."""
    alive, end = 0, time.monotonic() + PATIENCE
    while alive < tables and time.monotonic() < end:
        time.sleep(0.5)
        try:
            with urllib.request.urlopen(page, timeout=5) as answer:
                alive = answer.read().decode().count('data-look="playing"')
        except OSError:
            continue
    return alive


def _wait_for_ctrl_c() -> None:
    try:
        while True:
            time.sleep(60)
    except KeyboardInterrupt:
        print()


def _end_by_signal(number: int, _frame: object) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _end_by_signal)
    sys.exit(main())
