"""Broken updates by the dozen: any fault of the new version, with the power cut or the disk full at
any moment. No table stays dark, and nothing that was played is touched."""

import errno
import os
import shutil
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from installer.system import DATA
from installer.trial import CURRENT
from installer.version import folder_digest
from tests.systemd.test_interrupted_install import TOUCHES
from tests.systemd.test_trial import EVENING, LONGEST, Installed
from tests.worlds.campaign import IS_LARGE, pick
from tests.worlds.pi_folder import install
from tests.worlds.powered_pi import CRASHES, HANGS, REFUSES, SILENT, PoweredPi

FAULTS = ("", REFUSES, CRASHES, HANGS, SILENT)
POWER, DISK, NOTHING = "the power fails", "the disk is full", "nothing else"
DARK = 3
CUT = 4
"""How the process of an update ends: with a dark table, or without power."""
MOMENTS = 160
"""At most so often an update touches a file or waits; later moments are after it."""
SWITCHES = 80
"""From about here on the version is switched to and watched: most of the moments are there."""
SAMPLES = pick(3, 30, 200)
pytestmark = [pytest.mark.wide, pytest.mark.timeout(900)]


@dataclass(frozen=True)
class Bad:
    """One update: the fault of the version, and what happens beside it, at which touch."""

    fault: str
    beside: str
    at: int
    again: float
    """Seconds after the next start at which the power fails once more."""


def draw(dice: Random) -> Bad:
    beside = dice.choice((POWER, POWER, POWER, DISK, NOTHING))
    first = dice.choice((0, SWITCHES, SWITCHES))
    return Bad(
        dice.choice(FAULTS), beside, dice.randrange(first, MOMENTS), dice.choice((0, 3, 30, 61))
    )


class Passing(PoweredPi):
    """A Pi on which waiting is a moment too."""

    def sleep(self, seconds: float) -> None:
        (self.root / "proc/waited").write_text("")
        super().sleep(seconds)


def _happen(bad: Bad, root: str) -> None:
    """From now on count touches; at that one, and after it, what is beside the update happens."""
    left = bad.at

    def hook(event: str, facts: tuple[Any, ...]) -> None:
        nonlocal left
        writes = event == "open" and isinstance(facts[1], str) and set(facts[1]) & set("wa")
        if not ((writes or event in TOUCHES) and str(facts[0]).startswith(root)):
            return
        left -= 1
        if left < 0 and bad.beside == POWER:
            os._exit(CUT)
        if left < 0 and bad.beside == DISK and "/proc/" not in str(facts[0]) and writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(facts[0]))

    sys.addaudithook(hook)


def run_update(root: Path, source: Path, new: str, bad: Bad) -> int:
    """Update in a process of its own; return how it ended."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Threads of the test runner, not ours.
        child = os.fork()
    if not child:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            pi = Passing(root)
            pi.faults[new] = bad.fault
            begun = pi.clock
            _happen(bad, str(root))
            install(pi, source)
            pi.sleep(max(0.0, LONGEST - (pi.clock - begun)))
            os._exit(DARK if pi.is_dark() else 0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_no_update_leaves_a_dark_table(bench: Any, source: Path) -> None:
    installed = Installed(PoweredPi(bench.root), source)
    dice = Random(None if IS_LARGE else 20)
    seen = set[tuple[str, int]]()
    for _ in range(SAMPLES):
        bad = draw(dice)
        root = bench.root.with_name("sample")
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(bench.root, root, symlinks=True)
        ended = run_update(root, source, installed.new, bad)
        assert ended in (0, CUT), bad
        seen.add((bad.beside, ended))
        check_table(root, installed, bad)
    assert (POWER, CUT) in seen


def check_table(root: Path, installed: Installed, bad: Bad) -> None:
    """Switch it on, with another cut of the power if one comes; it is a table again in time."""
    pi = PoweredPi(root)
    pi.faults[installed.new] = bad.fault
    pi.switch_on()
    if bad.again:
        pi.sleep(bad.again)
        pi.switch_on()
    pi.sleep(LONGEST)
    assert not pi.is_dark(), bad
    runs = pi.path_of(CURRENT).resolve()
    assert (runs / "whole").read_text() == folder_digest(runs), bad
    assert pi.read_text(f"{DATA}/journal.sqlite3") == EVENING, bad
