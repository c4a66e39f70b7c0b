"""A push button between a pin and ground, as fingers and old contacts treat it.

Law: down is the level of the contact's far side, 0 if it is wired rightly; up is whatever pulls the
pin. A bouncing contact opens and closes a few times before it rests; a stuck one stays as it is
whatever the finger does.
"""

from collections.abc import Sequence
from functools import partial

from hardware.simulator.clock import MILLISECOND, SECOND, SimulatedClock
from hardware.simulator.pins import Pins


class SimulatedButton:
    """One button. `bounces` is how often the contact opens again, over `bounce_ns`."""

    def __init__(self, clock: SimulatedClock, pins: Pins, pin: int) -> None:
        self.bounces = 0
        self.bounce_ns = 5 * MILLISECOND
        self._clock = clock
        self._pins = pins
        self._reached: Sequence[int] = (pin,)
        self._level = 0
        self._stuck = False

    def connect(self, pins: Sequence[int], level: int) -> None:
        """Wire the contact to pins on one side and a level on the other."""
        self._reached, self._level = pins, level

    def press(self) -> None:
        self._move_contact(down=True)

    def release(self) -> None:
        self._move_contact(down=False)

    def tap(self, seconds: float = 0.12) -> None:
        """Press now and release after so many seconds of the table's time."""
        self.press()
        self._clock.schedule_after(round(seconds * SECOND), self.release)

    def jam(self, down: bool = True) -> None:
        """Have the contact stick, closed or open."""
        self._stuck = True
        self._set_contact(down)

    def free(self) -> None:
        """Have the contact move again, open."""
        self._stuck = False
        self._set_contact(False)

    def _move_contact(self, down: bool) -> None:
        if self._stuck:
            return
        self._set_contact(down)
        for n in range(2 * self.bounces):
            wait = (n + 1) * self.bounce_ns // (2 * self.bounces)
            self._clock.schedule_after(wait, partial(self._set_unless_stuck, down is bool(n % 2)))

    def _set_unless_stuck(self, down: bool) -> None:
        if not self._stuck:
            self._set_contact(down)

    def _set_contact(self, down: bool) -> None:
        for pin in self._reached:
            self._pins.force(pin, self._level if down else None)
