"""What is shown while a command works for more than a second.

Law: it goes to the standard error, on a terminal alone, and is taken away again before anything
else is printed.
"""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from companion.core.i18n import N_, Language

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds after which something is shown, and between two of them."""
WORKS = N_("Working for {n} s …")
CLEAR = "\r\x1b[K"


@contextmanager
def waiting(words: Language) -> Iterator[None]:
    """Show for how long the block has been at work."""
    if not sys.stderr.isatty():
        yield
        return
    done, begun = threading.Event(), time.monotonic()

    def show() -> None:
        while not done.wait(PATIENCE):
            told = words.render(WORKS, {"n": round(time.monotonic() - begun)})
            print(f"{CLEAR}{told}", end="", file=sys.stderr, flush=True)

    shown = threading.Thread(target=show, daemon=True)
    shown.start()
    try:
        yield
    finally:
        done.set()
        shown.join()
        print(CLEAR, end="", file=sys.stderr, flush=True)


def waited(items: Iterable[T], words: Language) -> Iterator[T]:
    """Yield what takes its time to come, and show meanwhile that it is worked on."""
    coming, end = iter(items), object()
    while True:
        with waiting(words):
            item = next(coming, end)
        if item is end:
            return
        yield item  # type: ignore[misc]
