"""Which Pi this is: whether the companion can live on it, and what its pins need.

Law: whatever is wrong with the machine is said in one sentence before anything is changed.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from .machine import Failed, Machine

MODEL = "/proc/device-tree/model"
CONFIG_TXT = "/boot/firmware/config.txt"
PACKAGES = "/var/lib/dpkg/status"
SYSTEMS = {"bookworm": "Bookworm", "trixie": "Trixie"}
MODELS = re.compile(r"Raspberry Pi (3|4|400|5|500|Zero 2|Compute Module [345])\b")
NEW_PINS_MODEL = re.compile(r"Raspberry Pi (5|500|Compute Module 5)\b")
NEW_PINS_KERNEL = (6, 6)
"""From here on the kernel numbers its pins otherwise, and RPi.GPIO no longer finds them."""
BITS_64 = ("arm64", "amd64")
PEOPLE = 1000
"""From this number on an account belongs to a person."""


@dataclass(frozen=True)
class Pi:
    """What matters about it."""

    model: str
    system: str
    kernel: tuple[int, ...]

    @property
    def gpio(self) -> str:
        """The package for its pins that works here."""
        new = NEW_PINS_MODEL.match(self.model) or self.kernel >= NEW_PINS_KERNEL
        return "rpi-lgpio" if new or self.system != "bookworm" else "RPi.GPIO"


def this_pi(machine: Machine) -> Pi:
    """The Pi under our hands, or why the companion cannot be installed there."""
    model = machine.text(MODEL).rstrip("\0\n")
    system = _release(machine).get("VERSION_CODENAME", "")
    if _release(machine).get("ID") not in ("debian", "raspbian") or system not in SYSTEMS:
        name = _release(machine).get("PRETTY_NAME", "another system")
        raise Failed(f"This is {name}; the companion needs Raspberry Pi OS Bookworm or Trixie.")
    bits = installed(machine).get("dpkg", "")
    if bits not in BITS_64:
        raise Failed(
            f"This system is of kind {bits or 'unknown'}; take the 64-bit Raspberry Pi OS."
        )
    if not model.startswith("Raspberry Pi"):
        raise Failed("This is no Raspberry Pi; a simulated table runs anywhere: make play")
    if not MODELS.match(model):
        raise Failed(f"This is a {model}; the companion needs a Pi 3, 4, 5 or Zero 2.")
    if not machine.path(CONFIG_TXT).is_file():
        raise Failed(f"There is no {CONFIG_TXT}: is the boot partition mounted?")
    _nobody_has_our_name(machine)
    return Pi(model, system, _kernel(machine))


def installed(machine: Machine) -> dict[str, str]:
    """The packages of Debian that are there, and for which kind of processor."""
    found = {}
    for entry in machine.text(PACKAGES).split("\n\n"):
        if re.search(r"^Status: install ok installed$", entry, re.MULTILINE):
            fields = dict(re.findall(r"^(Package|Architecture): (.*)$", entry, re.MULTILINE))
            found[fields.get("Package", "")] = fields.get("Architecture", "")
    return found


def _release(machine: Machine) -> dict[str, str]:
    lines = machine.text("/etc/os-release").splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {name: value.strip("\"'") for name, _, value in pairs}


def _kernel(machine: Machine) -> tuple[int, ...]:
    """The kernel that runs; in a folder, the newest that lies there."""
    if machine.live:
        return _number(os.uname().release)
    folders = machine.path("/usr/lib/modules"), machine.path("/lib/modules")
    return max((_number(k.name) for f in folders if f.is_dir() for k in f.iterdir()), default=())


def _number(release: str) -> tuple[int, ...]:
    found = re.match(r"(\d+)\.(\d+)", release)
    return tuple(map(int, found.groups())) if found else ()


def _nobody_has_our_name(machine: Machine) -> None:
    for line in machine.text("/etc/passwd").splitlines():
        name, _, number, *_ = *line.split(":"), "", ""
        ours = name in ("companion", "companion-kiosk") and number.isdecimal()
        if ours and int(number) >= PEOPLE:
            raise Failed(f"There is a person's account called {name}; give it another name.")
