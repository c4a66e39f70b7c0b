"""The script itself on a real Debian in a folder: its users, its pip, its packages for the pins."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from installer.system import BUILDING, FINDING
from tests.systemd.workbench import ROOT, tree

SOAK = os.environ.get("EVENINGS") == "all"
ABLE = SOAK and os.geteuid() == 0 and shutil.which("debootstrap") is not None
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
pytestmark = [
    pytest.mark.skipif(not ABLE, reason="root with debootstrap and three minutes: make soak"),
    pytest.mark.timeout(1200),
]


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Bookworm, as it is on a Pi 4 that was just unpacked."""
    root = tmp_path_factory.mktemp("debian") / "root"
    wanted = ",".join((*BUILDING, *FINDING, "systemd", "ca-certificates"))
    command = ["debootstrap", "--variant=minbase", f"--include={wanted}", "bookworm", str(root)]
    subprocess.run(command, check=True, capture_output=True)
    for group in ("spi", "gpio"):
        subprocess.run(["chroot", str(root), "groupadd", "--system", group], check=True)
    for folder in ("proc/device-tree", "boot/firmware", "usr/lib/modules/6.1.21-v8+"):
        (root / folder).mkdir(parents=True)
    (root / "boot/firmware/config.txt").write_text("[cm4]\notg_mode=1\n")
    for file in (CERTIFICATES, Path("/etc/resolv.conf")):
        shutil.copy(file, root / str(file)[1:])
    subprocess.run(["chroot", str(root), "userdel", "games"], check=True)
    yield root
    shutil.rmtree(root)


def install(root: Path, *words: str, model: str = PI_4) -> str:
    """What the script says."""
    (root / "proc/device-tree/model").write_text(f"{model}\0")
    command = [sys.executable, str(ROOT / "systemd/install"), "--root", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def inside(root: Path, *words: str) -> str:
    command = ["chroot", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def packages(root: Path) -> set[str]:
    listed = inside(root, "/opt/companion/current/bin/python", "-m", "pip", "list")
    return {line.split()[0] for line in listed.splitlines()} & {"RPi.GPIO", "rpi-lgpio"}


def own(root: Path) -> dict[str, str]:
    """Everything but caches, and the copies that Debian's commands keep of the lists of users."""
    kept = ("etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "tmp", "root", "var/cache")
    return {name: says for name, says in tree(root).items() if not name.startswith(kept)}


def test_installed_twice_changed_and_taken_away(debian: Path) -> None:
    before = own(debian)
    assert "installed into a folder" in install(debian).lower()
    assert packages(debian) == {"RPi.GPIO"}
    assert inside(debian, "companion", "--version").startswith("companion ")
    assert inside(debian, "id", "-Gn", "companion").split() == ["companion", "spi", "gpio"]
    assert inside(debian, "systemctl", "is-enabled", "companion") == "enabled\n"
    first = tree(debian)
    assert "nothing was changed" in install(debian)
    assert tree(debian) == first
    install(debian, model="Raspberry Pi 5 Model B Rev 1.0")
    assert packages(debian) == {"rpi-lgpio"}
    install(debian, "--uninstall")
    assert own(debian) == before
