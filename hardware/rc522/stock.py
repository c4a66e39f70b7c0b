"""The `mfrc522` package, and how its transports are opened: the only place that imports it.

Law: the package gets every pin by name and never a chance to guess, its global clean-up is never
called, and only the pins of the profile are touched. One SPI device may reach eight chips behind
a 74HC138, whose address lines change only between transfers.
"""

import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.core.i18n import N_, message
from hardware.advice import (
    CONFIG_FILE,
    DRIVER,
    NEW_GPIO,
    command_to_type,
    install_command,
    join_groups_command,
    this_board,
)
from hardware.errors import NO_PINS, NotConnected, pin_errors, quote_text, refusal_kind
from hardware.rc522.link import Link, StockDriver
from hardware.rc522.transcript import WrapPort

BUNDLED_DRIVER = Path(__file__).parents[1] / "vendor" / "mfrc522-0.0.7-py3-none-any.whl"
"""The package as it was published; Python imports from the file itself."""
BCM = 11  # what RPi.GPIO calls numbering pins as the chip does
FIELD_OFF = 0x80
RESET_PULSE, OSCILLATOR = 0.001, 0.002

NO_PACKAGE = N_("The {package} package is missing; type: {command}")
WRONG_GPIO = N_(
    "This Pi's pins cannot be reached through RPi.GPIO ({reason}); on a Pi 5 type: {command}"
)
PIN_BUSY = N_(
    "A pin of the readers is in use by another program ({reason}); stop it, then try again."
)
NO_SPI = N_(
    "There is no /dev/spidev{bus}.{device}: put the lines that `companion wiring` prints into "
    "{file} and reboot."
)
NO_PERMISSION = N_(
    "This user may not use /dev/spidev{bus}.{device}: type: {command}, then log in again."
)
OTHER_NUMBERS = N_(
    "Another program in this process numbers the pins by their place on the header; the readers "
    "need BCM numbers: remove its GPIO.setmode(GPIO.BOARD)."
)


class GpioHeader:
    """The Pi's pins that the readers need: address lines and the reset line."""

    def __init__(self) -> None:
        self._gpio = _import_gpio()
        if self._gpio.getmode() not in (None, BCM):
            raise NotConnected(message(OTHER_NUMBERS))
        self._mine: dict[int, int] = {}

    def drive_pin(self, pin: int, level: int) -> None:
        """Make a pin an output the first time, then set it whenever it changes."""
        if pin not in self._mine:
            if self._gpio.getmode() is None:
                self._gpio.setmode(self._gpio.BCM)
            with warnings.catch_warnings():
                # A pin left an output by a run that was killed is no reason to shout.
                warnings.simplefilter("ignore", RuntimeWarning)
                _use_pins(lambda: self._gpio.setup(pin, self._gpio.OUT))
        if self._mine.get(pin) != level:
            _use_pins(lambda: self._gpio.output(pin, level))
            self._mine[pin] = level

    def sense_pin(self, pin: int) -> int:
        """Return the level of a pin that only its pull-up drives, and release it."""
        if self._gpio.getmode() is None:
            self._gpio.setmode(self._gpio.BCM)
        gpio = self._gpio
        _use_pins(lambda: gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_UP))
        level = int(gpio.input(pin))
        gpio.cleanup([pin])
        return level

    def close(self) -> None:
        """Release our own pins and no other."""
        if self._mine:
            self._gpio.cleanup(list(self._mine))
            self._mine.clear()


class Mux:
    """The address lines of a 74HC138."""

    def __init__(self, header: GpioHeader, pins: Sequence[int]) -> None:
        self._header, self._pins = header, pins

    def select_channel(self, channel: int) -> None:
        for bit, pin in enumerate(self._pins):
            self._header.drive_pin(pin, channel >> bit & 1)


