"""The service: its units, whether it starts with the Pi, and whether it runs what is installed.

Law: it is started anew only if something that it is made of has changed since its last start.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from .machine import Failed, Machine
from .step import Step, file, link
from .system import CONFIG, UNITS
from .version import CURRENT, HOME, Version

FOLDER = "/etc/systemd/system"
WANTS = f"{FOLDER}/multi-user.target.wants"
TIMERS = f"{FOLDER}/timers.target.wants"
SERVICE, SCREEN = "companion.service", "companion-kiosk.service"
BACKUP, DAILY = "companion-backup.service", "companion-backup.timer"
STARTED = f"{HOME}/started"
TYPED = "/usr/local/bin/companion"

HIDDEN = ("/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/")
"""What the unit takes away from the service: homes, and what lies about."""


def check(profile: str) -> None:
    """Whether the service will see a profile that is a file of somebody's own."""
    if profile.startswith(HIDDEN):
        place = Path(CONFIG).with_name(Path(profile).name)
        raise Failed(
            f"The service sees no file in {Path(profile).parent}: copy the profile to {place}, and "
            f"then: sudo systemd/install --profile {place}"
        )


def units(machine: Machine, screen: bool, port: int) -> list[Step]:
    """What systemd reads, and that it starts them with the Pi."""
    steps = []
    for name in (*_started(screen), BACKUP):
        text = (UNITS / name).read_text("utf-8").replace("8000", str(port))
        path = f"{FOLDER}/{name}"
        steps.append(file(machine, f"unit {path}", path, text))
        if name != BACKUP:
            wants = f"{TIMERS if name == DAILY else WANTS}/{name}"
            steps.append(link(machine, f"{name} starts with the Pi", wants, path))
    return steps


def _started(screen: bool) -> tuple[str, ...]:
    """What starts with the Pi."""
    return (SERVICE, DAILY, SCREEN) if screen else (SERVICE, DAILY)


def typed(machine: Machine) -> Step:
    """`companion` can be typed."""
    return link(machine, f"{TYPED}, to be typed", TYPED, f"{CURRENT}/bin/companion")


def screen_is_there(machine: Machine) -> bool:
    """Whether a table screen was installed before."""
    return machine.path(f"{FOLDER}/{SCREEN}").exists()


def runs(version: Version, screen: bool, missing: Sequence[str]) -> Step:
    """The service runs this version, this unit and this config; without its devices it waits."""
    machine = version.machine
    names = _started(screen)

    def made_of() -> str:
        parts = [
            version.name,
            machine.text(CONFIG),
            *(machine.text(f"{FOLDER}/{n}") for n in (*names, BACKUP)),
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest() + "\n"

    def active() -> bool:
        return all(machine.run("systemctl", "is-active", name).returncode == 0 for name in names)

    def unread() -> bool:
        shown = machine.run("systemctl", "show", "--property=NeedDaemonReload", *names, BACKUP)
        return "=yes" in shown.stdout

    def done() -> bool:
        if machine.text(STARTED) != made_of() or unread():
            return False
        return bool(missing) or active()

    def do() -> None:
        machine.must("systemctl", "daemon-reload")
        if not missing:
            machine.must("systemctl", "restart", *names)
        machine.write(STARTED, made_of())

    def undo() -> None:
        for name in (SCREEN, DAILY, BACKUP, SERVICE):
            machine.run("systemctl", "stop", name)
        machine.remove(STARTED)

    what = "the service starts with the next boot" if missing else "the service runs this version"
    return Step(what, done, do, lambda: machine.path(f"{FOLDER}/{SERVICE}").exists(), undo)


def forgotten(machine: Machine) -> Step:
    """On the way back: systemd no longer knows the units."""

    def undo() -> None:
        machine.must("systemctl", "daemon-reload")
        machine.run("systemctl", "reset-failed", SERVICE, SCREEN, BACKUP)

    was_there = machine.path(f"{FOLDER}/{SERVICE}").exists()
    return Step("what systemd knows of it", lambda: True, lambda: None, lambda: was_there, undo)
