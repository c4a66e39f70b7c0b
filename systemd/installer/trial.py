"""The trial of a new version: it has to stay well for a minute, else the one before runs again.

Laws: the last version that was well stays until the next one was well too, with the units and the
scripts that it was well with; and it watches: what goes back is never of the version on trial. The
mark of the trial is written before the units and the link are switched, in this order, and removed
afterwards, so whenever the power fails, the guard (`systemd/guard`) knows what to go back to. Going
back is its work alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from .config import Served
from .machine import DISK_FULL, InstallFailed, TargetMachine
from .step import InstallStep, file_step, link_step
from .system import DATA, UNIT_FOLDER
from .told import tell_stage

HOME = "/opt/companion"
VERSIONS = f"{HOME}/versions"
CURRENT = f"{HOME}/current"
PREVIOUS = f"{HOME}/previous"
"""The last version that was well, before the one that runs."""
TRIAL = f"{HOME}/trial"
"""What to go back to, and what the guard counts."""
REFUSED = f"{HOME}/refused"
"""The name of the version that did not stay well."""
KEPT = f"{HOME}/kept"
"""While a version is on trial: the units and scripts of the one before, and what it knew."""
GUARD = f"{HOME}/guard"
GUARDING = "companion-guard.service"
WANTS = f"{UNIT_FOLDER}/multi-user.target.wants"
ANSWERS = f"{HOME}/answers"
TIDY = f"{HOME}/tidy"
BROKER = f"{HOME}/broker"
OF_A_VERSION = {ANSWERS: "whether it answers", BROKER: "the logins at a broker"}
WATCHING = {TIDY: "the tidying", GUARD: "the guard"}
"""The scripts that units run, by whether they are switched with a version or watch over one."""
UNIT_KINDS = ("service", "timer", "path")
SPARE = 16 * 2**20
"""Bytes that are free once a version has converted what the table knows, and that was kept too."""
STARTED = f"{HOME}/started"
"""A hash of what the service was made of when it was started last."""
AGAIN = "-again"
"""The end of the name of a version that was built beside the same one, damaged."""
WELL = 60
"""Seconds that a new version has to stay well."""
PAUSE = 2
"""Seconds between two looks at it."""
SERVICE = "companion.service"


class Unwell(Exception):
    """What is wrong with a version, as the end of a sentence."""


def script_steps(machine: TargetMachine, source: Path) -> list[InstallStep]:
    """Return the steps that write what the units of a version run beside it, from its `systemd`."""
    return [_script_step(machine, source, path, what) for path, what in OF_A_VERSION.items()]


def guard_steps(machine: TargetMachine, source: Path) -> list[InstallStep]:
    """Return the steps that write what watches over the next trial; while one is on, that of the
    version before stays, if it has one."""
    unit = f"{UNIT_FOLDER}/{GUARDING}"
    steps = [
        *(_script_step(machine, source, path, what) for path, what in WATCHING.items()),
        file_step(machine, f"unit {unit}", unit, (source / GUARDING).read_text("utf-8")),
        link_step(machine, f"{GUARDING} starts with the Pi", f"{WANTS}/{GUARDING}", unit),
    ]

    def is_done(step: InstallStep) -> bool:
        return step.is_done() or (is_on_trial(machine) and is_guarded(machine))

    return [replace(step, is_done=partial(is_done, step)) for step in steps]


def is_guarded(machine: TargetMachine) -> bool:
    """Return whether a version brought the guard already."""
    return machine.path_of(GUARD).exists()


def _script_step(machine: TargetMachine, source: Path, path: str, what: str) -> InstallStep:
    text = (source / Path(path).name).read_text("utf-8")
    return file_step(machine, f"{what}: {path}", path, text, mode=0o755)


def linked(machine: TargetMachine, name: str) -> str:
    """Return where a link leads, empty if there is none."""
    path = machine.path_of(name)
    return str(path.readlink()) if path.is_symlink() else ""


def is_on_trial(machine: TargetMachine) -> bool:
    """Return whether the version that is linked has not shown yet that it stays well."""
    return machine.path_of(TRIAL).exists()


def trial_step(machine: TargetMachine, name: str, folder: str) -> InstallStep:
    """Return the step that notes what to go back to from a version that is about to be linked."""
    target = f"versions/{folder}"
    return InstallStep(
        f"version {name} is on trial, if one runs before it",
        lambda: linked(machine, CURRENT) == target,
        lambda: begin_trial(machine, target),
        lambda: False,
        lambda: None,
    )


def swap_step(machine: TargetMachine, name: str, folder: str) -> InstallStep:
    """Return the step that links a version as the current one, for the next start; its units are
    written already, so that it is never linked without them."""
    text = f"version {name} is the one that runs"
    return link_step(machine, text, CURRENT, f"versions/{folder}")


def is_usable(machine: TargetMachine, old: str) -> bool:
    """Return whether a version still runs: after an upgrade of Debian its Python may be gone."""
    if not old:
        return False
    with suppress(InstallFailed):
        return not machine.run(
            f"{HOME}/{old}/bin/python", "-I", "-c", "import companion"
        ).returncode
    return False


def begin_trial(machine: TargetMachine, target: str) -> None:
    """Note what to go back to from this version; from one on trial, it is what that one had.

    Nothing is gone back to where the version that is linked cannot run any more.
    """
    old = linked(machine, CURRENT)
    machine.remove(STARTED)
    machine.remove(REFUSED)
    if is_same_version(old, target):  # Built again, because it was damaged.
        return
    if not is_usable(machine, old):
        end_trial(machine)
        machine.remove(PREVIOUS)
        return
    if not is_on_trial(machine):
        keep_units(machine)
        machine.make_link(PREVIOUS, old)
    before = linked(machine, PREVIOUS)
    if is_same_version(before, target):
        end_trial(machine)
    elif before and machine.path_of(f"{HOME}/{before}").is_dir():
        machine.write_file(TRIAL, f"{before} - 0 0\n")


def end_trial(machine: TargetMachine) -> None:
    """Remove the mark, and what was kept to go back to."""
    machine.remove(TRIAL)
    machine.remove(KEPT)


def keep_units(machine: TargetMachine) -> None:
    """Copy the units and scripts of the version that runs; InstallFailed where no room would be
    left for a copy of what the table knows, which the guard makes before the first start."""
    _check_space(machine)
    machine.remove(KEPT)
    for path in our_units(machine):
        machine.write_file(
            f"{KEPT}/units/{path.name}", machine.read_text(f"{UNIT_FOLDER}/{path.name}")
        )
    for name in OF_A_VERSION:
        if text := machine.read_text(name):
            machine.write_file(f"{KEPT}/scripts/{Path(name).name}", text, 0o755)


def our_units(machine: TargetMachine) -> list[Path]:
    """Return the files of our units that are installed; none that the owner has masked."""
    folder = machine.path_of(UNIT_FOLDER)
    found = [path for kind in UNIT_KINDS for path in sorted(folder.glob(f"companion*.{kind}"))]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def _check_space(machine: TargetMachine) -> None:
    """Raise InstallFailed unless a copy of the databases, and one that is converted, fit."""
    sizes = [path.stat().st_size for path in machine.path_of(DATA).glob("*.sqlite3*")]
    free = shutil.disk_usage(machine.path_of(HOME)).free
    if free < 3 * sum(sizes) + SPARE:
        raise InstallFailed(DISK_FULL)


def is_same_version(one: str, other: str) -> bool:
    """Return whether two folders were built from the same files."""
    return one.removesuffix(AGAIN) == other.removesuffix(AGAIN)


def restart_on_trial(machine: TargetMachine, names: tuple[str, ...], served: Served) -> None:
    """Restart the service; InstallFailed if it went back to the version before."""
    left = _left_aside(machine)
    try:
        machine.run("systemctl", "start", "--no-block", GUARDING)
        if machine.run("systemctl", "restart", *names).returncode:
            raise Unwell("it does not start")
        watch(machine, served)
    except Unwell as why:
        raise InstallFailed(_go_back(machine, names, str(why), left), "unwell") from None
    end_trial(machine)


def watch(machine: TargetMachine, served: Served) -> None:
    """Look at the service for a minute; Unwell as soon as it is."""
    tell_stage("watch")
    begun = _count_restarts(machine)
    for _ in range(0, WELL, PAUSE):
        machine.sleep(PAUSE)
        if _count_restarts(machine) != begun:
            raise Unwell("it ended by itself")
        # A slow Pi may be busy for a moment: it is asked once more.
        if not machine.answers(*served) and not machine.answers(*served):
            raise Unwell("it does not answer")


def _count_restarts(machine: TargetMachine) -> str:
    """Return how often systemd restarted it; Unwell if it is not active."""
    shown = machine.run("systemctl", "show", "--property=ActiveState,NRestarts", SERVICE).stdout
    facts = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
    if facts.get("ActiveState") != "active":
        raise Unwell("it ended by itself")
    return facts.get("NRestarts", "")


def _go_back(machine: TargetMachine, names: tuple[str, ...], why: str, left: set[str]) -> str:
    """Have the guard go back, and start the version before; return what to say.

    `left` is what lay beside the data before the trial.
    """
    machine.run("systemctl", "stop", SERVICE)
    machine.run(GUARD, "back")  # If it has gone back already, it does nothing.
    machine.run_checked("systemctl", "restart", *names)
    games = "and nothing of your games was changed"
    if aside := sorted(_left_aside(machine) - left):
        games = f"with its data as it was before; what the new one made of it is {aside[0]}"
    return (
        f"The new version did not stay well: {why}. The version before runs again, {games}. Its "
        "log: journalctl -u companion"
    )


def _left_aside(machine: TargetMachine) -> set[str]:
    """Return what versions that were gone back from made of the data."""
    found = machine.path_of(DATA).glob("*.newer-*")
    return {f"{DATA}/{path.name}" for path in found if not path.name.endswith("-wal")}


def roll_back(machine: TargetMachine, write_units: Callable[[str], None]) -> str:
    """Link the version before the one that runs, on trial, once its units are written; return its
    name."""
    before, now = linked(machine, PREVIOUS), linked(machine, CURRENT)
    if not before or before == now or not machine.path_of(f"{HOME}/{before}").is_dir():
        raise InstallFailed("There is no version before this one to go back to.")
    keep_units(machine)
    machine.remove(STARTED)
    machine.write_file(TRIAL, f"{now} - 0 0\n")
    write_units(before)
    machine.make_link(CURRENT, before)
    machine.make_link(PREVIOUS, now)
    return Path(before).name
