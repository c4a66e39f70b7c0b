"""The trial of a new version: it has to stay well for a minute, else the one before runs again.

Laws: the last version that was well stays until the next one was well too. The mark of the trial
is written before the link is switched and removed afterwards, so whenever the power fails, the
guard (`systemd/guard`) knows what to go back to. Nothing here touches the games.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from .config import Served
from .machine import InstallFailed, TargetMachine
from .step import InstallStep, file_step, link_step
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
GUARD = f"{HOME}/guard"
GUARD_SOURCE = Path(__file__).resolve().parents[1] / "guard"
ANSWERS = f"{HOME}/answers"
TIDY = f"{HOME}/tidy"
BROKER = f"{HOME}/broker"
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


def script_steps(machine: TargetMachine) -> list[InstallStep]:
    """Return the steps that write what the units run beside a version: before a start, after it,
    and after a healthy hour."""
    scripts = {
        GUARD: "the guard", ANSWERS: "whether it answers", TIDY: "the tidying",
        BROKER: "the logins at a broker",
    }  # fmt: skip
    return [
        file_step(machine, f"{what}: {path}", path, _read_source(path), mode=0o755)
        for path, what in scripts.items()
    ]


def _read_source(path: str) -> str:
    return GUARD_SOURCE.with_name(Path(path).name).read_text("utf-8")


def linked(machine: TargetMachine, name: str) -> str:
    """Return where a link leads, empty if there is none."""
    path = machine.path_of(name)
    return str(path.readlink()) if path.is_symlink() else ""


def is_on_trial(machine: TargetMachine) -> bool:
    """Return whether the version that is linked has not shown yet that it stays well."""
    return machine.path_of(TRIAL).exists()


def swap_step(machine: TargetMachine, name: str, folder: str) -> InstallStep:
    """Return the step that links a version as the current one, for the next start, on trial."""
    target = f"versions/{folder}"
    step = link_step(machine, f"version {name} is the one that runs", CURRENT, target)

    def apply() -> None:
        begin_trial(machine, target)
        step.apply()

    return replace(step, apply=apply)


def begin_trial(machine: TargetMachine, target: str) -> None:
    """Note what to go back to from this version; from one on trial, it is what that one had."""
    old = linked(machine, CURRENT)
    machine.remove(STARTED)
    machine.remove(REFUSED)
    if is_same_version(old, target):  # Built again, because it was damaged.
        return
    if old and not is_on_trial(machine):
        machine.make_link(PREVIOUS, old)
    before = linked(machine, PREVIOUS)
    if is_same_version(before, target):
        machine.remove(TRIAL)
    elif before and machine.path_of(f"{HOME}/{before}").is_dir():
        machine.write_file(TRIAL, f"{before} - 0 0\n")


def is_same_version(one: str, other: str) -> bool:
    """Return whether two folders were built from the same files."""
    return one.removesuffix(AGAIN) == other.removesuffix(AGAIN)


def restart_on_trial(machine: TargetMachine, names: tuple[str, ...], served: Served) -> None:
    """Restart the service; InstallFailed if it went back to the version before."""
    try:
        if machine.run("systemctl", "restart", *names).returncode:
            raise Unwell("it does not start")
        watch(machine, served)
    except Unwell as why:
        raise InstallFailed(_go_back(machine, names, str(why)), "unwell") from None
    machine.remove(TRIAL)


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


def _go_back(machine: TargetMachine, names: tuple[str, ...], why: str) -> str:
    """Link and start the version before; return what to say."""
    refused = linked(machine, CURRENT)
    before = machine.read_text(TRIAL).split(" ")[0]
    if before:  # Else the guard was faster.
        machine.make_link(CURRENT, before)
        machine.remove(TRIAL)
        machine.write_file(REFUSED, f"{Path(refused).name}\n")
    machine.run_checked("systemctl", "restart", *names)
    return (
        f"The new version did not stay well: {why}. The version before runs again, and nothing of "
        "your games was changed. Its log: journalctl -u companion"
    )


def roll_back(machine: TargetMachine) -> str:
    """Link the version before the one that runs, on trial; return its name."""
    before, now = linked(machine, PREVIOUS), linked(machine, CURRENT)
    if not before or before == now or not machine.path_of(f"{HOME}/{before}").is_dir():
        raise InstallFailed("There is no version before this one to go back to.")
    machine.remove(STARTED)
    machine.write_file(TRIAL, f"{now} - 0 0\n")
    machine.make_link(CURRENT, before)
    machine.make_link(PREVIOUS, now)
    return Path(before).name
