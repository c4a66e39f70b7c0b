"""A stand-in for the package `RPi.GPIO`, wired to simulated pins.

Law: it looks like the original from outside, its sharp edges included: one numbering for the
whole process, warnings about pins in use, and a `cleanup` that lets go of everything.
"""

import sys
import warnings
from collections.abc import Iterable
from types import ModuleType

from hardware.simulator.pins import BOARD as PLACES
from hardware.simulator.pins import LINES, Pins

BOARD, BCM = 10, 11
OUT, IN = 0, 1
LOW, HIGH = 0, 1
PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
VERSION = "0.7.1"

ALTERNATE = frozenset({9, 10, 11, 14, 15})
"""Pins that belong to a bus; taking one is what the original warns of."""
_NO_MODE = "Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)"
_IN_USE = (
    "This channel is already in use, continuing anyway.  "
    "Use GPIO.setwarnings(False) to disable warnings."
)
_NOTHING = (
    "No channels have been set up yet - nothing to clean up!  "
    "Try cleaning up at the end of your program instead!"
)


class Gpio(ModuleType):
    """The module `RPi.GPIO` itself."""

    def __init__(self) -> None:
        super().__init__("RPi.GPIO", __doc__)
        for name, value in _module_constants().items():
            setattr(self, name, value)
        self.tables: list[Pins] = []
        """The pins of the tables installed, the innermost last."""
        self._mode: int | None = None
        self._warn = True
        self._taken: dict[int, int] = {}

    @property
    def _pins(self) -> Pins:
        if not self.tables:
            raise RuntimeError("This module can only be run on a Raspberry Pi!")
        return self.tables[-1]

    def setmode(self, mode: int) -> None:
        """Choose BOARD or BCM numbering, once for the process."""
        if self._mode not in (None, mode):
            raise ValueError("A different mode has already been set!")
        if mode not in (BOARD, BCM):
            raise ValueError("An invalid mode was passed to setmode()")
        self._mode = mode

    def getmode(self) -> int | None:
        """Return the numbering, None before it was chosen."""
        return self._mode

    def setwarnings(self, on: bool) -> None:
        """Switch the warnings about pins in use."""
        self._warn = bool(on)

    def setup(
        self,
        channel: int | Iterable[int],
        direction: int,
        pull_up_down: int = PUD_OFF,
        initial: int = -1,
    ) -> None:
        """Make pins inputs or outputs."""
        for one in _channel_list(channel):
            pin = self._bcm_number(one)
            foreign = pin not in self._taken and self._pins.is_output(pin)
            if self._warn and (foreign or pin in ALTERNATE):
                warnings.warn(_IN_USE, RuntimeWarning, stacklevel=2)
            self._taken[pin] = direction
            if direction == OUT:
                self._pins.drive(pin, self._pins.level(pin) if initial < 0 else initial)
            else:
                self._pins.release(pin)
                if pull_up_down != PUD_OFF:
                    self._pins.pull(pin, int(pull_up_down == PUD_UP))

    def output(self, channel: int | Iterable[int], level: int | bool) -> None:
        """Set outputs."""
        for one in _channel_list(channel):
            pin = self._bcm_number(one)
            if self._taken.get(pin) != OUT:
                raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
            self._pins.drive(pin, int(level))

    def input(self, channel: int) -> int:
        """Return the level of a pin."""
        pin = self._bcm_number(channel)
        if pin not in self._taken:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self._pins.level(pin)

    def cleanup(self, channel: int | Iterable[int] | None = None) -> None:
        """Release pins; without an argument every pin of this process, and the numbering."""
        if not self._taken:
            if self._warn:
                warnings.warn(_NOTHING, RuntimeWarning, stacklevel=2)
            return
        named = (
            None if channel is None else {self._bcm_number(one) for one in _channel_list(channel)}
        )
        for pin in [p for p in self._taken if named is None or p in named]:
            del self._taken[pin]
            self._pins.release(pin)
        if named is None:
            self._mode = None

    def forget_all(self) -> None:
        """Reset to the state of a new process. Not in the original."""
        self._mode, self._warn, self._taken = None, True, {}

    def _bcm_number(self, channel: int) -> int:
        if self._mode is None:
            raise RuntimeError(_NO_MODE)
        pin = PLACES.get(channel, -1) if self._mode == BOARD else channel
        if pin not in LINES:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")
        return pin


def _channel_list(channel: int | Iterable[int]) -> list[int]:
    return [channel] if isinstance(channel, int) else list(channel)


def _module_constants() -> dict[str, object]:
    here = vars(sys.modules[__name__])
    return {name: here[name] for name in here if name.isupper() and name not in ("PLACES", "LINES")}
