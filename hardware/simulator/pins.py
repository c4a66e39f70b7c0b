"""Pins of the header, their drivers and levels, and the push buttons on them.

Law: a pin the Pi drives has the Pi's level; else what the wiring forces on it (a pressed button,
a pull-up on a board); else its own pull. The watchers of a pin are told when its level changes.
Pins are BCM numbers. A pressed button joins its pin to the far side of its contact, 0 if it is
wired rightly; a bouncing contact opens and closes a few times before it rests, a stuck one stays
as it is.
"""

from collections.abc import Callable, Sequence
from functools import partial

from hardware.simulator.clock import MILLISECOND, SECOND, SimulatedClock

LINES = range(28)
PULLED_UP_AT_BOOT = range(9)
"""BCM 0 to 8 start with a pull-up, the others with a pull-down."""
BOARD = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19,
    36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""Places on the forty-pin header, as BCM numbers."""

Watcher = Callable[[int], None]


class Pins:
    """The levels of all pins, shared by GPIO packages, decoder and lamps."""

    def __init__(self) -> None:
        self._driven: dict[int, int] = {}
        self._forced: dict[int, int] = {}
        self._pulled = {pin: int(pin in PULLED_UP_AT_BOOT) for pin in LINES}
        self._watchers: dict[int, list[Watcher]] = {}

    def level(self, pin: int) -> int:
        """Return the level of a pin, 0 or 1."""
        for source in (self._driven, self._forced, self._pulled):
            if pin in source:
                return source[pin]
        raise ValueError(f"There is no BCM pin {pin}.")

    def is_output(self, pin: int) -> bool:
        """Return whether the Pi drives the pin."""
        return pin in self._driven

    def drive(self, pin: int, level: int) -> None:
        """Make the pin an output of this level."""
        self._change_level(pin, self._driven, level)

    def release(self, pin: int) -> None:
        """Make the pin an input."""
        self._change_level(pin, self._driven, None)

    def force(self, pin: int, level: int | None) -> None:
        """Force a level on the pin from the wiring, or release it (None)."""
        self._change_level(pin, self._forced, level)

    def pull(self, pin: int, level: int) -> None:
        """Set the Pi's own weak pull."""
        self._change_level(pin, self._pulled, level)

    def watch(self, pin: int, watcher: Watcher) -> None:
        """Call the watcher with the new level whenever it changes."""
        self._watchers.setdefault(pin, []).append(watcher)

    def _change_level(self, pin: int, source: dict[int, int], level: int | None) -> None:
        before = self.level(pin)
        if level is None:
            source.pop(pin, None)
        else:
            source[pin] = int(bool(level))
        after = self.level(pin)
        if after != before:
            for watcher in self._watchers.get(pin, ()):
                watcher(after)


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
        """Press now and release after this many seconds of the table's time."""
        self.press()
        self._clock.schedule_after(round(seconds * SECOND), self.release)

    def jam(self) -> None:
        """Have the contact stick, closed."""
        self._stuck = True
        self._set_contact(True)

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
