"""What is shown while a command works for more than a second.

Law: it goes to the standard error, on a terminal alone, and is taken away again before anything
else is printed. A line of the log that comes meanwhile is written over it.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from companion.core.i18n import N_, Language

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds after which something is shown, and between two of them."""
WORKS = N_("Working for {n} s …")
CLEAR = "\r\x1b[K"


@contextmanager
def waiting(words: Language) -> Iterator[Callable[[], None]]:
    """Show the seconds that the block has been at work; yield a function that ends that early."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    done, is_shown, begun = threading.Event(), threading.Event(), time.monotonic()

    def show() -> None:
        while not done.wait(PATIENCE):
            told = words.render(WORKS, {"n": round(time.monotonic() - begun)})
            print(f"{CLEAR}{told}", end="\r", file=sys.stderr, flush=True)
            is_shown.set()

    def take_away() -> None:
        if not done.is_set():
            done.set()
            shown.join()
            if is_shown.is_set():
                print(CLEAR, end="", file=sys.stderr, flush=True)

    shown = threading.Thread(target=show, daemon=True)
    shown.start()
    try:
        yield take_away
    finally:
        take_away()


def waited(items: Iterable[T], words: Language) -> Iterator[T]:
    """Yield items that take time to come, and show progress meanwhile."""
    coming, end = iter(items), object()
    while True:
        with waiting(words):
            item = next(coming, end)
        if item is end:
            return
        yield item  # type: ignore[misc]
