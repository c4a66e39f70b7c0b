"""The host's PIN: made once, before the service makes one that it does not show.

Laws: `companion pin` prints the digits to the terminal itself, so that they are in no pipe and no
log; without a terminal none is made here. A PIN that exists stays.
"""

from __future__ import annotations

from .machine import InstallFailed, TargetMachine
from .step import InstallStep
from .system import DATA
from .version import Version

KEPT = f"{DATA}/identity.sqlite3"
OLD = f"{DATA}/host.pin"
"""Where an earlier version kept the PIN; the companion takes it over."""


def pin_step(version: Version, lang: str) -> InstallStep:
    """Return the step that makes the host's PIN if there is none, at a terminal."""
    machine = version.machine

    def apply() -> None:
        made = (f"{version.folder}/bin/companion", "pin", "--data", DATA, "--lang", lang)
        if machine.run_interactively(*made):
            raise InstallFailed("No PIN could be made for the host; the reason is printed above.")

    return InstallStep(
        "a PIN for the host, where a terminal shows it",
        lambda: _has_pin(machine) or not machine.is_interactive(),
        apply,
        lambda: machine.has_traces(KEPT),
        lambda: machine.remove(KEPT),
    )


def _has_pin(machine: TargetMachine) -> bool:
    return any(machine.path_of(kept).exists() for kept in (KEPT, OLD))
