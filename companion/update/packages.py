"""Debian packages of a release: which one is for this table, and how it is installed.

Laws: apt gets one file, which was compared with its checksum, and needs no index for it. What it
unpacks is proven and tried by the package itself, as with any other version
(`systemd/installer/packaged.py`); what was agreed to is handed on to it by a variable.
"""

import platform
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from companion import __version__
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.installation import PACKAGE, installed_by
from companion.update.releases import SDIST, ReleaseFiles

AGREED = "COMPANION_AGREED"
"""The variable in which the script of a package finds what was agreed to."""
APT = (
    "apt-get", "--yes", "--reinstall", "--allow-downgrades", "--no-install-recommends",
    "--option=DPkg::Lock::Timeout=120", "--option=Dpkg::Options::=--force-confold", "install",
)  # fmt: skip
APT_FAILED = N_("apt has not installed the package; why, is in the log: {command}")
NO_DEBIAN = N_("{field} does not say which Debian this is.")


def find_system() -> tuple[str, str]:
    """Return which Debian this is, such as 12, and for which machines its packages are."""
    debian = platform.freedesktop_os_release().get("VERSION_ID", "")
    words = ("dpkg", "--print-architecture")
    machine = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return debian, machine


def choose_files(find: Callable[[], tuple[str, str]] = find_system) -> ReleaseFiles:
    """Return how the file of a release is called that a table as this one installs: its sdist, or
    the Debian package for this system; Malformed if that is not known."""
    if installed_by() != "apt":
        return SDIST
    debian, machine = find()
    if not debian.isdecimal():
        raise Malformed("/etc/os-release", NO_DEBIAN)
    return package_files(debian, machine)


def package_files(debian: str, machine: str) -> ReleaseFiles:
    """Return how Debian packages for a system are called."""
    end = f"+deb{debian}_{machine}.deb"
    pattern = re.compile(rf"{PACKAGE}_(\d+(?:\.\d+)*){re.escape(end)}")
    return ReleaseFiles(pattern, f"{PACKAGE}_VERSION{end}")


def is_unpacked(runs: str = __version__) -> bool:
    """Return whether apt has unpacked another version than this one, which so waits."""
    words = ("dpkg-query", "--show", "--showformat=${Version}", PACKAGE)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.partition("+")[0] != runs


def is_package(release: Path) -> bool:
    """Return whether this file of a release is a Debian package."""
    return release.suffix == ".deb"


def install_command(package: Path, chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the command that installs a package, with what was agreed to (--agree, --now)."""
    told = ("DEBIAN_FRONTEND=noninteractive", f"{AGREED}={' '.join(chosen)}")
    return ("env", *told, *APT, str(package.absolute()))
