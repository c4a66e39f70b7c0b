"""Run pytest; play the few tests that failed twice more, alone, and name those that hold then.

A test that waits for programs, a broker or a browser may run out of patience on a machine that
stands still for seconds, although nothing is wrong. Laws: only tests of WAITING are played again,
and only so few of them. What waits for nothing, such as a verdict, is wrong if it is wrong once,
and so is every test of AT_ONCE: a secret that got out. A test that is named here is a fault, of the
test or of the product, and is to be found.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
WAITING = (
    "app/test_systemd_notify.py", "browser/", "cli/test_programs.py",
    "hardware/pcsc/", "web/server/",
)  # fmt: skip
"""Where, below tests/, programs are started or those of others waited for."""
AT_ONCE = ("browser/test_phone.py",)
"""Of these, the one that looks for secrets."""
MOST, TIMES = 3, 2


def run_pytest(*words: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *words], check=False).returncode


def is_played_again(test: str) -> bool:
    """Return whether this is one test, not a file, which waits and is not wrong at once."""
    place = test.removeprefix("tests/")
    return "::" in test and place.startswith(WAITING) and not place.startswith(AT_ONCE)


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
