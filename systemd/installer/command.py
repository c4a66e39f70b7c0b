"""`systemd/install`: what may be typed, and the walk from nothing to the address on the screen.

Laws: nothing is changed before the machine is known to be the right one; nothing that runs is
changed before the new version stands and has read the config. Refused is status 2, broken off 1.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from . import boot, config, discovery, pin, service, system, version
from .machine import DISK_FULL, FULL, Failed, Machine
from .pi import CONFIG_TXT, Pi, this_pi
from .step import Say, Step, back, forward

CLAIM = "/var/lib"
"""A folder that every system has; whoever installs holds it."""


def arguments() -> argparse.ArgumentParser:
    """What may be typed."""
    parser = argparse.ArgumentParser(
        prog="systemd/install",
        description="Install the companion on this Raspberry Pi as a service. It may be run again "
        "at any time: it then mends what is not as it should be, and changes nothing else.",
    )
    add = parser.add_argument
    add("--dry-run", action="store_true", help="print every step and do none")
    add("--uninstall", action="store_true", help="take it all away, but what you played")
    add("--purge", action="store_true", help="with --uninstall: what you played as well")
    add("--kiosk", action="store_true", help="a screen at this Pi shows the table (Pi OS Lite)")
    add("--profile", default="", metavar="NAME",
        help="write this wiring profile into the config, and what it needs into config.txt",
    )  # fmt: skip
    add("--root", type=Path, default=Path("/"), metavar="FOLDER",
        help="the system in this folder instead of the one that runs")  # fmt: skip
    return parser


def main(
    words: Sequence[str] | None = None,
    made: Callable[[Path], Machine] = Machine,
    clone: Path = version.CLONE,
) -> int:
    """Install, or take away; the exit status."""
    os.umask(0o022)
    parser = arguments()
    chosen = parser.parse_args(words)
    if chosen.purge and not chosen.uninstall:
        parser.error("--purge goes with --uninstall")
    if chosen.profile and chosen.uninstall:
        parser.error("--profile does not go with --uninstall")
    machine = made(chosen.root)
    install = Install(machine, clone, chosen)
    try:
        pi = this_pi(machine) if not chosen.uninstall else None
        claim = _alone(machine, chosen.dry_run)
    except Failed as why:
        return _broken_off(why, 2)
    try:
        with claim:
            return install.all(pi) if pi else install.nothing()
    except Failed as why:
        return _broken_off(why, 1)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        other = f"{named}{os.strerror(error.errno or errno.EIO)}; run this again."
        return _broken_off(Failed(DISK_FULL if error.errno in FULL else other), 1)
    except KeyboardInterrupt:
        return _broken_off(Failed("Broken off; run this again to go on."), 130)


def _broken_off(why: Failed, status: int) -> int:
    print(why, file=sys.stderr)
    return status


def _alone(machine: Machine, dry: bool) -> ExitStack:
    """Root, and only one of us at a time, until this is closed."""
    claim = ExitStack()
    if dry:
        return claim
    if machine.live and os.geteuid() != 0:
        raise Failed("Only root may install: sudo systemd/install")
    if not machine.path(CLAIM).is_dir():
        raise Failed(f"There is no system in {machine.root}.")
    held = os.open(machine.path(CLAIM), os.O_RDONLY | os.O_CLOEXEC)
    claim.callback(os.close, held)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Failed("Another systemd/install is at work; wait until it is done.") from None
    return claim


class Install:
    """Everything that makes a Pi a table, in order."""

    def __init__(self, machine: Machine, clone: Path, chosen: argparse.Namespace) -> None:
        self._machine, self._clone = machine, clone
        self._dry, self._purge = chosen.dry_run, chosen.purge
        self._profile = config.meant(chosen.profile)
        self._screen = chosen.kiosk or service.screen_is_there(machine)
        self._say: Say = lambda text: print(text, flush=True)
        self._pin = ""

    def all(self, pi: Pi) -> int:
        """From whatever is there to a table."""
        new = version.Version(self._machine, pi, self._clone)
        self._say(f"{pi.model}, {pi.system}, {pi.gpio}")
        changed = forward(self._before(new), self._say, self._dry)
        asked = self._asked(new)
        wrote = self._dry or not boot.step(self._machine, asked["lines"] if asked else None).done()
        changed |= forward(self._after(new, asked), self._say, self._dry)
        if not changed:
            self._say("Everything is as it should be; nothing was changed.")
        if asked and not self._dry:
            self._farewell(asked, wrote)
        return 0

    def nothing(self) -> int:
        """From whatever is there to what was before."""
        self._screen = True
        pi = Pi("", "bookworm", ())  # Nobody asks which, on the way back.
        there = version.Version(self._machine, pi, self._clone)
        steps = [*self._before(there), *self._after(there, None), discovery.hotspot(self._machine)]
        if not back(steps, self._say, self._dry):
            self._say("There is nothing to take away.")
        self._say("Debian's packages stay: others may use them.")
        return 0

    def _before(self, new: version.Version) -> list[Step]:
        """What touches nothing that runs."""
        machine = self._machine
        return [
            system.packages(machine, new.pi, self._screen),
            *system.accounts(machine, self._screen),
            *([system.screen_folder(machine)] if self._screen else []),
            system.data(machine, self._purge),
            config.once(machine, self._purge),
            version.step(new),
        ]

    def _asked(self, new: version.Version) -> dict[str, Any] | None:
        """What the new version says of the config; nobody knows before it stands."""
        if not new.stands():
            return None
        service.check(self._profile)
        asked = new.asked(system.CONFIG, system.DATA, self._profile)
        service.check(asked["profile"])
        boot.check(self._machine.text(CONFIG_TXT), asked["lines"], asked["pins"])
        return asked

    def _after(self, new: version.Version, asked: dict[str, Any] | None) -> list[Step]:
        """What makes the new version the one that runs."""
        machine, port = self._machine, asked["port"] if asked else 8000
        missing = self._missing(asked)
        steps = [
            *([config.names(machine, self._profile)] if self._profile else []),
            boot.step(machine, asked["lines"] if asked else None),
            version.swap(new),
            service.typed(machine),
            pin.pin(new, asked["lang"] if asked else "en", self._tell),
            *([service.forgotten(machine)] if machine.live else []),
            *service.units(machine, self._screen, port),
            discovery.announced(machine, port),
        ]
        if machine.live:
            steps.append(service.runs(new, self._screen, missing))
        return [*steps, version.tidy(new)]

    def _missing(self, asked: dict[str, Any] | None) -> list[str]:
        """The devices of the wiring that this boot does not offer."""
        devices = asked["devices"] if asked else []
        return [name for name in devices if not self._machine.path(name).exists()]

    def _tell(self, pin: str) -> None:
        """The PIN, at once, lest anything come between; and once more in the end."""
        self._say(pin)
        self._pin = pin

    def _farewell(self, asked: dict[str, Any], wrote: bool) -> None:
        """The doctor, and where the table is; or what is still to be done."""
        say, doctor = self._say, ["companion", "doctor", *asked["doctor"], "--lang", asked["lang"]]
        typed = " ".join(["sudo", *system.command(doctor)])
        if not self._machine.live:
            say("Installed into a folder: nothing was started, and nobody can tell its address.")
            return
        if self._missing(asked) or wrote:
            say(f"Reboot now: sudo reboot\nThen let the doctor look at the wires: {typed}")
        else:
            self._doctor(doctor, typed)
        for address in asked["addresses"]:
            say(f"The companion is at {address}")
        if not asked["set_up"]:
            say(f"Set the table up at {asked['addresses'][0]}first with the PIN of the host.")
        say(self._pin or "If the PIN is lost: sudo companion pin")

    def _doctor(self, doctor: list[str], typed: str) -> None:
        """She needs the pins that the service holds, and somebody who answers."""
        if not self._machine.person():
            self._say(f"Stop the service and let the doctor look at the wires: {typed}")
            return
        self._machine.must("systemctl", "stop", service.SERVICE)
        try:
            self._machine.talk(*system.command(doctor))
        finally:
            self._machine.must("systemctl", "start", service.SERVICE)
