"""A fresh clone: `make floor` to twelve tables that play on the page, with a warm package cache.

Where pip reaches neither a cache nor a network, or Mosquitto is missing, there is nothing to
measure, and that is said.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.floor_demo import MISSING
from bench.fresh import ROOT
from bench.measure import Figure, python_command

BAR = 90.0
TABLES = 12
READY = f"{TABLES} of {TABLES} tables play"


def figures() -> Iterator[Figure]:
    """Measure the first `make floor` of a clone."""
    if shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None:
        print(MISSING, file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as aside:
        clone = Path(aside) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        first = _time_floor(clone)
        if first is None:
            print("fresh clone to the floor: pip reaches no package here", file=sys.stderr)
            return
        bare = time.perf_counter()
        subprocess.run(python_command("-m", "venv", str(Path(aside) / "bare")), check=True)
        bare = time.perf_counter() - bare
    yield Figure(f"fresh clone, make floor to {TABLES} living tiles", first, "s", BAR, False,
                 "a bare virtual environment", first / bare)  # fmt: skip


def _time_floor(clone: Path) -> float | None:
    """Return the seconds from the command to the twelfth living tile; None if it never came."""
    begun = time.perf_counter()
    command = ("make", "floor", f"TABLES={TABLES}")
    with subprocess.Popen(
        command, cwd=clone, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as floor:
        assert floor.stdout is not None
        is_there = any(line.startswith(READY) for line in floor.stdout)
        taken = time.perf_counter() - begun
        if floor.poll() is None:
            os.killpg(floor.pid, signal.SIGINT)
        floor.communicate()  # Its last words want to be read.
    return taken if is_there else None


if __name__ == "__main__":
    for each in figures():
        print(each)
