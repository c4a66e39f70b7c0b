"""Debian packages of a release: which one is for this table, and how it is installed.

Laws: apt gets files that were compared with their checksums, needs no index for them and removes
nothing. What it unpacks is proven and tried by the package itself, as with any other version
(`systemd/installer/packaged.py`); what was agreed to is handed on to it by a variable.
"""

import platform
import re
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from companion import __version__
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.installation import PACKAGE, installed_by
from companion.update.releases import SDIST, ReleaseFiles, check_listed, is_in_release

AGREED = "COMPANION_AGREED"
"""The variable in which the script of a package finds what was agreed to."""
APT = (
    "apt-get", "--yes", "--reinstall", "--allow-downgrades", "--no-install-recommends",
    "--no-remove",
    "--option=DPkg::Lock::Timeout=120", "--option=Dpkg::Options::=--force-confold", "install",
)  # fmt: skip
DEPTH = 6
"""A release has its packages in apt/pool/SYSTEM."""
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
    return ReleaseFiles(pattern, f"{PACKAGE}_VERSION{end}", DEPTH)


def is_unpacked(runs: str = __version__) -> bool:
    """Return whether apt has unpacked another version than this one, which so waits."""
    words = ("dpkg-query", "--show", "--showformat=${Version}", PACKAGE)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.partition("+")[0] != runs


def is_installed(name: str) -> bool:
    """Return whether a Debian package is installed here."""
    words = ("dpkg-query", "--show", "--showformat=${db:Status-Status}", name)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout == "installed"


def is_package(release: Path) -> bool:
    """Return whether this file of a release is a Debian package."""
    return release.suffix == ".deb"


def list_beside(package: str, names: Iterable[str]) -> list[str]:
    """Return, of these paths, the other packages of the same release and system, such as that of
    the screen: they fit only the same version."""
    name = Path(package).name
    if not is_package(Path(name)):
        return []
    version, machine = name.removesuffix(".deb").split("_")[1:]
    others = re.compile(rf"{PACKAGE}-[a-z-]+_{re.escape(version)}_(?:all|{machine})\.deb")
    return sorted(each for each in names if is_in_release(each, others))


def install_command(
    package: Path, chosen: Sequence[str], is_here: Callable[[str], bool] = is_installed
) -> tuple[str, ...]:
    """Return the command that installs a package, and those beside it that are installed here,
    with what was agreed to (--agree, --now); Malformed if one is not as its checksum says."""
    lying = {each.name: each.absolute() for each in package.parent.iterdir()}
    beside = [lying[name] for name in list_beside(package.name, lying)]
    wanted = [each for each in beside if is_here(each.name.partition("_")[0])]
    for each in wanted:
        check_listed(each)
    told = ("DEBIAN_FRONTEND=noninteractive", f"{AGREED}={' '.join(chosen)}")
    return ("env", *told, *APT, *map(str, wanted), str(package.absolute()))
