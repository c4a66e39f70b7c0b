"""Record which product files run while something happens, in which order, and how many calls.

The order is that of the first call in each file. Calls are counted for Python functions of the
product in the thread that traces; what a library does in between is not counted.
"""

import sys
from collections import Counter
from types import FrameType
from typing import Any, Self

from tests.worlds.paths import ROOT

SCENERY = f"{ROOT}/tests/"
SIMULATION = ("hardware/simulator/", "hardware/simulated_table.py")
"""Files that stand for the hardware, and are not on the way on a Pi."""
PRODUCT = tuple(f"{ROOT}/{name}/" for name in ("companion", "hardware", "web"))


class CallTrace:
    """Trace the block of a `with` statement."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.first: dict[str, str] = {}
        """The first function that ran in each file."""

    def __enter__(self) -> Self:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_failed: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _arg: Any) -> None:
        if event != "call":
            return
        code, caller = frame.f_code, frame.f_back
        if caller is not None and caller.f_code.co_filename.startswith(SCENERY):
            return  # What a test looks up by itself is not on the way.
        if code.co_filename.startswith(PRODUCT) and code.co_filename.endswith(".py"):
            file = code.co_filename[len(str(ROOT)) + 1 :]
            if file.startswith(SIMULATION):
                return
            self.first.setdefault(file, code.co_qualname)
            self.calls[file] += 1

    @property
    def files(self) -> list[str]:
        """The files that ran, in the order of their first call."""
        return list(self.first)

    @property
    def packages(self) -> list[str]:
        """The folders that ran, in the order of their first call."""
        return list(dict.fromkeys(file.rpartition("/")[0] for file in self.first))

    def calls_in(self, folder: str) -> int:
        """Count the calls into files below a folder."""
        return sum(n for file, n in self.calls.items() if file.startswith(folder))
