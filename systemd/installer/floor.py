"""The floor of many tables as a service of this machine, where it is asked for.

Laws: it is the same program as the table, so it is restarted with each version. Its options are
written once and are the owner's from then on. What it knows stays unless `--purge` is typed.
"""

from __future__ import annotations

from .machine import TargetMachine
from .step import InstallStep
from .system import UNIT_FOLDER, UNITS

FLOOR, LOGINS, TELLING = (
    "companion-floor.service", "companion-broker.path", "companion-broker.service",
)  # fmt: skip
"""The floor; what notices that it made a login; what gives those to the broker."""
OPTIONS = "/etc/companion/floor.env"
OPTIONS_SOURCE = UNITS / "floor.env"
DATA = ("/var/lib/companion-floor", "/var/lib/private/companion-floor")
"""Its folder, which systemd makes as a link to the other one."""
AT_BROKER = "/etc/mosquitto/companion"


def has_floor(machine: TargetMachine) -> bool:
    """Return whether a floor was installed before."""
    return machine.path_of(f"{UNIT_FOLDER}/{FLOOR}").exists()


def floor_steps(machine: TargetMachine, purge: bool) -> list[InstallStep]:
    """Return the steps that write its options, and that take its data away on the way back."""
    return [options_step(machine, purge), data_step(machine, purge), logins_step(machine)]


def options_step(machine: TargetMachine, purge: bool) -> InstallStep:
    """Return the step that writes the options once."""
    path, text = machine.path_of(OPTIONS), OPTIONS_SOURCE.read_text("utf-8")

    def undo() -> str | None:
        if purge or machine.read_text(OPTIONS) == text:
            machine.remove_with_folder(OPTIONS)
            return None
        return f"{OPTIONS}: you changed it; --purge takes it away too"

    return InstallStep(
        f"options of the floor {OPTIONS}", path.exists,
        lambda: machine.write_file(OPTIONS, text), path.exists, undo,
    )  # fmt: skip


def data_step(machine: TargetMachine, purge: bool) -> InstallStep:
    """Return the step that, when uninstalling, removes or names what the floor knows."""

    def undo() -> str | None:
        if not purge:
            return f"{DATA[0]}: tables, pairings and backups of the floor; --purge takes it too"
        for name in DATA:
            machine.remove(name)
        return None

    return InstallStep(
        f"folder {DATA[0]}", lambda: True, lambda: None,
        lambda: any(map(machine.has_traces, DATA)), undo,
    )  # fmt: skip


def logins_step(machine: TargetMachine) -> InstallStep:
    """Return the step that, when uninstalling, takes the tables' logins away from the broker."""
    return InstallStep(
        f"logins of the tables in {AT_BROKER}", lambda: True, lambda: None,
        lambda: machine.has_traces(AT_BROKER), lambda: machine.remove(AT_BROKER),
    )  # fmt: skip
