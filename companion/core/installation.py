"""How this program was installed, and the commands that install more into the same place.

Laws: advice names pip alone only where a person installed with pip; a Debian package is apt's. What
an owner adds to an installed table lies apart from its versions: it is there after an update, and
the files of a version stay as its checksum says.
"""

import site
import sys
import sysconfig
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
ADDED = HOME / "added"
"""What the owner has installed beside the versions, such as games of others."""
PACKAGED = Path("/usr/lib") / PACKAGE
INSTALLER = "sudo systemd/install"
RESTART = "sudo systemctl restart companion"


def installed_by(home: Path = HOME) -> InstalledBy:
    """Return how the program that runs was installed, by the folder that it runs from, which may
    be the link to it."""
    folder = Path(sys.prefix)
    if folder.is_relative_to(home):
        return "apt" if folder.resolve().name.startswith(FROM_PACKAGE) else "installer"
    return "apt" if folder.is_relative_to(PACKAGED) else "hand"


def pip_command(wanted: str) -> str:
    """Return the command that installs packages of Python where this program finds them."""
    way = installed_by()
    if way == "hand":
        return f"pip install {wanted}"
    first = "sudo apt install python3-pip && " if way == "apt" else ""
    return f"{first}sudo {sys.prefix}/bin/python -m pip install --prefix {ADDED} {wanted}"


def use_added_packages(added: Path = ADDED) -> None:
    """Have Python find what was added to an installed table, after everything of the version."""
    if installed_by() != "hand":
        folders = {"base": str(added), "platbase": str(added)}
        for name in ("purelib", "platlib"):
            site.addsitedir(sysconfig.get_path(name, "posix_prefix", folders))


def apply_config_command() -> str:
    """Return the command after which the service runs with a config that has changed."""
    return RESTART if installed_by() == "apt" else INSTALLER
