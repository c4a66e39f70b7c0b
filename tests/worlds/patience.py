"""Patience: a test waits for a condition, never for a time."""

import time
from collections.abc import Callable

PATIENCE = 60.0


def until(is_so: Callable[[], object], what: str = "") -> None:
    """Wait until something is so; fail loudly where it never comes."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.02)
