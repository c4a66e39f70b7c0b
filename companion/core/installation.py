"""How this program was installed, and the commands that add to it.

Laws: advice names pip alone only where a person installed with pip; a Debian package is apt's. What
is added to a table that was set up for a service comes as files of wheels, fetched or built by the
one who types, never by root: `companion install` adds them beside the versions, for all of these.
"""

import shlex
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
ADDED = HOME / "added"
"""The packages that were added, a folder each; only root writes there."""
WHEELS = "wheels"
"""The folder, where the command is typed, into which wheels are fetched or built."""
FETCH = "sudo apt install python3-pip && python3 -m pip download --only-binary :all:"
BUILD = (
    "sudo apt install python3-pip python3-setuptools python3-wheel && "
    "python3 -m pip wheel --no-deps --no-build-isolation"
)
INSTALLER = "sudo systemd/install"
RESTART = "sudo systemctl restart companion"


def installed_by(home: Path = HOME) -> InstalledBy:
    """Return how the program that runs was installed, by the folder that it runs from, which may
    be the link to it."""
    folder = Path(sys.prefix)
    if folder.is_relative_to(home):
        return "apt" if folder.resolve().name.startswith(FROM_PACKAGE) else "installer"
    return "apt" if folder.is_relative_to(PACKAGED) else "hand"


def see_added_packages() -> None:
    """Have Python find the packages that were added, after all that a version brings itself."""
    if installed_by() == "hand" or not ADDED.is_dir():
        return
    folders = [str(each) for each in sorted(ADDED.iterdir()) if not each.name.startswith(".")]
    sys.path += [folder for folder in folders if folder not in sys.path]


def pip_command(wanted: str) -> str:
    """Return the command that installs packages of an index where this program finds them."""
    if installed_by() == "hand":
        return f"pip install {wanted}"
    return f"{FETCH} --dest {WHEELS} {wanted} && {add_command()}"


def build_command(folder: Path) -> str:
    """Return the command that installs the package in a folder of one's own."""
    if installed_by() == "hand":
        return f"pip install --no-deps --no-build-isolation --editable {shlex.quote(str(folder))}"
    built = f"{folder.name.replace('-', '_')}-*.whl"
    source = shlex.quote(f"./{folder}" if not folder.is_absolute() else str(folder))
    return f"{BUILD} --wheel-dir {WHEELS} {source} && {add_command(built)}"


def add_command(files: str = "*.whl") -> str:
    """Return the command that adds these wheels."""
    return f"sudo companion install {WHEELS}/{files}"


def apply_config_command() -> str:
    """Return the command after which the service runs with a config that has changed."""
    return RESTART if installed_by() == "apt" else INSTALLER
