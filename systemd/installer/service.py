"""The systemd units: written, started with the Pi, and restarted after a change.

Law: the service is restarted only if something that it is made of has changed since its last start.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from .config import Served
from .floor import FLOOR, LOGINS, TELLING
from .machine import InstallFailed, TargetMachine
from .step import InstallStep, file_step, link_step
from .system import CONFIG, UNIT_FOLDER, UNITS
from .trial import (
    ANSWERS,
    BROKER,
    CURRENT,
    GUARDING,
    HOME,
    STARTED,
    WANTS,
    end_trial,
    is_on_trial,
    our_units,
    restart_on_trial,
)
from .version import RELEASE, Version

TIMERS = f"{UNIT_FOLDER}/timers.target.wants"
SERVICE, SCREEN = "companion.service", "companion-kiosk.service"
BACKUP, DAILY = "companion-backup.service", "companion-backup.timer"
TIDYING, HOURLY = "companion-tidy.service", "companion-tidy.timer"
CARETAKER, ERRANDS = "companion-caretaker.service", "companion-caretaker.path"
BY_OTHERS = (BACKUP, TIDYING, CARETAKER, TELLING)
"""Those that a timer or a path starts."""
POLICY_SOURCE = "companion-kiosk.json"
POLICY = f"/etc/chromium/policies/managed/{POLICY_SOURCE}"
"""What the browser of the table screen may do; every Chromium of this Pi reads it."""
TYPED = "/usr/local/bin/companion"
SERVED = f"{HOME}/served"
"""Port and address at which a version on trial is asked whether it answers."""

HIDDEN = ("/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/")
"""What the unit takes away from the service: homes, and what lies about."""


def check_profile_visible(profile: str) -> None:
    """Raise InstallFailed if the service cannot see a profile that is a file in a hidden folder."""
    if profile.startswith(HIDDEN):
        place = Path(CONFIG).with_name(Path(profile).name)
        raise InstallFailed(
            f"The service sees no file in {Path(profile).parent}: copy the profile to {place}, and "
            f"then: sudo systemd/install --profile {place}"
        )


def served_step(machine: TargetMachine, served: Served) -> InstallStep:
    """Return the step that writes down where the pages answer."""
    text = f"{served.port} {served.address}\n"
    return file_step(machine, f"where the pages answer, in {SERVED}", SERVED, text)


def unit_steps(
    machine: TargetMachine, source: Path, names: tuple[str, ...], served: Served
) -> list[InstallStep]:
    """Return the steps that write the units of a version, from its `systemd`, and start these with
    the Pi."""
    steps = []
    for name in (*names, *BY_OTHERS):
        path = f"{UNIT_FOLDER}/{name}"
        steps.append(file_step(machine, f"unit {path}", path, _read_unit(source, name, served)))
        if name not in BY_OTHERS:
            wants = f"{TIMERS if name in (DAILY, HOURLY) else WANTS}/{name}"
            steps.append(link_step(machine, f"{name} starts with the Pi", wants, path))
    return steps


def _read_unit(source: Path, name: str, served: Served) -> str:
    return (source / name).read_text("utf-8").replace("8000", str(served.port))


def write_units(machine: TargetMachine, source: Path, names: Iterable[str], served: Served) -> None:
    """Write those of these units that a version has, and its scripts, from its `systemd`."""
    for name in names:
        if (source / name).exists():
            machine.write_file(f"{UNIT_FOLDER}/{name}", _read_unit(source, name, served))
    for script in (ANSWERS, BROKER):
        if (source / Path(script).name).exists():
            text = (source / Path(script).name).read_text("utf-8")
            machine.write_file(script, text, 0o755)


def write_units_of(machine: TargetMachine, target: str, served: Served) -> None:
    """Write the units that are installed as a version among the others has them."""
    source = machine.path_of(f"{HOME}/{target}/{RELEASE}/systemd")
    write_units(machine, source, [path.name for path in our_units(machine)], served)


def policy_step(machine: TargetMachine, port: int) -> InstallStep:
    """Return the step that writes the policy of the browser at the table screen."""
    text = (UNITS / POLICY_SOURCE).read_text("utf-8").replace("8000", str(port))
    written = file_step(machine, f"what the browser of the screen may, in {POLICY}", POLICY, text)
    return dataclasses.replace(written, undo=lambda: _remove_policy(machine))


def _remove_policy(machine: TargetMachine) -> None:
    """Remove the policy, and the folders that are empty then."""
    machine.remove(POLICY)
    for folder in machine.path_of(POLICY).parents[:3]:
        if not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()


def units_at_boot(screen: bool, floor: bool) -> tuple[str, ...]:
    """Return the units that start with the Pi, with those of its screen and of a floor."""
    always = (SERVICE, DAILY, HOURLY, ERRANDS)
    return (*always, *((SCREEN,) if screen else ()), *((LOGINS, FLOOR) if floor else ()))


def command_link_step(machine: TargetMachine) -> InstallStep:
    """Return the step that links the command `companion`."""
    return link_step(machine, f"{TYPED}, to be typed", TYPED, f"{CURRENT}/bin/companion")


def has_screen(machine: TargetMachine) -> bool:
    """Return whether a table screen was installed before."""
    return machine.path_of(f"{UNIT_FOLDER}/{SCREEN}").exists()


def service_step(
    version: Version, names: tuple[str, ...], missing: Sequence[str], served: Served
) -> InstallStep:
    """Return the step that starts the service with this version, unit and config, and goes back
    from a new version that is not well; without its devices it waits for the next boot."""
    machine = version.machine

    def input_digest() -> str:
        parts = [
            version.name,
            machine.read_text(CONFIG),
            *(machine.read_text(f"{UNIT_FOLDER}/{n}") for n in (*names, *BY_OTHERS)),
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest() + "\n"

    def is_active() -> bool:
        return all(machine.run("systemctl", "is-active", name).returncode == 0 for name in names)

    def is_unread() -> bool:
        shown = machine.run("systemctl", "show", "--property=NeedDaemonReload", *names, *BY_OTHERS)
        return "=yes" in shown.stdout

    def is_done() -> bool:
        if machine.read_text(STARTED) != input_digest() or is_unread():
            return False
        return bool(missing) or is_active()

    def apply() -> None:
        machine.run_checked("systemctl", "daemon-reload")
        if not missing and is_on_trial(machine):
            restart_on_trial(machine, names, served)
        elif not missing:
            machine.run_checked("systemctl", "restart", *names)
        machine.write_file(STARTED, input_digest())

    def undo() -> None:
        for name in (
            GUARDING, SCREEN, FLOOR, LOGINS, DAILY, HOURLY, ERRANDS, *BY_OTHERS, SERVICE,
        ):  # fmt: skip
            machine.run("systemctl", "stop", name)
        machine.remove(STARTED)

    what = "the service starts with the next boot" if missing else "the service runs this version"
    return InstallStep(
        what, is_done, apply, lambda: machine.path_of(f"{UNIT_FOLDER}/{SERVICE}").exists(), undo
    )


def restart_enabled(machine: TargetMachine, names: Sequence[str], served: Served) -> None:
    """Restart those of these units that the owner has not disabled, and watch a version on trial;
    InstallFailed if it went back to the version before."""
    machine.run("systemctl", "daemon-reload")
    enabled = [n for n in names if not machine.run("systemctl", "is-enabled", n).returncode]
    if not enabled:
        return
    if SERVICE not in enabled:  # It is a floor alone: no table answers here.
        end_trial(machine)
    if is_on_trial(machine):
        restart_on_trial(machine, tuple(enabled), served)
    else:
        machine.run("systemctl", "restart", *enabled)


def forget_units_step(machine: TargetMachine) -> InstallStep:
    """Return the step that, after uninstalling, has systemd reload its units."""

    def undo() -> None:
        machine.run_checked("systemctl", "daemon-reload")
        machine.run("systemctl", "reset-failed", SERVICE, SCREEN, FLOOR, *BY_OTHERS)

    was_there = machine.path_of(f"{UNIT_FOLDER}/{SERVICE}").exists()
    return InstallStep(
        "what systemd knows of it", lambda: True, lambda: None, lambda: was_there, undo
    )
