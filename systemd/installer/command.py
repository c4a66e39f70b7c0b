"""Command line of `systemd/install`, and the order of its steps.

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
from contextlib import ExitStack, suppress
from pathlib import Path

from . import boot, config, discovery, floor, packaged, pin, proof, service, system, trial, version
from .machine import DISK_FULL, FULL, InstallFailed, TargetMachine
from .pi import CONFIG_TXT, Pi, this_pi
from .step import InstallStep, Print, apply_steps, undo_steps
from .told import tell_end, tell_stage, tell_versions

CLAIM = "/var/lib"
"""A folder that every system has; a running installation holds a lock on it."""


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="systemd/install",
        description="Install the companion on this Raspberry Pi as a service. You can run it again "
        "at any time: it then repairs what is not as it should be, and changes nothing else.",
    )
    add = parser.add_argument
    add("--dry-run", action="store_true", help="print every step and change nothing")
    add("--uninstall", action="store_true", help="remove everything except your games and config")
    add("--purge", action="store_true", help="with --uninstall: remove your games as well")
    add("--rollback", action="store_true", help="go back to the version before this one")
    add(
        "--agree",
        action="store_true",
        help="install a version that judges some of your games anew, where its release says so",
    )
    add("--packaged", action="store_true", help="switch to the version that apt has unpacked")
    add("--now", action="store_true", help="switch although a game is under way; it goes on")
    add("--libraries", type=Path, metavar="FOLDER",
        help="files of libraries that the release brings along, for a Pi without internet",
    )  # fmt: skip
    add("--kiosk", action="store_true", help="show the table on a screen at this Pi (Pi OS Lite)")
    add("--floor", action="store_true",
        help="also run the page of all tables here, for the counter and for phones of staff",
    )  # fmt: skip
    add("--profile", default="", metavar="NAME",
        help="write this wiring profile into the config, and what it needs into config.txt",
    )  # fmt: skip
    add("--root", type=Path, default=Path("/"), metavar="FOLDER",
        help="install into the system in this folder instead of the running one")  # fmt: skip
    return parser


def main(
    arguments: Sequence[str] | None = None,
    machine_type: Callable[[Path], TargetMachine] = TargetMachine,
    clone: Path = version.CLONE,
) -> int:
    """Install or uninstall, and return the exit status."""
    os.umask(0o022)
    parser = build_parser()
    chosen = parser.parse_args(arguments)
    if chosen.purge and not chosen.uninstall:
        parser.error("--purge goes with --uninstall")
    if chosen.profile and chosen.uninstall:
        parser.error("--profile does not go with --uninstall")
    if chosen.rollback and (chosen.uninstall or chosen.profile or chosen.dry_run):
        parser.error("--rollback goes with --root alone")
    machine = machine_type(chosen.root)
    install = Install(machine, clone, chosen)
    try:
        needs_pi = not (chosen.uninstall or chosen.rollback or chosen.packaged)
        pi = this_pi(machine) if needs_pi else None
        claim = _acquire_lock(machine, chosen.dry_run)
    except InstallFailed as why:
        return _report_failure(why, 2)
    try:
        with claim, ExitStack() as ended:
            ended.callback(_tell_versions, machine)
            tell_stage("check")
            if chosen.packaged:
                packaged.check_packaged(machine)
                packaged.install_package(machine, chosen.agree, chosen.now, print)
                status = 0
            elif chosen.rollback:
                status = install.roll_back()
            else:
                status = install.install_all(pi) if pi else install.uninstall_all()
            tell_end("done")
            return status
    except InstallFailed as why:
        return _report_failure(why, 1)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        other = f"{named}{os.strerror(error.errno or errno.EIO)}; run this again."
        return _report_failure(InstallFailed(DISK_FULL if error.errno in FULL else other), 1)
    except KeyboardInterrupt:
        return _report_failure(InstallFailed("Broken off; run this again to go on."), 130)


def _report_failure(why: InstallFailed, status: int) -> int:
    print(why, file=sys.stderr)
    with suppress(OSError):  # On a full disk the exit status has to do.
        tell_end(why.code, str(why), why.cases, why.missing)
    return status


def _tell_versions(machine: TargetMachine) -> None:
    """Tell which versions there are, however this ended."""
    with suppress(OSError):
        links = trial.linked(machine, trial.CURRENT), trial.linked(machine, trial.PREVIOUS)
        tell_versions(*(Path(link).name for link in links))


def _acquire_lock(machine: TargetMachine, dry: bool) -> ExitStack:
    """Check that this is root, and hold the lock of the installer until the stack is closed."""
    claim = ExitStack()
    if dry:
        return claim
    if machine.live and os.geteuid() != 0:
        raise InstallFailed("Only root may install: sudo systemd/install")
    if not machine.path_of(CLAIM).is_dir():
        raise InstallFailed(f"There is no system in {machine.root}.")
    held = os.open(machine.path_of(CLAIM), os.O_RDONLY | os.O_CLOEXEC)
    claim.callback(os.close, held)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InstallFailed("Another systemd/install is at work; wait until it is done.") from None
    return claim


class Install:
    """All steps that make a Pi a table, in order."""

    def __init__(self, machine: TargetMachine, clone: Path, chosen: argparse.Namespace) -> None:
        self._machine, self._clone = machine, clone
        self._dry, self._purge, self._agreed = chosen.dry_run, chosen.purge, chosen.agree
        self._now, self._brought = chosen.now, chosen.libraries
        self._profile = config.absolute_profile(chosen.profile)
        self._screen = chosen.kiosk or service.has_screen(machine)
        self._floor = chosen.floor or floor.has_floor(machine)
        self._say: Print = lambda text: print(text, flush=True)

    def install_all(self, pi: Pi) -> int:
        """Apply every step that is not done yet."""
        new = version.Version(self._machine, pi, self._clone, self._brought)
        self._say(f"{pi.model}, {pi.system}, {pi.gpio_package}")
        if self._is_update(new):
            self._check_no_game("systemd/install")
        tell_stage("build")
        changed = apply_steps(self._steps_before_swap(new), self._say, self._dry)
        asked = self._read_settings(new)
        if asked and self._machine.live and not self._dry:
            self._prove(new)
        wrote = (
            self._dry
            or not boot.boot_step(self._machine, asked["lines"] if asked else None).is_done()
        )
        tell_stage("switch")
        changed |= apply_steps(self._steps_after_swap(new, asked), self._say, self._dry)
        if not changed:
            self._say("Everything is as it should be; nothing was changed.")
        if asked and not self._dry:
            self._print_summary(asked, wrote)
        return 0

    def _prove(self, new: version.Version) -> None:
        """Have a new version replay the games, and start on a copy, before it is switched to."""
        machine, old = self._machine, trial.linked(self._machine, trial.CURRENT)
        if old == f"versions/{new.folder_name}" or not trial.is_usable(machine, old):
            return
        pythons = (f"{trial.HOME}/{old}/bin/python", new.python)
        again = "" if self._agreed else "systemd/install --agree"
        proof.prove(machine, pythons, self._clone, self._say, again)
        if self._is_update(new):  # A game may have begun since.
            self._check_no_game("systemd/install")

    def _is_update(self, new: version.Version) -> bool:
        """Return whether another version than the new one runs on this machine, to be left."""
        old = trial.linked(self._machine, trial.CURRENT)
        is_other = bool(old) and not trial.is_same_version(Path(old).name, new.name)
        return is_other and self._machine.live and not self._dry

    def _check_no_game(self, typed: str) -> None:
        """Raise InstallFailed while a game is under way, unless `--now` was typed."""
        machine = self._machine
        if self._now or machine.run("systemctl", "is-active", service.SERVICE).returncode:
            return
        runs = f"{trial.CURRENT}/bin/python"
        proof.check_no_game(machine, runs, system.DATA, f"sudo {typed} --now")

    def roll_back(self) -> int:
        """Start the version before the one that runs; the other one stays, to come back to."""
        if self._machine.live and trial.linked(self._machine, trial.CURRENT):
            self._check_no_game("companion rollback")
        served = self._read_served()
        name = trial.roll_back(
            self._machine, lambda to: service.write_units_of(self._machine, to, served)
        )
        if self._machine.live:
            names = service.units_at_boot(self._screen, self._floor)
            service.restart_enabled(self._machine, names, served)
        self._say(f"The version {name} runs again. For the newer one: sudo companion rollback")
        return 0

    def _read_served(self) -> config.Served:
        return config.served_at(config.parse_config(self._machine.read_text(system.CONFIG)))

    def uninstall_all(self) -> int:
        """Undo every step, the last first."""
        self._screen = self._floor = True
        pi = Pi("", "bookworm", ())  # Nobody asks which, on the way back.
        there = version.Version(self._machine, pi, self._clone)
        steps = [
            *self._steps_before_swap(there),
            *self._steps_after_swap(there, None),
            discovery.remove_hotspot_step(self._machine),
        ]
        if not undo_steps(steps, self._say, self._dry):
            self._say("There is nothing to take away.")
        self._say("Debian's packages stay: others may use them.")
        return 0

    def _steps_before_swap(self, new: version.Version) -> list[InstallStep]:
        """Return the steps that change nothing of the version that runs."""
        machine = self._machine
        return [
            system.packages_step(machine, new.pi, self._screen),
            *system.account_steps(machine, self._screen),
            *([system.screen_folder_step(machine)] if self._screen else []),
            system.data_step(machine, self._purge),
            system.passing_files_step(machine),
            config.config_step(machine, self._purge),
            system.key_step(machine),
            version.version_step(new),
        ]

    def _read_settings(self, new: version.Version) -> version.Settings | None:
        """Return the settings as the new version reads them, None before it is built."""
        if not new.is_built():
            return None
        service.check_profile_visible(self._profile)
        asked = new.read_config(system.CONFIG, system.DATA, self._profile)
        service.check_profile_visible(asked["profile"])
        boot.check_conflicts(self._machine.read_text(CONFIG_TXT), asked["lines"], asked["pins"])
        return asked

    def _steps_after_swap(
        self, new: version.Version, asked: version.Settings | None
    ) -> list[InstallStep]:
        """Return the steps that make the new version the one that runs."""
        machine, served = self._machine, config.served_at(asked or {})
        source = self._clone / "systemd"
        missing = self._missing_devices(asked)
        units = service.units_at_boot(self._screen, self._floor)
        steps = [
            *([config.profile_step(machine, self._profile)] if self._profile else []),
            boot.boot_step(machine, asked["lines"] if asked else None),
            *([] if trial.is_guarded(machine) else trial.guard_steps(machine, source)),
            trial.trial_step(machine, new.name, new.folder_name),
            *trial.script_steps(machine, source),
            service.served_step(machine, served),
            service.command_link_step(machine),
            pin.pin_step(new, asked["lang"] if asked else "en"),
            *([service.forget_units_step(machine)] if machine.live else []),
            *(floor.floor_steps(machine, self._purge) if self._floor else []),
            *service.unit_steps(machine, source, units, served),
            trial.swap_step(machine, new.name, new.folder_name),
            *([service.policy_step(machine, served.port)] if self._screen else []),
            discovery.announce_step(machine, served.port),
        ]
        if machine.live:
            steps.append(service.service_step(new, units, missing, served))
        return [*steps, *trial.guard_steps(machine, source), version.leftovers_step(new)]

    def _missing_devices(self, asked: version.Settings | None) -> list[str]:
        """Return the devices of the wiring that do not exist since this boot."""
        devices = asked["devices"] if asked else []
        return [name for name in devices if not self._machine.path_of(name).exists()]

    def _print_summary(self, asked: version.Settings, wrote: bool) -> None:
        """Run the doctor and print the addresses, or what is still to be done."""
        say, doctor = self._say, ["companion", "doctor", *asked["doctor"], "--lang", asked["lang"]]
        typed = " ".join(["sudo", *system.command_as_user(doctor)])
        if not self._machine.live:
            say("Installed into a folder: nothing was started, and nobody can tell its address.")
            return
        if self._missing_devices(asked) or wrote:
            say(f"Reboot now: sudo reboot\nThen let the doctor look at the wires: {typed}")
        else:
            self._run_doctor(doctor, typed)
        for address in asked["addresses"]:
            say(f"The companion is at {address}")
        if not asked["set_up"]:
            say(f"Set the table up at {asked['addresses'][0]}first with the PIN of the host.")
        say("For a PIN of the host, or another one if it is lost: sudo companion pin")

    def _run_doctor(self, doctor: list[str], typed: str) -> None:
        """Run the doctor with the service stopped, because both need the pins; needs a terminal."""
        if not self._machine.is_interactive():
            self._say(f"Stop the service and let the doctor look at the wires: {typed}")
            return
        self._machine.run_checked("systemctl", "stop", service.SERVICE)
        try:
            self._machine.run_interactively(*system.command_as_user(doctor))
        finally:
            self._machine.run_checked("systemctl", "start", service.SERVICE)
