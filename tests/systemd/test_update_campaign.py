"""Broken updates by the dozen: each kind of fault of the new version, with the power cut or the
disk full at any moment. No table stays dark, the version before runs again in time, and nothing
that was played is touched.
"""

import errno
import os
import shutil
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from installer.machine import TargetMachine
from installer.pi import this_pi
from installer.system import DATA
from installer.trial import CURRENT
from installer.version import Version, folder_digest
from tests.systemd.test_interrupted_install import TOUCHES
from tests.systemd.test_trial import LONGEST, UNITS, Installed, edit_unit
from tests.worlds.campaign import IS_LARGE, pick
from tests.worlds.past_evening import files_of_evening, play_evening
from tests.worlds.pi_folder import install
from tests.worlds.powered_pi import (
    CONVERTS,
    CRASHES,
    HANGS,
    JOURNAL,
    LOGS,
    REFUSES,
    SILENT,
    UNABLE,
    WRONG,
    PoweredPi,
)

WELL, ITS_UNIT = "is well", "its unit "
KINDS = (
    WELL, REFUSES, CRASHES, HANGS, SILENT, WRONG, UNABLE, CONVERTS, LOGS,
    *(f"{ITS_UNIT}{unit}" for unit in UNITS),
)  # fmt: skip
"""How the new version fares; an import error shows as a version that refuses to start."""
POWER, DISK, NOTHING = "the power fails", "the disk is full", "nothing else"
CUT = 4
LATE = 5
"""How the process of an update ends: without power; with a table that was not well in time."""
BUILT, MOMENTS = 150, 270
"""About so often an update touches a file or waits until the version is built, which then is
proven, switched to and watched; and in the end. Most of the moments are after it is built."""
SAMPLES = pick(12, 48, 360)
CUTS = pick(2, 10, 100)
"""So often the power fails in the middle of an update, at least."""
pytestmark = [pytest.mark.wide, pytest.mark.timeout(1800)]


@dataclass(frozen=True)
class Bad:
    """One update: the kind of the version, and what happens beside it, at which touch."""

    kind: str
    beside: str
    at: int
    again: float
    """Seconds after the next start at which the power fails once more."""


def draw(dice: Random, n: int) -> Bad:
    """Draw what happens; each kind comes in its turn."""
    beside = dice.choice((POWER, POWER, POWER, DISK, NOTHING))
    kind, first = KINDS[n % len(KINDS)], dice.choice((0, BUILT, BUILT, BUILT))
    at = dice.randrange(BUILT) if kind in (WRONG, UNABLE) else dice.randrange(first, MOMENTS)
    return Bad(kind, beside, at, dice.choice((0, 3, 30, 61)))


class Broken:
    """A version that is well, an evening on it, and a clone for each kind of the next one."""

    def __init__(self, pi: PoweredPi, source: Path) -> None:
        self.old = Installed(pi, source).old
        pi.remove(JOURNAL)
        play_evening(pi.path_of(DATA), closed=False)
        self.evening = files_of_evening(pi.path_of(DATA))
        self._clones = {kind: self._clone(source, kind) for kind in KINDS}
        self.names = {k: Version(pi, this_pi(pi), c).name for k, c in self._clones.items()}

    def _clone(self, source: Path, kind: str) -> Path:
        clone = source.with_name(kind.replace(" ", "-"))
        shutil.copytree(source, clone)
        for unit, change in UNITS.items():
            if kind == f"{ITS_UNIT}{unit}":
                edit_unit(clone, *change)
        return clone

    def switch_on(self, root: Path, kind: str) -> PoweredPi:
        """A Pi in this folder, not yet switched on, with such a version on it or coming."""
        pi = Passing(root, on=False)
        fault = REFUSES if kind == f"{ITS_UNIT}knows no guard" else kind
        if fault != WELL and not fault.startswith(ITS_UNIT):
            pi.faults[self.names[kind]] = fault
        return pi

    def update(self, pi: PoweredPi, kind: str) -> None:
        install(pi, self._clones[kind])


class Passing(PoweredPi):
    """A Pi on which waiting is a moment too."""

    def sleep(self, seconds: float) -> None:
        (self.root / "proc/waited").write_text("")
        super().sleep(seconds)


