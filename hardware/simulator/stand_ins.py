"""Stand-ins for `spidev` and `RPi.GPIO`, wired to a simulated bus and simulated pins.

Law: they look like the originals from outside, sharp edges included: the same names and errors, one
numbering for the whole process, warnings about pins in use, a `cleanup` that lets go of everything.

Inside `install_stand_ins`, an unmodified program that imports them runs on the simulated
table; outside, everything is as it was. Tables may be installed one inside the other; a device
that is opened belongs to the innermost. The modules are the same each time, so a program that
imported them once finds the next table too.
"""

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from hardware.simulator.bus import Bus, ChipSelect
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


LONGEST = 4096
_EMPTY = "Argument must be a list of at least one, but not more than 4096 integers"


class SpiDev:
    """`spidev.SpiDev`: one opened chip select."""

    buses: list[Bus] = []  # noqa: RUF012  one list for all, on purpose
    """The buses of the tables installed, the innermost last."""

    def __init__(self, bus: int | None = None, client: int | None = None) -> None:
        self.max_speed_hz = 125_000_000
        self.mode = 0
        self.bits_per_word = 8
        self.lsbfirst = self.cshigh = self.threewire = self.loop = self.no_cs = False
        self._bus: Bus | None = None
        self._select: ChipSelect | None = None
        if bus is not None and client is not None:
            self.open(bus, client)

    @classmethod
    def open_on(cls, bus: Bus, select: ChipSelect, hz: int = 1_000_000) -> "SpiDev":
        """Return a device already open on a select line, without a number."""
        device = cls()
        device._bus, device._select, device.max_speed_hz = bus, select, hz
        return device

    def open(self, bus: int, client: int) -> None:
        """Open /dev/spidev<bus>.<client>."""
        found = self.buses[-1].selects.get((bus, client)) if self.buses else None
        if found is None:
            raise FileNotFoundError(2, "No such file or directory")
        self._bus, self._select = self.buses[-1], found

    def close(self) -> None:
        """Close the device; a second time does nothing."""
        self._bus = self._select = None

    def __enter__(self) -> "SpiDev":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def xfer2(
        self, values: Sequence[int], speed_hz: int = 0, delay_us: int = 0, bits: int = 0
    ) -> list[int]:
        """One transfer, chip select low all the while."""
        if self._bus is None or self._select is None:
            raise OSError(9, "Bad file descriptor")
        if not 0 < len(values) <= LONGEST:
            raise TypeError(_EMPTY)
        hz = speed_hz or self.max_speed_hz
        answer = self._bus.transfer(self._select, values, hz, self.mode)
        if delay_us:
            self._bus.clock.sleep(delay_us / 1e6)
        return answer


GPIO = Gpio()
_SPIDEV = ModuleType("spidev", "A stand-in for spidev.")
_SPIDEV.SpiDev = SpiDev  # type: ignore[attr-defined]
_SPIDEV.__version__ = "3.6"  # type: ignore[attr-defined]
_RPI = ModuleType("RPi", "A stand-in for RPi.")
_RPI.GPIO = GPIO  # type: ignore[attr-defined]
_RPI.__path__ = []

MODULES: dict[str, ModuleType] = {"spidev": _SPIDEV, "RPi": _RPI, "RPi.GPIO": GPIO}


@contextmanager
def install_stand_ins(bus: Bus, pins: Pins) -> Iterator[None]:
    """Have programs that import spidev or RPi.GPIO find this bus and these pins."""
    before = {name: sys.modules.get(name) for name in MODULES}
    sys.modules.update(MODULES)
    SpiDev.buses.append(bus)
    GPIO.tables.append(pins)
    GPIO.forget_all()
    try:
        yield
    finally:
        if GPIO.tables[-1] is pins:  # An older table that goes takes nothing from this one.
            GPIO.forget_all()
        SpiDev.buses.remove(bus)
        GPIO.tables.remove(pins)
        _restore_modules(before)


def _restore_modules(before: dict[str, ModuleType | None]) -> None:
    for name, module in before.items():
        if module is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = module
    if before["spidev"] is None or before["RPi.GPIO"] is None:
        for name in [n for n in sys.modules if n == "mfrc522" or n.startswith("mfrc522.")]:
            del sys.modules[name]
