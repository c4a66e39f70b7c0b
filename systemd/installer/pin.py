"""The host's PIN: made once, before the service would make one that nobody reads.

Law: whoever installs is told the digits, and they stand nowhere; a PIN that is there stays.
"""

from __future__ import annotations

from .step import Say, Step
from .system import DATA
from .version import Version

KEPT = f"{DATA}/host.pin"


def pin(version: Version, lang: str, tell: Say) -> Step:
    """There is a PIN."""
    machine = version.machine

    def do() -> None:
        made = (f"{version.folder}/bin/companion", "pin", "--data", DATA, "--lang", lang)
        tell(machine.must(*made).strip())

    return Step(
        "a PIN for the host",
        lambda: machine.path(KEPT).exists(),
        do,
        lambda: machine.traces(KEPT),
        lambda: machine.remove(KEPT),
    )
