"""The host's PIN: made once, before the service would make one unseen.

Law: the digits are printed and stored nowhere; a PIN that exists stays.
"""

from __future__ import annotations

from .step import InstallStep, Print
from .system import DATA
from .version import Version

KEPT = f"{DATA}/identity.sqlite3"
OLD = f"{DATA}/host.pin"
"""Where an earlier version kept the PIN; the companion takes it over."""


def pin_step(version: Version, lang: str, tell: Print) -> InstallStep:
    """Return the step that makes the host's PIN if there is none, and prints it."""
    machine = version.machine

    def apply() -> None:
        made = (f"{version.folder}/bin/companion", "pin", "--data", DATA, "--lang", lang)
        tell(machine.run_checked(*made).strip())

    return InstallStep(
        "a PIN for the host",
        lambda: any(machine.path_of(kept).exists() for kept in (KEPT, OLD)),
        apply,
        lambda: machine.has_traces(KEPT),
        lambda: machine.remove(KEPT),
    )
