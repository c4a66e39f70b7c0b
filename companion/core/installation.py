"""How this program was installed, and the commands that add to it.

Law: a Debian package is mended by apt, everything else by the pip that installed it.
"""

import shlex
from pathlib import Path
from typing import Literal

from companion.core.i18n import Message, message

InstalledBy = Literal["hand", "apt"]
"""With pip or from a clone; as the Debian package."""

PACKAGE = "companion"
"""Its name as a Debian package."""
PACKAGED = Path("/usr/lib/companion")
PREVIOUS = Path("/var/lib/companion-previous/tree")
"""The version before, which runs where the new one does not stay up."""
FAILED = Path("/var/lib/companion-trial/failed")
"""Says the name of the version that did not stay up."""
HERE = Path(__file__).parents[2]
RESTART = "sudo systemctl restart companion"


def installed_by(here: Path = HERE) -> InstalledBy:
    """Return the program that installed the companion."""
    return "apt" if here in (PACKAGED, PREVIOUS) else "hand"


def read_update_fault(
    version: str, here: Path = HERE, failed: Path = FAILED, previous: Path = PREVIOUS
) -> Message | None:
    """Return the warning after a failed update, while the previous version runs; else None."""
    if here != previous:
        return None
    command = f"sudo apt install ./{PACKAGE}_….deb"
    try:
        text = (
            "Version {failed} did not stay up, so version {version} runs, with the data from "
            "before the update. Type: {command}"
        )
        facts = {"failed": failed.read_text("utf-8").strip(), "version": version}
        return message(text, **facts, command=command)
    except (OSError, UnicodeDecodeError):
        text = "The update was cut off, so version {version} runs. Type: {command}"
        return message(text, version=version, command=command)


def build_command(folder: Path) -> str:
    """Return the command that installs the package in a folder of one's own."""
    return f"pip install --no-deps --no-build-isolation --editable {shlex.quote(str(folder))}"
