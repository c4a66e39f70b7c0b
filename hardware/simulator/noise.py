"""What goes wrong between an antenna and its tags, at a rate and from a seed.

Law: the same seed gives the same evening. A frame is lost in either direction, for each tag by
itself; a bit that goes wrong is inverted, or reads like a collision, or spoils the start.
"""

import math
import random
from collections.abc import Iterator


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
        """Yield which of so many bits go wrong: each by itself, drawn as gaps between them."""
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
