"""Calls: everything that is done to a table is done on one thread; this is how it gets there."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class RunOnLoop(Protocol):
    """Has something done on the thread where everything happens."""

    def __call__(self, act: Callable[[], T], /) -> T: ...


def run_here(act: Callable[[], T], /) -> T:
    """On this very thread."""
    return act()
