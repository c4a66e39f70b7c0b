"""The machine under the table: devices, groups, packages, before any wire is touched.

Law: facts are collected in one place and judged in another, so that a Pi 5 with the wrong
package can be judged on a laptop.
"""

import grp
import os
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import msgspec

from hardware.doctor.report import Line
from hardware.wiring import Wiring
from hardware.wiring.table import CONFIG_FILE

GROUPS = ("spi", "gpio")
MODEL = Path("/proc/device-tree/model")


class Machine(msgspec.Struct, frozen=True):
    """What matters about a machine."""

    model: str
    devices: frozenset[str]
    usable: frozenset[str]
    groups: frozenset[str]
    packages: frozenset[str]


def this_machine() -> Machine:
    """The one we run on."""
    devices = frozenset(str(path) for path in Path("/dev").glob("spidev*"))
    return Machine(
        model=MODEL.read_text().rstrip("\0") if MODEL.exists() else "not a Raspberry Pi",
        devices=devices,
        usable=frozenset(path for path in devices if os.access(path, os.R_OK | os.W_OK)),
        groups=frozenset(_group_names()),
        packages=frozenset(d.metadata["Name"].lower() for d in distributions()),
    )


def examine_machine(machine: Machine, wiring: Wiring) -> list[Line]:
    """Everything that can be judged without touching a wire."""
    return [_gpio_package(machine), *_devices(machine, wiring), *_groups(machine)]


def _group_names() -> Iterator[str]:
    for number in os.getgroups():
        try:
            yield grp.getgrgid(number).gr_name
        except KeyError:
            continue


def _gpio_package(machine: Machine) -> Line:
    """Both packages own the same files, and the one installed last wins."""
    old, new = "rpi.gpio" in machine.packages, "rpi-lgpio" in machine.packages
    if old and new:
        said = "RPi.GPIO and rpi-lgpio overwrite each other; type: pip uninstall -y RPi.GPIO "
        return Line(
            "GPIO package", "bad", said + "&& pip install --force-reinstall --no-deps rpi-lgpio"
        )
    if "Pi 5" in machine.model and not new:
        said = "a Pi 5 needs rpi-lgpio; type: pip uninstall -y RPi.GPIO && pip install rpi-lgpio"
        return Line("GPIO package", "bad", said)
    if not old and not new:
        return Line("GPIO package", "bad", "missing; type: pip install 'table-companion[pi]'")
    return Line("GPIO package", "good", f"{'rpi-lgpio' if new else 'RPi.GPIO'} on {machine.model}")


def _devices(machine: Machine, wiring: Wiring) -> Iterator[Line]:
    for bus, device in wiring.lines():
        path = f"/dev/spidev{bus}.{device}"
        if path not in machine.devices:
            needed = " and ".join(wiring.config_lines())
            said = f"missing; write {needed} into {CONFIG_FILE} and reboot"
            yield Line(path, "bad", said)
        elif path not in machine.usable:
            yield Line(
                path, "bad", "no permission; type: sudo usermod -aG spi,gpio $USER, log in again"
            )
        else:
            yield Line(path, "good", "there, and ours to use")


def _groups(machine: Machine) -> Iterator[Line]:
    missing = [group for group in GROUPS if group not in machine.groups]
    if not missing:
        yield Line("groups", "good", " and ".join(GROUPS))
    elif "root" in machine.groups:
        yield Line("groups", "doubtful", "run by root, who needs none; the companion should not be")
    else:
        said = f"not in {' and '.join(missing)}; type: sudo usermod -aG {','.join(missing)} $USER"
        yield Line("groups", "bad", said + ", log in again")
