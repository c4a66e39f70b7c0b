"""The Debian packages, one for each system and machine, with the libraries that Debian lacks.

Laws: everything lies in a folder of its own, a virtual environment on Debian's Python, so no name
of ours collides; nothing is compiled or fetched when a package is installed. Built twice, a package
has the same bytes.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .apt_folder import write_apt_folder
from .distributions import make_distributions
from .kiosk_package import make_kiosk_package
from .package_files import (
    MAKER,
    count_size,
    write_changelog,
    write_control_files,
    write_files,
    write_package,
)
from .source import ReleaseFailed, Source, read_version
from .wheels import MACHINES, fetch_wheels, unpack_wheels

NAME = "table-companion"
HOME = f"usr/lib/{NAME}"
RECIPE = "systemd/packaging/debian"
LOCK = "systemd/packaging/locks/mdns.txt"
"""What a table needs, and a floor that finds its tables by itself."""
RUN = (
    f"{HOME}/bin/companion",
    *(
        f"{HOME}/release/systemd/{name}"
        for name in ("install", "guard", "tidy", "answers", "broker")
    ),
)
"""What can be run."""
CONFIGS = {
    "etc/companion/companion.toml": "systemd/companion.toml",
    "etc/companion/floor.env": "systemd/floor.env",
}
"""What belongs to the owner once it is there."""
COMMAND = f"""#!/{HOME}/bin/python -I
import sys

from companion.cli import main

sys.exit(main())
"""
SYSUSERS = """u companion - "Table companion" /var/lib/companion
m companion spi
m companion gpio
"""
TMPFILES = "d /var/lib/companion 0700 companion companion -\nR! /var/tmp/companion-try-*\n"
RENAMED = {"pynacl": "nacl"}
"""Libraries that Debian calls otherwise."""
CONTROL = """Package: {name}
Version: {version}
Architecture: {machine}
Maintainer: {maker}
Installed-Size: {size}
Depends: python3 (>= {python}), python3 (<< {next}), libc6 (>= 2.34), systemd, gpgv{debian}
Recommends: python3-spidev, python3-lgpio, python3-rpi-lgpio | python3-rpi.gpio,
 avahi-daemon, dnsmasq-base, nftables
Suggests: network-manager, {name}-kiosk
Section: misc
Priority: optional
Description: companion for a table of real cards
 It watches the banks of a card table with RFID readers, seals the bids on the
 players' phones and explains every pay-out. It also plays at a simulated table,
 with no readers at all.
{untested}"""
UNTESTED = """ .
 This package is untested on {machine}: its makers have no such machine and only
 checked what is in it.
