"""A step: what it is, whether it is done, how to do it, how to undo it; and the walk over all.

Law: from these four come the first run, the next one that changes nothing, the dry one and the
way back; no step knows which of them it is in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .machine import Machine

Say = Callable[[str], None]


@dataclass(frozen=True)
class Step:
    """One thing that is so on a machine with the companion."""

    what: str
    done: Callable[[], bool]
    do: Callable[[], None]
    there: Callable[[], bool]
    """Whether there is anything to undo, be it only half done."""
    undo: Callable[[], str | None]
    """Takes it away, and says what stays of it, if anything does."""


def forward(steps: Iterable[Step], say: Say, dry: bool) -> bool:
    """Do what is not done yet; whether there was anything."""
    changed = False
    for step in steps:
        if step.done():
            say(f"  is so   {step.what}")
            continue
        changed = True
        say(f"  {'would' if dry else 'do'}{' ' * (2 if dry else 5)} {step.what}")
        if not dry:
            step.do()
    return changed


def back(steps: Iterable[Step], say: Say, dry: bool) -> bool:
    """Undo what is there, the last first; whether there was anything."""
    changed = False
    for step in reversed(list(steps)):
        if not step.there():
            continue
        changed = True
        say(f"  {'would undo' if dry else 'undo   '} {step.what}")
        stays = None if dry else step.undo()
        if stays:
            say(f"  stays   {stays}")
    return changed


def file(machine: Machine, what: str, name: str, text: str) -> Step:
    """A file that says exactly this."""
    path = machine.path(name)

    def done() -> bool:
        return path.is_file() and machine.text(name) == text

    return Step(
        what,
        done,
        lambda: machine.write(name, text),
        lambda: machine.traces(name),
        lambda: machine.remove(name),
    )


def link(machine: Machine, what: str, name: str, target: str) -> Step:
    """A link that points exactly there."""
    path = machine.path(name)

    def done() -> bool:
        return path.is_symlink() and str(path.readlink()) == target

    return Step(
        what,
        done,
        lambda: machine.link(name, target),
        lambda: machine.traces(name),
        lambda: machine.remove(name),
    )
