"""Measuring of speeds: CPU seconds, the best of a few runs, beside a peer in the same run.

Machines are noisy and differ; the ratio to the peer is what can be compared between two of them.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

RUNS = 3


class Figure(NamedTuple):
    """One measured figure, the promise, and by how much it is that of a peer in the same run."""

    what: str
    value: float
    unit: str
    bar: float
    peer: str = ""
    ratio: float = 0.0
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def __str__(self) -> str:
        sign, verdict = (">=" if self.at_least else "<="), ("met" if self.met else "MISSED")
        digits = 3 if self.value < 10 else 0
        beside = f" {self.ratio:>7.2f} x {self.peer}" if self.peer else ""
        return (
            f"{self.what:<52} {self.value:>11,.{digits}f} {self.unit:<10}"
            f" {sign} {self.bar:>9,.{digits}f}  {verdict:<7}{beside}"
        )


def command_seconds(command: Sequence[str], given: Path | None = None) -> float:
    """Return the CPU seconds of a whole command, start-up included: the best of a few runs."""
    return min(_run_command(command, given) for _ in range(RUNS))


def _run_command(command: Sequence[str], given: Path | None) -> float:
    with given.open("rb") if given else open(os.devnull, "rb") as stdin:
        before = os.times()
        subprocess.run(command, stdin=stdin, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
    used = after.children_user - before.children_user
    return used + after.children_system - before.children_system


def python_command(*code: str) -> list[str]:
    """Return a command that runs this Python."""
    return [sys.executable, *code]
