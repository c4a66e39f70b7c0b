"""The faults that can be made at a simulated table, as pages and its wires name them."""

from typing import Literal

import msgspec

Fault = Literal["cable", "frames", "stack", "bounce", "plug"]


class Faults(msgspec.Struct, frozen=True):
    """The faults that are switched on: cables of readers by place, frames lost in percent, places
    whose uppermost card bears a second sticker, seats whose button chatters."""

    cable: tuple[int, ...] = ()
    frames: int = 0
    stack: tuple[int, ...] = ()
    bounce: tuple[int, ...] = ()
