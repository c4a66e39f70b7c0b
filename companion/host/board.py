"""The board: what the machine under the table says of itself.

Laws: what nobody knows is None, never a guess. What was so for a moment is remembered until the
companion is started anew, because nobody looks at the right second.
"""

from collections.abc import Callable

import msgspec


class Board(msgspec.Struct, frozen=True):
    """How the machine is now, and what it has been through since the companion was started.

    `low` is whether its supply sags, `slowed` whether it holds itself back, `clock_set` whether its
    clock was set by somebody who knows the time since it was switched on.
    """

    model: str = ""
    celsius: float | None = None
    hottest: float | None = None
    low: bool | None = None
    was_low: bool | None = None
    slowed: bool | None = None
    was_slowed: bool | None = None
    clock_set: bool | None = None
    memory_mib: int | None = None
    memory_free_mib: int | None = None
    load: float | None = None


def remembered(before: Board, now: Board) -> Board:
    """How the machine is now, with all that was noticed before."""
    return msgspec.structs.replace(
        now,
        hottest=_of(max, before.hottest, now.hottest, now.celsius),
        was_low=_of(any, before.was_low, now.was_low, now.low),
        was_slowed=_of(any, before.was_slowed, now.was_slowed, now.slowed),
    )


def _of(which: Callable[..., float], *values: float | None) -> float | None:
    known = [value for value in values if value is not None]
    return which(known) if known else None
