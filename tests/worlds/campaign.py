"""How many samples the tests take: `make test` few, `make test-all` more, `make bars` the most.

Laws: `make test` and `make test-all` take the same samples on every run; only `make bars` draws new
ones. The environment variable CAMPAIGN says which it is.
"""

import os
from typing import TypeVar

SIZES = ("small", "wide", "large")
SIZE = os.environ.get("CAMPAIGN") or SIZES[0]
IS_LARGE = SIZE == "large"
IS_WIDE = IS_LARGE or SIZE == "wide"

T = TypeVar("T")


def pick(small: T, wide: T, large: T) -> T:
    """Return the value for the size of this campaign."""
    return (small, wide, large)[SIZES.index(SIZE)]
