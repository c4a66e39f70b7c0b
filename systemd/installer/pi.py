"""Detection of the Pi: whether the companion can run on it, and which package its pins need.

Law: whatever is wrong with the machine is said in one sentence before anything is changed.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from hardware.gpio_package import NEW, choose_gpio_package, parse_kernel

from .machine import InstallFailed, TargetMachine

MODEL = "/proc/device-tree/model"
CONFIG_TXT = "/boot/firmware/config.txt"
PACKAGES = "/var/lib/dpkg/status"
SYSTEMS = {"bookworm": "Bookworm", "trixie": "Trixie"}
MODELS = re.compile(r"Raspberry Pi (3|4|400|5|500|Zero 2|Compute Module [345])\b")
BITS_64 = ("arm64", "amd64")
PEOPLE = 1000
"""From this number on an account belongs to a person."""


@dataclass(frozen=True)
class Pi:
    """The model, system release and kernel of a Raspberry Pi."""

    model: str
    system: str
    kernel: tuple[int, ...]

    @property
    def gpio_package(self) -> str:
        """The package for the pins that works on this board and kernel."""
        if self.system != "bookworm":  # Its Python has no working RPi.GPIO, whatever the kernel.
            return NEW
        return choose_gpio_package(self.model, self.kernel)


def this_pi(machine: TargetMachine) -> Pi:
    """Return the Pi of this machine; raise InstallFailed if the companion cannot run on it."""
    model = machine.read_text(MODEL).rstrip("\0\n")
    system = _read_release(machine).get("VERSION_CODENAME", "")
    if _read_release(machine).get("ID") not in ("debian", "raspbian") or system not in SYSTEMS:
        name = _read_release(machine).get("PRETTY_NAME", "another system")
        raise InstallFailed(
            f"This is {name}; the companion needs Raspberry Pi OS Bookworm or Trixie."
        )
    bits = debian_packages(machine).get("dpkg", "")
    if bits not in BITS_64:
        raise InstallFailed(
            f"This system is of kind {bits or 'unknown'}; take the 64-bit Raspberry Pi OS."
        )
    if not model.startswith("Raspberry Pi"):
        raise InstallFailed("This is no Raspberry Pi; a simulated table runs anywhere: make play")
    if not MODELS.match(model):
        raise InstallFailed(f"This is a {model}; the companion needs a Pi 3, 4, 5 or Zero 2.")
    if not machine.path_of(CONFIG_TXT).is_file():
        raise InstallFailed(f"There is no {CONFIG_TXT}: is the boot partition mounted?")
    _check_user_name_free(machine)
    return Pi(model, system, _kernel_version(machine))


def debian_packages(machine: TargetMachine) -> dict[str, str]:
    """Return the installed Debian packages, each with its architecture."""
    found = {}
    for entry in machine.read_text(PACKAGES).split("\n\n"):
        if re.search(r"^Status: install ok installed$", entry, re.MULTILINE):
            fields = dict(re.findall(r"^(Package|Architecture): (.*)$", entry, re.MULTILINE))
            found[fields.get("Package", "")] = fields.get("Architecture", "")
    return found


def _read_release(machine: TargetMachine) -> dict[str, str]:
    lines = machine.read_text("/etc/os-release").splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {name: value.strip("\"'") for name, _, value in pairs}


def _kernel_version(machine: TargetMachine) -> tuple[int, ...]:
    """Return the version of the running kernel; in a folder, of the newest that lies there."""
    if machine.live:
        return parse_kernel(os.uname().release)
    folders = machine.path_of("/usr/lib/modules"), machine.path_of("/lib/modules")
    return max(
        (parse_kernel(k.name) for f in folders if f.is_dir() for k in f.iterdir()), default=()
    )


def _check_user_name_free(machine: TargetMachine) -> None:
    for line in machine.read_text("/etc/passwd").splitlines():
        name, _, number, *_ = *line.split(":"), "", ""
        ours = name in ("companion", "companion-kiosk") and number.isdecimal()
        if ours and int(number) >= PEOPLE:
            raise InstallFailed(f"There is a person's account called {name}; give it another name.")