def _happen(bad: Bad, pi: PoweredPi) -> None:
    """From now on count touches; at that one, and after it, what is beside the update happens."""
    left, root = bad.at, str(pi.root)

    def hook(event: str, facts: tuple[Any, ...]) -> None:
        nonlocal left
        writes = event == "open" and isinstance(facts[1], str) and set(facts[1]) & set("wa")
        if not ((writes or event in TOUCHES) and str(facts[0]).startswith(root)):
            return
        left -= 1
        if left < 0 and bad.beside == POWER:
            os._exit(CUT)
        if left < 0 and bad.beside == DISK:
            pi.is_full = True
            if "/proc/" not in str(facts[0]) and writes:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(facts[0]))

    sys.addaudithook(hook)


def in_a_process(run: Callable[[], int]) -> int:
    """Run this in a process of its own; return how it ended."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Threads of the test runner, not ours.
        child = os.fork()
    if not child:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            os._exit(run())
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def seconds_of_darkness(pi: PoweredPi) -> float:
    """Let time pass until there is a table, at most LONGEST; return how long that took."""
    begun = pi.clock
    while pi.is_dark() and pi.clock - begun <= LONGEST:
        pi.sleep(1)
    return pi.clock - begun


def run_update(broken: Broken, root: Path, bad: Bad) -> int:
    """Update; return LATE unless there is a table within LONGEST after the version was switched to,
    and LONGEST later still one."""

    def run() -> int:
        pi = broken.switch_on(root, bad.kind)
        pi.switch_on()
        begun = pi.clock
        _happen(bad, pi)
        broken.update(pi, bad.kind)
        late = pi.clock - begun + seconds_of_darkness(pi) > LONGEST
        pi.sleep(LONGEST)
        return LATE if late or pi.is_dark() else 0

    return in_a_process(run)


def check_table(broken: Broken, root: Path, bad: Bad) -> float:
    """Switch it on, with another cut of the power if one comes; it is a table again in time, with
    all that was played. Return after how many seconds, of the last start."""
    pi = broken.switch_on(root, bad.kind)
    pi.switch_on()
    if bad.again:
        pi.sleep(bad.again)
        pi.switch_on()
    begun = pi.clock
    while pi.is_dark() or _is_on_its_way(pi, broken, bad):
        pi.sleep(1)
        assert pi.clock - begun <= LONGEST, bad
    took = pi.clock - begun
    pi.sleep(LONGEST)
    assert not pi.is_dark(), bad
    if bad.kind != WELL:
        assert pi.runs == broken.old, bad
    runs = pi.path_of(CURRENT).resolve()
    assert (runs / "whole").read_text() == folder_digest(runs), bad
    assert files_of_evening(pi.path_of(DATA)) == broken.evening, bad
    return took


def _is_on_its_way(pi: PoweredPi, broken: Broken, bad: Bad) -> bool:
    """Whether a version that is not well has not been left yet."""
    return bad.kind != WELL and pi.runs != broken.old


def test_no_update_leaves_a_dark_table(
    bench: TargetMachine, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Broken(PoweredPi(bench.root), source)
    dice = Random(None if IS_LARGE else 20)
    seen, slowest = Counter[tuple[str, str]](), 0.0
    for n in range(SAMPLES):
        bad = draw(dice, n)
        root = bench.root.with_name("sample")
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(bench.root, root, symlinks=True)
        ended = run_update(broken, root, bad)
        assert ended in (0, CUT), bad
        came = ended == CUT or bad.beside != POWER  # Else it was over before.
        seen[bad.kind, bad.beside if came else NOTHING] += 1
        slowest = max(slowest, check_table(broken, root, bad))
    assert {kind for kind, _ in seen} == set(KINDS)
    assert sum(seen[kind, POWER] for kind in KINDS) >= CUTS
    with capsys.disabled():
        sys.stdout.write(tell(seen, slowest))


def tell(seen: Counter[tuple[str, str]], slowest: float) -> str:
    """What was tried, in words."""
    lines = [f"\n{seen.total()} updates: no table dark, back {slowest:.0f} s after a start at most"]
    for kind in KINDS:
        each = {what: seen[kind, what] for what in (POWER, DISK, NOTHING)}
        beside = ", ".join(f"{what} {n}" for what, n in each.items())
        lines.append(f"  {sum(each.values())} × {kind}: {beside}")
    return "\n".join(lines) + "\n"
