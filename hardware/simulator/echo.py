"""Answers as they arrive together at a receiver, and as noise leaves them.

Law: where two tags that answer at once differ, both halves of the Manchester bit carry a signal;
that is a collision. Noise loses frames in either direction, for each tag by itself, and inverts
bits, makes them look like collisions, or spoils the start. The same seed makes the same evening.
"""

import math
import random
from collections.abc import Iterator
from typing import NamedTuple

from hardware.simulator.frame import bit_times_ns
from hardware.simulator.tag import TagAnswer


class Noise:
    """The error rates of one antenna; with all at zero it costs nothing."""

    __slots__ = ("_frame_loss", "_log_good", "_random", "phantom_collisions", "quiet")

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._frame_loss = 0.0
        self._log_good = 0.0
        self.phantom_collisions = 0.1
        """The share of wrong bits that look like two tags."""
        self.quiet = True

    def set_rates(
        self, *, frame_loss: float | None = None, bit_errors: float | None = None
    ) -> None:
        """Set the rates: frames lost in each direction, bits of answers that go wrong."""
        if frame_loss is not None:
            self._frame_loss = _check_rate(frame_loss)
        if bit_errors is not None:
            self._log_good = math.log1p(-_check_rate(bit_errors))
        self.quiet = not self._frame_loss and not self._log_good

    def is_frame_lost(self) -> bool:
        """Draw whether this frame gets lost."""
        return self._frame_loss > 0 and self._random.random() < self._frame_loss

    def is_weak_answer_lost(self, margin_db: float) -> bool:
        """Draw whether an answer so close above the receiver's limit is lost: half at the limit."""
        return self._random.random() < (3 - margin_db) / 6

    def is_phantom_collision(self) -> bool:
        """Draw whether a wrong bit looks like a collision."""
        return self._random.random() < self.phantom_collisions

    def wrong_bits(self, length: int) -> Iterator[int]:
        """Yield the positions of wrong bits: each by itself, drawn as gaps between them."""
        if not self._log_good:
            return
        place = -1
        while True:
            place += 1 + int(math.log(1 - self._random.random()) / self._log_good)
            if place >= length:
                return
            yield place


def _check_rate(value: float) -> float:
    if not 0 <= value < 1:
        raise ValueError(f"A rate lies between 0 and 1, not at {value}.")
    return value


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
