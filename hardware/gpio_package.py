"""Which package reaches the pins on which Pi, and the command that installs it.

The extra `pi` names RPi.GPIO; where that fails, rpi-lgpio takes its place under the same module
name. It comes from the archive of Raspberry Pi.
"""

import os
import re
from pathlib import Path

from hardware.advice import APT_INSTALL, INSTALL

OLD, NEW = "RPi.GPIO", "rpi-lgpio"
MODEL = Path("/proc/device-tree/model")
NEW_MODELS = re.compile(r"Raspberry Pi (5|500|Compute Module 5)\b")
NEW_KERNEL = (6, 6)
"""From here on the kernel numbers its pins otherwise, and RPi.GPIO no longer finds them."""


def choose_gpio_package(model: str, kernel: tuple[int, ...]) -> str:
    """Return the package for the pins that works on this board and kernel."""
    return NEW if NEW_MODELS.match(model) or kernel >= NEW_KERNEL else OLD


def install_command(model: str, kernel: tuple[int, ...]) -> str:
    """Return the command that installs what reaches the pins of this board and kernel."""
    return APT_INSTALL if choose_gpio_package(model, kernel) == NEW else INSTALL


def this_board() -> tuple[str, tuple[int, ...]]:
    """Return the model of this machine, empty if it is no Raspberry Pi, and its kernel."""
    model = MODEL.read_text().rstrip("\0") if MODEL.exists() else ""
    return model, parse_kernel(os.uname().release)


def parse_kernel(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a kernel's release; none if it has none."""
    found = re.match(r"(\d+)\.(\d+)", release)
    return tuple(map(int, found.groups())) if found else ()