class SpiDevices:
    """Every SPI device once, each with the package's own transport."""

    def __init__(
        self, header: GpioHeader, reset_pin: int, wrap: WrapPort = lambda port, _name: port
    ) -> None:
        self._header, self._reset_pin, self._wrap = header, reset_pin, wrap
        self._open: dict[tuple[int, int], StockDriver] = {}

    def open_stock_driver(self, bus: int, device: int) -> StockDriver:
        """Return the package's object for a device, opened on first use."""
        if (bus, device) not in self._open:
            opened = _open_stock_reader(bus, device, self._reset_pin)
            opened.spi = self._wrap(opened.spi, f"{bus}.{device}")
            self._open[bus, device] = opened
        return self._open[bus, device]

    def open_link(self, bus: int, device: int, choose: Callable[[], None]) -> Link:
        """Return the link to one chip."""
        choose()
        return Link(self.open_stock_driver(bus, device), choose)

    def reset_chips(self, sleep: Callable[[float], None]) -> None:
        """Pull the shared reset line low for a moment, and wait for the oscillators."""
        self._header.drive_pin(self._reset_pin, 0)
        sleep(RESET_PULSE)
        self._header.drive_pin(self._reset_pin, 1)
        sleep(OSCILLATOR)

    def close(self) -> None:
        for opened in self._open.values():
            opened.spi.close()
        self._open.clear()


def _import_gpio() -> Any:
    try:
        from RPi import GPIO  # noqa: PLC0415
    except ImportError as missing:
        raise _package_missing("RPi.GPIO", install_command(*this_board())) from missing
    except pin_errors() as refused:
        raise _explain_pin_refusal(refused) from refused
    return GPIO


def import_driver() -> Any:
    """Return the package's class: of the installed package, else of the copy that we bring."""
    path = [] if find_spec("mfrc522") else [str(BUNDLED_DRIVER)]
    sys.path += path
    try:
        from mfrc522 import MFRC522  # noqa: PLC0415
    except ImportError as missing:
        raise _package_missing("mfrc522", DRIVER) from missing
    finally:  # Whoever looks for packages later would open our file, and may leave it open.
        for each in path:
            sys.path.remove(each)
    return MFRC522


def _open_stock_reader(bus: int, device: int, reset_pin: int) -> StockDriver:
    """Open the package's reader without the log handler that each one adds to the process."""
    driver = import_driver()
    log = logging.getLogger("mfrc522Logger")
    before = list(log.handlers)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            opened: StockDriver = driver(bus=bus, device=device, pin_mode=BCM, pin_rst=reset_pin)
            # It comes with its field on, and the next one is not to open into that.
            opened.Write_MFRC522(opened.TxControlReg, FIELD_OFF)
            return opened
    except FileNotFoundError as missing:
        raise _no_device(bus, device) from missing
    except PermissionError as refused:
        facts = {"bus": bus, "device": device, "command": command_to_type(join_groups_command())}
        raise NotConnected(message(NO_PERMISSION, **facts)) from refused
    except pin_errors() as refused:
        if isinstance(refused, OSError) and refusal_kind(refused) == "other":
            raise
        raise _explain_pin_refusal(refused) from refused
    finally:
        log.handlers[:] = before


def _package_missing(package: str, by_hand: str) -> NotConnected:
    return NotConnected(message(NO_PACKAGE, package=package, command=command_to_type(by_hand)))


def _no_device(bus: int, device: int) -> NotConnected:
    """Return the error for a missing SPI device, with its remedy."""
    return NotConnected(message(NO_SPI, bus=bus, device=device, file=CONFIG_FILE))


def _use_pins(action: Callable[[], object]) -> None:
    """Run an action on the pins; raise NotConnected with advice when they refuse."""
    try:
        action()
    except pin_errors() as refused:
        raise _explain_pin_refusal(refused) from refused


def _explain_pin_refusal(refused: Exception) -> NotConnected:
    """Return the error for refused pins: busy, forbidden or the wrong package."""
    reason = quote_text(getattr(refused, "strerror", None) or refused).rstrip(".!")
    kind = refusal_kind(refused)
    if kind == "busy":
        return NotConnected(message(PIN_BUSY, reason=reason))
    if kind == "forbidden" or isinstance(refused, OSError):
        return NotConnected(
            message(NO_PINS, reason=reason, command=command_to_type(join_groups_command()))
        )
    return NotConnected(message(WRONG_GPIO, reason=reason, command=command_to_type(NEW_GPIO)))
