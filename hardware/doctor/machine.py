"""Examination of the machine: devices, groups, packages, before any wire is touched.

Law: facts are collected in one place and judged in another, so that a Pi 5 with the wrong
package can be judged on a laptop.
"""

import grp
import os
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import msgspec

from companion.core.i18n import message
from companion.core.installation import InstalledBy, installed_by
from hardware.advice import (
    CONFIG_FILE,
    GROUPS,
    NEW,
    NEW_GPIO,
    choose_gpio_package,
    command_to_type,
    install_command,
    join_groups_command,
    this_board,
)
from hardware.doctor.report import ReportLine
from hardware.wiring import Wiring


class MachineFacts(msgspec.Struct, frozen=True):
    """The devices, groups and packages of a machine."""

    model: str
    """The model in its own words; empty on any other machine than a Raspberry Pi."""
    devices: frozenset[str]
    usable: frozenset[str]
    groups: frozenset[str]
    packages: frozenset[str]
    kernel: tuple[int, ...] = ()
    installed: InstalledBy = "hand"
    """Program that installed the companion, and repairs it."""

    def command_to_type(self, manual: str) -> str:
        """Return the command to type on this machine."""
        return command_to_type(manual, self.installed)


def this_machine() -> MachineFacts:
    """Return the facts of the machine we run on."""
    model, kernel = this_board()
    devices = frozenset(str(path) for path in Path("/dev").glob("spidev*"))
    return MachineFacts(
        model=model,
        devices=devices,
        usable=frozenset(path for path in devices if os.access(path, os.R_OK | os.W_OK)),
        groups=frozenset(_group_names()),
        kernel=kernel,
        packages=frozenset((d.metadata["Name"] or "").lower() for d in distributions()),
        installed=installed_by(),
    )


def examine_machine(machine: MachineFacts, wiring: Wiring) -> list[ReportLine]:
    """Return every line that can be judged without touching a wire; none if there is no wire."""
    if not any(wiring.pin_uses()):
        return []
    return [_check_gpio_package(machine), *_check_devices(machine, wiring), *_check_groups(machine)]


def _group_names() -> Iterator[str]:
    for number in os.getgroups():
        try:
            yield grp.getgrgid(number).gr_name
        except KeyError:
            continue


def _check_gpio_package(machine: MachineFacts) -> ReportLine:
    """Check that one GPIO package is installed: both own the same files, the last one wins."""
    what = message("GPIO package")
    old, new = "rpi.gpio" in machine.packages, "rpi-lgpio" in machine.packages
    if old and new:
        text = "RPi.GPIO and rpi-lgpio overwrite each other; type: {command}"
        return ReportLine(what, "bad", message(text, command=machine.command_to_type(NEW_GPIO)))
    if old and choose_gpio_package(machine.model, machine.kernel) == NEW:
        text = "this Pi and its kernel need rpi-lgpio; type: {command}"
        return ReportLine(what, "bad", message(text, command=machine.command_to_type(NEW_GPIO)))
    if not old and not new:
        manual = install_command(machine.model, machine.kernel)
        text = "missing; type: {command}"
        if machine.installed != "apt" and manual.startswith("sudo apt"):
            text = "missing; type: {command}, and make the environment with --system-site-packages"
        return ReportLine(what, "bad", message(text, command=machine.command_to_type(manual)))
    package = "rpi-lgpio" if new else "RPi.GPIO"
    if not machine.model:
        text = "{package}, but this is no Raspberry Pi"
        return ReportLine(what, "doubtful", message(text, package=package))
    said = message("{package} on {model}", package=package, model=machine.model)
    return ReportLine(what, "good", said)


def _check_devices(machine: MachineFacts, wiring: Wiring) -> Iterator[ReportLine]:
    for bus, device in wiring.spi_devices():
        path = f"/dev/spidev{bus}.{device}"
        what = message("{path}", path=path)
        if path not in machine.devices:
            text = "missing; write {several} into {file} and reboot"
            said = message(text, several=wiring.config_lines(), file=CONFIG_FILE)
            yield ReportLine(what, "bad", said)
        elif path not in machine.usable:
            text = "no permission; type: {command}, then log in again"
            command = machine.command_to_type(join_groups_command())
            yield ReportLine(what, "bad", message(text, command=command))
        else:
            yield ReportLine(what, "good", message("fine"))


def _check_groups(machine: MachineFacts) -> Iterator[ReportLine]:
    what = message("groups")
    missing = tuple(group for group in GROUPS if group not in machine.groups)
    if not missing:
        yield ReportLine(what, "good", message("fine"))
    elif "root" in machine.groups:
        said = message("run by root, who needs none; the companion should not be")
        yield ReportLine(what, "doubtful", said)
    else:
        text = "no permission; type: {command}, then log in again"
        command = machine.command_to_type(join_groups_command(missing))
        yield ReportLine(what, "bad", message(text, command=command))
