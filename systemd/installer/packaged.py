"""A version that comes as a Debian package: laid out beside the one that runs, proven, on trial.

Laws: apt unpacks into one folder, which never runs; what runs is a copy of it by hard links among
the versions, so the one before stays although apt has replaced its files. From there on everything
is as with any other version: proof, swap, trial, guard, rollback.
"""

from __future__ import annotations

import os
import shutil

from . import discovery, proof, service, system, trial, version
from .config import parse_config, served_at
from .machine import InstallFailed, TargetMachine
from .step import Print, apply_steps
from .told import tell_stage

SOURCE = "/usr/lib/table-companion"
"""Where apt unpacks to."""
PREFIX = "deb-"
"""How the names of such versions begin; `companion/core/installation.py` reads it."""
BOOTED = "/run/systemd/system"
NAMES = service.units_at_boot(screen=False, floor=True)
FIRST = "companion-first.service"
"""Reads what the owner has written on the card; it runs before the table, and is done then."""
AGAIN = "companion update"


def install_package(machine: TargetMachine, agreed: bool, now: bool, say: Print) -> None:
    """Switch to the version that apt has unpacked, if another one runs; InstallFailed if it may
    not run."""
    served = served_at(parse_config(machine.read_text(system.CONFIG)))
    if not machine.run("systemctl", "is-enabled", service.SERVICE).returncode:  # No floor alone.
        apply_steps([discovery.announce_step(machine, served.port)], say, dry=False)
    name = f"{PREFIX}{version.folder_digest(machine.path_of(SOURCE))[:12]}"
    target, old = f"versions/{name}", trial.linked(machine, trial.CURRENT)
    if old != target or not machine.path_of(f"{trial.HOME}/{target}/{version.WHOLE}").exists():
        _prove(machine, name, (agreed, now), say)
        tell_stage("switch")
        trial.begin_trial(machine, target)
    source = machine.path_of(f"{trial.HOME}/{target}/{version.RELEASE}/systemd")
    if not trial.is_guarded(machine):
        apply_steps(trial.guard_steps(machine, source), say, dry=False)
    service.served_step(machine, served).apply()
    service.write_units(machine, source, (*NAMES, FIRST, *service.BY_OTHERS), served)
    machine.make_link(trial.CURRENT, target)
    if is_booted(machine):
        service.restart_enabled(machine, NAMES, served)
    else:
        trial.end_trial(machine)
    apply_steps(trial.guard_steps(machine, source), say, dry=False)


def _prove(machine: TargetMachine, name: str, said: tuple[bool, bool], say: Print) -> None:
    """Lay this version out, and prove it if the one that is linked still runs.

    `said` is whether to agree to other verdicts, and to switch although a game is under way.
    """
    agreed, now = said
    target, old = f"versions/{name}", trial.linked(machine, trial.CURRENT)
    tell_stage("build")
    lay_out(machine, name)
    new = f"{trial.HOME}/{target}/bin/python"
    if trial.is_usable(machine, old) and is_booted(machine):
        _check_no_game(machine, now)
        runs, clone = f"{trial.HOME}/{old}/bin/python", machine.path_of(f"{SOURCE}/release")
        proof.prove(machine, (runs, new), clone, say, "" if agreed else f"{AGAIN} --agree")
        _check_no_game(machine, now)


def lay_out(machine: TargetMachine, name: str) -> None:
    """Lay a version out beside the others, by hard links where that is possible."""
    folder = machine.path_of(f"{trial.VERSIONS}/{name}")
    machine.remove(f"{trial.VERSIONS}/{name}")
    machine.make_folder(folder.parent)
    source = machine.path_of(SOURCE)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, folder, True, ignored, _link_or_copy)
    place = f"{trial.VERSIONS}/{name}"
    machine.remove(f"{place}/bin/python")
    machine.make_link(f"{place}/bin/python", "/usr/bin/python3")
    command = machine.read_text(f"{place}/bin/companion")
    machine.remove(f"{place}/bin/companion")  # Never write through a link into apt's own file.
    machine.write_file(f"{place}/bin/companion", command.replace(SOURCE, place), 0o755)
    machine.run(f"{place}/bin/python", "-I", "-m", "compileall", "-q", f"{place}/lib")
    machine.sync_disks()
    machine.write_file(f"{place}/{version.WHOLE}", version.folder_digest(folder))


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # On another disk.
        shutil.copy2(source, target, follow_symlinks=False)


def is_booted(machine: TargetMachine) -> bool:
    """Return whether systemd runs this system: it may be an image that is being made."""
    return machine.live and machine.path_of(BOOTED).is_dir()


def _check_no_game(machine: TargetMachine, now: bool) -> None:
    if now or machine.run("systemctl", "is-active", service.SERVICE).returncode:
        return
    runs = f"{trial.CURRENT}/bin/python"
    proof.check_no_game(machine, runs, system.DATA, f"sudo {AGAIN} --now")


def check_packaged(machine: TargetMachine) -> None:
    """Raise InstallFailed where no package of ours is installed."""
    if not machine.path_of(f"{SOURCE}/release").is_dir():
        raise InstallFailed("The Debian package table-companion is not installed here.")
