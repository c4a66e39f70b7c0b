"""Backup, restore and the list of games with a journal of ten thousand: peak memory and time.

    python -m bench.many_games --games 10000 --runs 5

The peak is the kernel's (VmHWM of the command's process), read from outside while it runs. Wall and
processor seconds are the median of the runs with the least and the most.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from companion.journal.game_index import index_path
from tests.worlds.many_games import write_many_games

LOOK_EVERY = 0.02


class Run(NamedTuple):
    """One run of a command: seconds by the wall and of the processor, peak memory in MiB."""

    wall: float
    processor: float
    peak: float


class Case(NamedTuple):
    """A command, and what is to be done before each run of it."""

    name: str
    words: list[str]
    prepare: Callable[[], object]


def measure_command(words: list[str]) -> Run:
    """Run a command of the companion; raise CalledProcessError if it fails."""
    command, begun, peak = [sys.executable, "-m", "companion", *words], time.perf_counter(), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    done = 0
    while not done:
        peak = max(peak, _peak_memory(process.pid))
        time.sleep(LOOK_EVERY)
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    wall = time.perf_counter() - begun
    return Run(wall, usage.ru_utime + usage.ru_stime, peak / 1024)


def _peak_memory(pid: int) -> int:
    """Return the peak of a process that may have ended, in KiB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def list_cases(folder: Path) -> Iterator[Case]:
    """Yield the commands in an order in which each finds what it needs."""
    data, file, other = folder / "data", folder / "backup.zip", folder / "other"
    index = index_path(data / "journal.sqlite3")

    def remove_other() -> None:
        shutil.rmtree(other, ignore_errors=True)

    def remove_kept() -> None:
        shutil.rmtree(other / "backups", ignore_errors=True)

    def nothing() -> None:
        pass

    here, there = ["--data", str(data)], ["--data", str(other)]
    yield Case(
        "records, for the first time",
        ["records", *here],
        _remover(index),
    )
    yield Case("records", ["records", *here], nothing)
    yield Case("records --check", ["records", "--check", *here], nothing)
    yield Case("backup", ["backup", "--to", str(file), *here], _remover(file))
    yield Case("restore into an empty folder", ["restore", str(file), *there], remove_other)
    yield Case("restore over as many games", ["restore", str(file), *there], remove_kept)


def _remover(path: Path) -> Callable[[], None]:
    return lambda: path.unlink(missing_ok=True)


def describe_runs(name: str, runs: list[Run]) -> str:
    """Return one line about the runs of a command."""
    wall, processor = [run.wall for run in runs], [run.processor for run in runs]
    peak = max(run.peak for run in runs)
    return (
        f"{name:<30} {_spread(wall)} s wall  {_spread(processor)} s processor"
        f"  {peak:5.1f} MiB peak  {len(runs)} runs"
    )


def _spread(seconds: list[float]) -> str:
    median = statistics.median(seconds)
    return f"{median:6.2f} ({min(seconds):.2f}–{max(seconds):.2f})"


def main() -> int:
    """Write the journal, and print one line for each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").mkdir()
        begun = time.perf_counter()
        journal = folder / "data/journal.sqlite3"
        lines = write_many_games(journal, options.games)
        size, took = journal.stat().st_size >> 20, time.perf_counter() - begun
        print(f"{options.games:,} games, {lines:,} lines, {size} MiB, written in {took:.0f} s")
        for case in list_cases(folder):
            runs = []
            for _ in range(options.runs):
                case.prepare()
                runs.append(measure_command(case.words))
            print(describe_runs(case.name, runs), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
