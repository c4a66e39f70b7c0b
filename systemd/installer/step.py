"""Install steps and the walks over them, forward and back.

Law: from `is_done`, `apply`, `can_undo` and `undo` come the first run, the next one that changes
nothing, the dry one and the way back; no step knows which of them it is in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .machine import TargetMachine

Print = Callable[[str], None]


@dataclass(frozen=True)
class InstallStep:
    """One state of the machine that is checked, established and undone as a whole."""

    what: str
    is_done: Callable[[], bool]
    apply: Callable[[], None]
    can_undo: Callable[[], bool]
    """Whether there is anything to undo, be it only half done."""
    undo: Callable[[], str | None]
    """Takes it away, and says what stays of it, if anything does."""


def apply_steps(steps: Iterable[InstallStep], say: Print, dry: bool) -> bool:
    """Apply the steps that are not done; return whether there were any."""
    changed = False
    for step in steps:
        if step.is_done():
            say(f"  is so   {step.what}")
            continue
        changed = True
        say(f"  {'would' if dry else 'do'}{' ' * (2 if dry else 5)} {step.what}")
        if not dry:
            step.apply()
    return changed


def undo_steps(steps: Iterable[InstallStep], say: Print, dry: bool) -> bool:
    """Undo the steps that left anything, the last first; return whether there were any."""
    changed = False
    for step in reversed(list(steps)):
        if not step.can_undo():
            continue
        changed = True
        say(f"  {'would undo' if dry else 'undo   '} {step.what}")
        stays = None if dry else step.undo()
        if stays:
            say(f"  stays   {stays}")
    return changed


def file_step(
    machine: TargetMachine, what: str, name: str, text: str, mode: int = 0o644
) -> InstallStep:
    """Return the step that writes a file with exactly this text."""
    path = machine.path_of(name)

    def is_done() -> bool:
        return path.is_file() and machine.read_text(name) == text

    return InstallStep(
        what,
        is_done,
        lambda: machine.write_file(name, text, mode),
        lambda: machine.has_traces(name),
        lambda: machine.remove(name),
    )


def link_step(machine: TargetMachine, what: str, name: str, target: str) -> InstallStep:
    """Return the step that makes a symbolic link to this target."""
    path = machine.path_of(name)

    def is_done() -> bool:
        return path.is_symlink() and str(path.readlink()) == target

    return InstallStep(
        what,
        is_done,
        lambda: machine.make_link(name, target),
        lambda: machine.has_traces(name),
        lambda: machine.remove(name),
    )
