"""How this program was installed, and the commands that install more into the same place.

Law: advice names pip alone only where a person installed with pip; a Debian package is apt's.
"""

import sys
from pathlib import Path
from typing import Literal

InstalledBy = Literal["hand", "installer", "apt"]
"""With pip or from a clone; with `systemd/install`; as the Debian package."""

PACKAGE = "table-companion"
"""Its name as a Debian package."""
HOME = Path("/opt/companion")
"""Where the installer keeps its versions, and a link to the one that is to run."""
FROM_PACKAGE = "deb-"
"""How the folder of a version begins that came as a Debian package."""
PACKAGED = Path("/usr/lib") / PACKAGE
INSTALLER = "sudo systemd/install"
RESTART = "sudo systemctl restart companion"


def installed_by() -> InstalledBy:
    """Return how the program that runs was installed, by the folder that it runs from."""
    folder = Path(sys.prefix)
    if folder.is_relative_to(HOME):
        return "apt" if folder.name.startswith(FROM_PACKAGE) else "installer"
    return "apt" if folder.is_relative_to(PACKAGED) else "hand"


def pip_command(wanted: str) -> str:
    """Return the command that installs packages of Python where this program finds them."""
    way = installed_by()
    if way == "hand":
        return f"pip install {wanted}"
    first = "sudo apt install python3-pip && " if way == "apt" else ""
    return f"{first}sudo {sys.prefix}/bin/python -m pip install {wanted}"


def apply_config_command() -> str:
    """Return the command after which the service runs with a config that has changed."""
    return RESTART if installed_by() == "apt" else INSTALLER
