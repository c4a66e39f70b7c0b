"""What can be switched at a simulated table: the pace of its bots, and faults."""

from typing import Literal

import msgspec

Pace = Literal["human", "fast", "still"]
"""How fast bots play; where they are still they wait."""
Fault = Literal["cable", "frames", "stack", "bounce", "plug"]


class Faults(msgspec.Struct, frozen=True):
    """The faults that are switched on: cables of readers by place, frames lost in percent, places
    whose uppermost card bears a second sticker, seats whose button chatters."""

    cable: tuple[int, ...] = ()
    frames: int = 0
    stack: tuple[int, ...] = ()
    bounce: tuple[int, ...] = ()
