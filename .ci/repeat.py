"""Run pytest; play the few tests that failed twice more, alone, and name those that hold then.

A test that waits for programs, a broker or a browser may run out of patience on a machine that
stands still for seconds, although nothing is wrong. Laws: only tests of FOLDERS are played again,
and only so few of them; what waits for nothing, such as a verdict, and whether a secret is told,
is wrong if it is wrong once. A test that is named here is a fault, of the test or of the product,
and is to be found.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
FOLDERS = (
    "app", "backup", "bench", "browser", "caretaker", "cli", "docs", "floor", "hardware/pcsc",
    "hotspot", "league", "systemd", "update", "web/floor", "web/server",
)  # fmt: skip
"""Folders below tests/ with tests that start programs, or wait for those of others."""
SECRETS = ("tests/floor/test_wire.py",)
MOST, TIMES = 3, 2


def run_pytest(*words: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *words], check=False).returncode


def is_played_again(test: str) -> bool:
    """Return whether this is one test, not a file, which waits for others and keeps no secret."""
    waits = test.startswith(tuple(f"tests/{folder}/" for folder in FOLDERS))
    return waits and "::" in test and not test.startswith(SECRETS)


def main() -> int:
    code = run_pytest("--cache-clear", *sys.argv[1:])
    if code != 1:  # All held; or the run itself failed.
        return code
    failed = sorted(json.loads(FAILED.read_text("utf-8")))
    if len(failed) > MOST or not all(map(is_played_again, failed)):
        return code
    if any(run_pytest("--quiet", *failed) for _ in range(TIMES)):
        return code
    for test in failed:
        print(f"UNSTEADY, to be mended: {test}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
