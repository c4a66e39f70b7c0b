"""A fresh clone: `make play` to the page in the browser, and once more when all is installed.

Where pip reaches neither a cache nor a network there is nothing to measure, and that is said.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure, python_command

ROOT = Path(__file__).parents[1]
PAGE = re.compile(r"(http://localhost:\d+/play)$")
MAKE = ("make", "play", "ADDRESS=127.0.0.1", "PORT=18850", "ARGS=--no-browser")


def figures() -> Iterator[Figure]:
    """Measure the first start with a warm package cache, and the second start."""
    with tempfile.TemporaryDirectory() as aside:
        clone = Path(aside) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        first, second = to_the_page(clone), to_the_page(clone)
        if first is None or second is None:
            print("fresh clone to the page: pip reaches no package here", file=sys.stderr)
            return
        bare = time.perf_counter()
        subprocess.run(python_command("-m", "venv", str(Path(aside) / "bare")), check=True)
        bare = time.perf_counter() - bare
    yield Figure("fresh clone to the page, warm package cache", first, "s", 90, False,
                 "a bare virtual environment", first / bare)  # fmt: skip
    yield Figure("make play to the page, once installed", second, "s", 3, False,
                 "a bare virtual environment", second / bare)  # fmt: skip


def to_the_page(clone: Path) -> float | None:
    """Return the seconds from the command to the page; None if nothing was served."""
    begun = time.perf_counter()
    environ = {**os.environ, "XDG_RUNTIME_DIR": str(clone)}
    with subprocess.Popen(
        MAKE, cwd=clone, env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as playing:
        assert playing.stdout is not None
        found = next((m for m in map(PAGE.search, map(str.rstrip, playing.stdout)) if m), None)
        if found is None:
            return None
        with urllib.request.urlopen(found[1]) as page:
            assert page.status == 200
        taken = time.perf_counter() - begun
        os.killpg(playing.pid, signal.SIGINT)
    return taken


if __name__ == "__main__":
    for each in figures():
        print(each)
