"""A version that comes as a Debian package: laid out beside the one that runs, proven, on trial.

Laws: apt unpacks into one folder, which never runs; what runs is a copy of it by hard links among
the versions, so the one before stays although apt has replaced its files. From there on everything
is as with any other version: proof, swap, trial, guard, rollback.
"""

from __future__ import annotations

import os
import shutil

from . import discovery, proof, service, system, trial
from .config import Served, parse_config, served_at
from .machine import InstallFailed, TargetMachine
from .step import Print, apply_steps
from .told import tell_stage
from .version import WHOLE, folder_digest

SOURCE = "/usr/lib/table-companion"
"""Where apt unpacks to."""
SERVED = f"{trial.HOME}/served"
"""Where the unit of a package reads where the pages answer."""
PREFIX = "deb-"
"""How the names of such versions begin; `companion/core/installation.py` reads it."""
BOOTED = "/run/systemd/system"
NAMES = service.units_at_boot(screen=False, floor=True)
AGAIN = "companion update"


def install_package(machine: TargetMachine, agreed: bool, now: bool, say: Print) -> None:
    """Switch to the version that apt has unpacked, if another one runs; InstallFailed if it may
    not run."""
    apply_steps(trial.script_steps(machine), say, dry=False)
    served = note_served(machine)
    if not machine.run("systemctl", "is-enabled", service.SERVICE).returncode:  # No floor alone.
        apply_steps([discovery.announce_step(machine, served.port)], say, dry=False)
    name = f"{PREFIX}{folder_digest(machine.path_of(SOURCE))[:12]}"
    target, old = f"versions/{name}", trial.linked(machine, trial.CURRENT)
    if old == target and machine.path_of(f"{trial.HOME}/{target}/{WHOLE}").exists():
        _restart(machine, served)
        return
    tell_stage("build")
    lay_out(machine, name)
    new = f"{trial.HOME}/{target}/bin/python"
    if is_usable(machine, old) and is_booted(machine):
        _check_no_game(machine, now)
        runs, clone = f"{trial.HOME}/{old}/bin/python", machine.path_of(f"{SOURCE}/release")
        proof.prove(machine, (runs, new), clone, say, "" if agreed else f"{AGAIN} --agree")
        _check_no_game(machine, now)
    elif old:
        machine.remove(trial.PREVIOUS)
    tell_stage("switch")
    trial.begin_trial(machine, target)
    machine.make_link(trial.CURRENT, target)
    _restart(machine, served)


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
    machine.write_file(f"{place}/{WHOLE}", folder_digest(folder))


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # On another disk.
        shutil.copy2(source, target, follow_symlinks=False)


def note_served(machine: TargetMachine) -> Served:
    """Write down where the pages answer, for the unit; return it."""
    served = served_at(parse_config(machine.read_text(system.CONFIG)))
    machine.write_file(SERVED, f"{served.port} {served.address}\n")
    return served


def is_booted(machine: TargetMachine) -> bool:
    """Return whether systemd runs this system: it may be an image that is being made."""
    return machine.live and machine.path_of(BOOTED).is_dir()


def is_usable(machine: TargetMachine, old: str) -> bool:
    """Return whether a version still runs: after an upgrade of Debian its Python may be gone."""
    python = f"{trial.HOME}/{old}/bin/python"
    return bool(old) and not machine.run(python, "-I", "-c", "import companion").returncode


def _check_no_game(machine: TargetMachine, now: bool) -> None:
    if now or machine.run("systemctl", "is-active", service.SERVICE).returncode:
        return
    runs = f"{trial.CURRENT}/bin/python"
    proof.check_no_game(machine, runs, system.DATA, f"sudo {AGAIN} --now")


def _restart(machine: TargetMachine, served: Served) -> None:
    """Restart the units, and watch a version on trial; nothing where no systemd runs."""
    if not is_booted(machine):
        machine.remove(trial.TRIAL)
        return
    machine.run("systemctl", "daemon-reload")
    names = [name for name in NAMES if not machine.run("systemctl", "is-enabled", name).returncode]
    if not names:  # The owner has disabled them.
        return
    if service.SERVICE not in names:  # It is a floor alone: no table answers here.
        machine.remove(trial.TRIAL)
    if trial.is_on_trial(machine):
        trial.restart_on_trial(machine, tuple(names), served)
    else:
        machine.run("systemctl", "restart", *names)


def check_packaged(machine: TargetMachine) -> None:
    """Raise InstallFailed where no package of ours is installed."""
    if not machine.path_of(f"{SOURCE}/release").is_dir():
        raise InstallFailed("The Debian package table-companion is not installed here.")
