"""How near a tag is, by how far transmit power and receiver gain can be lowered together.

Law: with some antennas a tag runs out of power first, with others its answer is lost first, and no
reader knows which it has. Each rung lowers the power, some the gain besides, so that under either
law a tag half as well coupled is lost rungs earlier. A rung may be missed by noise; two in a row
are the end.
"""

from collections.abc import Callable
from typing import NamedTuple

from hardware.rc522.chip import Chip, TransmitPower

ONE_DRIVER = 0x01


class Rung(NamedTuple):
    """One step of the ladder: receiver gain in dB, and transmit power."""

    gain: int
    power: TransmitPower


LADDER = (
    Rung(33, TransmitPower()),
    Rung(33, TransmitPower(p=12)),
    Rung(33, TransmitPower(p=7)),
    Rung(23, TransmitPower(n=4, p=5)),
    Rung(23, TransmitPower(n=3, p=4)),
    Rung(23, TransmitPower(n=2, p=3)),
    Rung(23, TransmitPower(n=2, p=2)),
    Rung(23, TransmitPower(n=1, p=2)),
    Rung(23, TransmitPower(n=2, p=1)),
    Rung(23, TransmitPower(ONE_DRIVER, n=1, p=2)),
    Rung(23, TransmitPower(ONE_DRIVER, n=1, p=1)),
)
"""From full power down to about a fourteenth, each rung some three quarters of the one before."""
MISSED = 2


def count_rungs(chip: Chip, is_heard: Callable[[], bool]) -> int:
    """Return on how many rungs a tag is heard, from the strongest down; then set power and gain
    back to their usual values."""
    heard = missed = 0
    for rung in LADDER:
        chip.set_gain(rung.gain)
        chip.set_power(rung.power)
        if is_heard():
            heard, missed = heard + 1, 0
        else:
            missed += 1
        if missed == MISSED:
            break
    chip.set_gain(chip.gain)
    chip.set_power(TransmitPower())
    return heard
