"""Answers as they arrive together at a receiver, and as noise leaves them.

Law: where two tags that answer at once differ, both halves of the Manchester bit carry a signal;
that is a collision. A wrong bit is inverted, or looks like a collision, or spoils the start.
"""

from typing import NamedTuple

from hardware.simulator.frame import bit_times_ns
from hardware.simulator.noise import Noise
from hardware.simulator.tag import TagAnswer


class Reception(NamedTuple):
    """The signal at a receiver: ones win in `bits`, `collided` marks where tags differed."""

    bits: int
    length: int
    collided: int = 0
    odd: int = 0
    """The bytes whose parity is wrong, as a mask; the first may be a part of a byte."""
    false_start: bool = False
    wait_ns: int = 0


def superpose_answers(answers: list[TagAnswer]) -> Reception:
    """Join answers that overlap in time, bit by bit; the first to start sets the grid."""
    first = min(answer.wait_ns for answer in answers)
    ones = zeros = length = 0
    for (bits, size), wait in answers:
        late = (wait - first) // bit_times_ns(1)
        ones |= bits << late
        zeros |= (bits ^ ((1 << size) - 1)) << late
        length = max(length, size + late)
    return Reception(ones, length, ones & zeros, wait_ns=first)


def add_noise(echo: Reception, noise: Noise) -> Reception:
    """Return an answer as noise leaves it: start, data and parity bits may go wrong."""
    bits, length, collided, odd, false_start, wait = echo
    missing = -length % 8
    for place in noise.wrong_bits(1 + length + (length + 7) // 8):
        byte, bit = divmod(place - 1 + missing, 9)
        if place == 0:
            false_start = True
        elif bit == 8:
            odd ^= 1 << byte
        elif (mask := 1 << (8 * byte + bit - missing)) >> length == 0:
            if noise.is_phantom_collision():
                collided |= mask
                bits |= mask
            else:
                bits ^= mask
                odd ^= 1 << byte
    return Reception(bits, length, collided, odd, false_start, wait)
