"""The folder `libraries` of a release: all that a Pi without internet needs to build it.

Law: only files whose hashes are in our lists; the installer compares them once more.
"""

from __future__ import annotations

from pathlib import Path

from .debian_packages import read_systems
from .wheels import fetch_sources, fetch_wheels

LOCKS = "systemd/packaging/locks"
BUILT = ("rpi-gpio", "spidev")
"""Those that come as source, and are built on the Pi."""
DEBIANS = {"trixie": ("lgpio",)}
"""Those that are Debian's own there, because there is no wheel."""
PI = "arm64"


def fetch_pi_libraries(tree: Path, into: Path) -> list[Path]:
    """Write the files of the libraries for a Pi with any of the systems; return their paths."""
    into.mkdir(parents=True)
    play, pins, finding = (
        (tree / LOCKS / f"{name}.txt").read_text("utf-8") for name in ("play", "pi", "mdns")
    )
    for system in read_systems(tree):
        fetch_wheels(play, (), PI, system.python, into)
        fetch_wheels(finding, (), PI, system.python, into)
        fetch_wheels(pins, (*BUILT, *DEBIANS.get(system.name, ())), PI, system.python, into)
    fetch_sources(pins, ("lgpio", "rpi-lgpio"), into)
    return sorted(into.iterdir())
