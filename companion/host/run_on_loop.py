"""Run a function on the thread of the event loop, which alone may touch a table.

Law: a call that raises TableBusy was not made and will not be, so it may be repeated.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class TableBusy(Exception):
    """The event loop had no time for a call, or a copy of it is still running: try again."""


class RunOnLoop(Protocol):
    """Run a function on the thread of the event loop, and return its result.

    Raise TableBusy if the loop does not begin with it in time.
    """

    def __call__(self, act: Callable[[], T], /) -> T: ...


def run_here(act: Callable[[], T], /) -> T:
    """Run the function on the calling thread, for tests and tables without an event loop."""
    return act()