"""
TESTED = "amd64"
"""The machine on which the packages are installed by our tests."""


@dataclass(frozen=True)
class System:
    """A Debian for which packages are made."""

    name: str
    release: str
    python: str
    debian: tuple[str, ...]

    @property
    def depends(self) -> str:
        """Return the Debian packages of our libraries, as the end of the field Depends."""
        return "".join(f", python3-{RENAMED.get(name, name)}" for name in self.debian)


def read_systems(tree: Path) -> list[System]:
    """Return the systems of the recipe."""
    told: dict[str, Any] = tomllib.loads((tree / RECIPE / "systems.toml").read_text("utf-8"))
    return [
        System(name, each["release"], each["python"], tuple(each["debian"]))
        for name, each in told.items()
    ]


def main(clone: Path) -> int:
    """Make the packages that are asked for, and the folder for apt; return the exit status."""
    parser = argparse.ArgumentParser(prog="systemd/packaging/deb", description=__doc__)
    add = parser.add_argument
    add("--out", type=Path, default=Path("dist"), help="where to write them (default: dist)")
    add("--system", default="", help="only for this system, such as trixie")
    add("--machine", choices=MACHINES, help="only for these machines")
    add("--key", default="", metavar="KEY", help="sign the folder for apt with this key of gpg")
    chosen = parser.parse_args()
    try:
        source = Source(clone)
        source.check_committed()
        made = make_packages(source, chosen.out, chosen.system, chosen.machine or "")
        write_apt_folder(chosen.out / "apt", made, source.time, chosen.key)
    except ReleaseFailed as why:
        print(why, file=sys.stderr)
        return 2
    for paths in made.values():
        print(*paths, sep="\n")
    return 0


def make_packages(
    source: Source, out: Path, system: str = "", machine: str = ""
) -> dict[str, list[Path]]:
    """Write the packages into a folder; return their paths for each system."""
    if not shutil.which("dpkg-deb"):
        raise ReleaseFailed("Debian packages are made on a Debian: dpkg-deb is missing.")
    out.mkdir(parents=True, exist_ok=True)
    made: dict[str, list[Path]] = {}
    with tempfile.TemporaryDirectory(prefix="companion-deb-") as scratch:
        tree = source.unpack(Path(scratch) / "tree")
        _, wheel = make_distributions(source, Path(scratch) / "dist")
        for each in read_systems(tree):
            for kind in MACHINES:
                if system in ("", each.name) and machine in ("", kind):
                    folder = Path(scratch) / f"{each.name}-{kind}"
                    package = make_package(tree, wheel, each, kind, folder, source.time, out)
                    made.setdefault(each.name, []).append(package)
            if each.name in made:
                kiosk = make_kiosk_package(
                    tree, Path(scratch) / f"{each.name}-kiosk", each.name,
                    f"{read_version(tree)}+{each.release}", source.time, out,
                )  # fmt: skip
                made[each.name].append(kiosk)
    return made


def make_package(  # noqa: PLR0913, PLR0917
    tree: Path, wheel: Path, system: System, machine: str, folder: Path, moment: int, out: Path
) -> Path:
    """Make one package, from the wheel and the libraries that Debian has not; return its path."""
    libraries = folder / "wheels"
    libraries.mkdir(parents=True)
    lock = (tree / LOCK).read_text("utf-8")
    fetch_wheels(lock, system.debian, machine, system.python, libraries)
    root = folder / "root"
    site = root / HOME / f"lib/python{system.python}/site-packages"
    unpack_wheels([wheel, *libraries.iterdir()], site)
    lay_out(tree, root, system)
    version = f"{read_version(tree)}+{system.release}"
    write_changelog(root, NAME, system.name, version, moment)
    write_control(tree, root, system, machine, version)
    return write_package(root, out / f"{NAME}_{version}_{machine}.deb", RUN, moment)


def lay_out(tree: Path, root: Path, system: System) -> None:
    """Write all files of a package but the libraries."""
    config = "home = /usr/bin\ninclude-system-site-packages = true\n"
    files = {
        f"{HOME}/pyvenv.cfg": f"{config}version = {system.python}\n",
        f"{HOME}/bin/companion": COMMAND,
        **{name: (tree / source).read_text("utf-8") for name, source in CONFIGS.items()},
        f"usr/lib/sysusers.d/{NAME}.conf": SYSUSERS,
        f"usr/lib/tmpfiles.d/{NAME}.conf": TMPFILES,
        f"usr/share/doc/{NAME}/copyright": (tree / "LICENSE").read_text("utf-8"),
    }
    write_files(root, files)
    (root / HOME / "bin/companion").chmod(0o755)
    (root / HOME / "bin/python").symlink_to("../../../bin/python3")
    (root / "usr/bin").mkdir()
    (root / "usr/bin/companion").symlink_to("/opt/companion/current/bin/companion")
    copy_installer(tree, root / HOME / "release")


def copy_installer(tree: Path, into: Path) -> None:
    """Copy what switches to a version, and back: the installer with its files."""
    for name in ("hardware/__init__.py", "hardware/gpio_package.py"):
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / name, into / name)
    ignored = shutil.ignore_patterns("packaging", "*.md", "__pycache__")
    shutil.copytree(tree / "systemd", into / "systemd", ignore=ignored)


def write_control(tree: Path, root: Path, system: System, machine: str, version: str) -> None:
    """Write what dpkg reads: the fields, the scripts, and which files belong to the owner."""
    major, minor = system.python.split(".")
    fields = {
        "name": NAME, "version": version, "machine": machine, "maker": MAKER,
        "size": count_size(root),
        "python": system.python, "next": f"{major}.{int(minor) + 1}", "debian": system.depends,
        "untested": "" if machine == TESTED else UNTESTED.format(machine=machine),
    }  # fmt: skip
    write_control_files(root, CONTROL.format(**fields), tree / RECIPE, tuple(CONFIGS))
