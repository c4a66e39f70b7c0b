"""Run a function on the thread of the event loop, which alone may touch a table."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class RunOnLoop(Protocol):
    """Run a function on the thread of the event loop, and return its result."""

    def __call__(self, act: Callable[[], T], /) -> T: ...


def run_here(act: Callable[[], T], /) -> T:
    """Run the function on the calling thread, for tests and tables without an event loop."""
    return act()
