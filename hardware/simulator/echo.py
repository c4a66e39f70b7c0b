"""Answers as they arrive together at a receiver, and as noise leaves them.

Law: where two tags that answer at once differ, both halves of the Manchester bit carry a signal;
that is a collision. A wrong bit is inverted, or looks like a collision, or spoils the start.
"""

from typing import NamedTuple

from hardware.simulator.frame import bit_times
from hardware.simulator.noise import Noise
from hardware.simulator.tag import Answer


class Echo(NamedTuple):
    """What arrives at a receiver: ones win in `bits`, `collided` says where tags differed."""

    bits: int
    length: int
    collided: int = 0
    odd: int = 0
    """The bytes whose parity is wrong, as a mask; the first may be a part of a byte."""
    false_start: bool = False
    wait_ns: int = 0


def superpose(answers: list[Answer]) -> Echo:
    """Answers that overlap in time, bit by bit; the first to start sets the grid."""
    first = min(answer.wait_ns for answer in answers)
    ones = zeros = length = 0
    for (bits, size), wait in answers:
        late = (wait - first) // bit_times(1)
        ones |= bits << late
        zeros |= (bits ^ ((1 << size) - 1)) << late
        length = max(length, size + late)
    return Echo(ones, length, ones & zeros, wait_ns=first)


def disturbed(echo: Echo, noise: Noise) -> Echo:
    """An answer as it comes through noise: start, data and parity bits may go wrong."""
    bits, length, collided, odd, false_start, wait = echo
    missing = -length % 8
    for place in noise.strikes(1 + length + (length + 7) // 8):
        byte, bit = divmod(place - 1 + missing, 9)
        if place == 0:
            false_start = True
        elif bit == 8:
            odd ^= 1 << byte
        elif (mask := 1 << (8 * byte + bit - missing)) >> length == 0:
            if noise.phantom():
                collided |= mask
                bits |= mask
            else:
                bits ^= mask
                odd ^= 1 << byte
    return Echo(bits, length, collided, odd, false_start, wait)
