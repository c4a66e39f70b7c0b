"""Commands and paths quoted in advice to the user: the same in every language.

Law: where the Debian package set everything up, the advice is a command of Debian's, never pip. The
extra `pi` names RPi.GPIO; where that fails, rpi-lgpio takes its place under the same module name.
"""

import os
import re
from pathlib import Path

from companion.core.installation import PACKAGE, InstalledBy, installed_by

INSTALL = "pip install RPi.GPIO spidev"
APT_INSTALL = "sudo apt install python3-rpi-lgpio python3-spidev"
"""Cure for RPi.GPIO: lgpio and spidev have no wheel there, and need no compiler this way."""
START_SERVICE = "sudo apt install pcscd && sudo systemctl start pcscd"
UNLOAD_RIVAL = "sudo modprobe -r pn533_usb"
DRIVER = "pip install --no-deps mfrc522==0.0.7"
NEW_GPIO = f"pip uninstall -y RPi.GPIO rpi-lgpio && {APT_INSTALL}"
PIN_LIBRARY = "sudo apt install python3-lgpio"
CONFIG_FILE = "/boot/firmware/config.txt"
GROUPS = ("spi", "gpio")
BY_APT = {
    INSTALL: APT_INSTALL,
    APT_INSTALL: APT_INSTALL,
    NEW_GPIO: APT_INSTALL,
    DRIVER: f"sudo apt install --reinstall {PACKAGE}",
    PIN_LIBRARY: PIN_LIBRARY,
}
"""Commands that mend the same with Debian's own packages; one GPIO package takes the other away."""
SET_UP_USER = f"sudo dpkg-reconfigure {PACKAGE}"
"""Puts the service's user into its groups."""


def command_to_type(manual: str, way: InstalledBy | None = None) -> str:
    """Return the command to type: the manual one, or the one of this machine's package."""
    if (way or installed_by()) == "apt":
        return BY_APT.get(manual, SET_UP_USER)
    return manual


def usb_command() -> str:
    """Return the command that installs the libraries of a USB reader."""
    if installed_by() == "apt":
        return "sudo apt install pcscd python3-pyscard"
    return "sudo apt install pcscd libpcsclite-dev swig && pip install pyscard"


def join_groups_command(groups: tuple[str, ...] = GROUPS) -> str:
    """Return the command that adds the user to these groups."""
    return f"sudo usermod -aG {','.join(groups)} $USER"


OLD, NEW = "RPi.GPIO", "rpi-lgpio"
MODEL = Path("/proc/device-tree/model")
NEW_MODELS = re.compile(r"Raspberry Pi (5|500|Compute Module 5)\b")
NEW_KERNEL = (6, 6)
"""From here on the kernel numbers its pins otherwise, and RPi.GPIO no longer finds them."""


def choose_gpio_package(model: str, kernel: tuple[int, ...]) -> str:
    """Return the package for the pins that works on this board and kernel."""
    return NEW if NEW_MODELS.match(model) or kernel >= NEW_KERNEL else OLD


def install_command(model: str, kernel: tuple[int, ...]) -> str:
    """Return the command that installs the GPIO library for this board and kernel."""
    return APT_INSTALL if choose_gpio_package(model, kernel) == NEW else INSTALL


def this_board() -> tuple[str, tuple[int, ...]]:
    """Return the model of this machine, empty if it is no Raspberry Pi, and its kernel."""
    model = MODEL.read_text().rstrip("\0") if MODEL.exists() else ""
    return model, parse_kernel(os.uname().release)


def parse_kernel(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a kernel's release; none if it has none."""
    found = re.match(r"(\d+)\.(\d+)", release)
    return tuple(map(int, found.groups())) if found else ()
