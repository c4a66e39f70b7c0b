"""Stand-ins for `spidev` and `RPi.GPIO` in `sys.modules`.

Law: inside `install_stand_ins`, an unmodified program that imports them runs on the simulated
table; outside, everything is as it was. Tables may be installed one inside the other; a device
that is opened belongs to the innermost. The modules are the same each time, so a program that
imported them once finds the next table too.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from hardware.simulator.bus import Bus
from hardware.simulator.gpio import Gpio
from hardware.simulator.pins import Pins
from hardware.simulator.spi import SpiDev

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
        SpiDev.buses.remove(bus)
        GPIO.tables.remove(pins)
        GPIO.forget_all()
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
