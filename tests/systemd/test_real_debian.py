"""The script itself on a real Debian in a folder: its users, its pip, its packages for the pins,
and what that Debian's own systemd says of the units. Both Debians, Bookworm and Trixie.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from installer.system import BUILDING, CHECKING, FINDING
from tests.worlds.pi_folder import ROOT, tree
from tests.worlds.real_systemd import booted, wait, whole

ABLE = os.geteuid() == 0 and shutil.which("debootstrap") is not None
LACKS = "needs root and debootstrap"
needs_debian = pytest.mark.skipif(not ABLE, reason=LACKS)
"""`make bars` does not begin without them: a bar that was not measured was not reached."""
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
LGPIO = "python3-lgpio"
CONTROL = f"""\
Package: {LGPIO}
Version: 0.2.2
Architecture: all
Maintainer: Nobody <nobody@example.org>
Description: stands in for a package that Raspberry Pi OS has and Debian has not
"""
NOTHING = "def __getattr__(name):\n    return 0\n"
KERNELS = {"bookworm": "6.1.21-v8+", "trixie": "6.12.25-v8+"}
PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
pytestmark = [
    pytest.mark.large,  # It takes three minutes.
    needs_debian,
    pytest.mark.timeout(1200),
]


@pytest.fixture(scope="module", params=KERNELS)
def debian(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A Debian, as it is on a Pi 4 that was just unpacked."""
    system = request.param
    root = tmp_path_factory.mktemp("debian") / "root"
    wanted = ",".join((*BUILDING, *CHECKING, *FINDING, "dbus", "systemd", "ca-certificates"))
    command = ["debootstrap", "--variant=minbase", f"--include={wanted}", system, str(root)]
    subprocess.run(command, check=True, capture_output=True)
    if system != "bookworm":
        _lgpio(root)
    for group in ("spi", "gpio"):
        subprocess.run(["chroot", str(root), "groupadd", "--system", group], check=True)
    for folder in ("proc/device-tree", "boot/firmware", f"usr/lib/modules/{KERNELS[system]}"):
        (root / folder).mkdir(parents=True)
    (root / "boot/firmware/config.txt").write_text("[cm4]\notg_mode=1\n")
    for file in (CERTIFICATES, Path("/etc/resolv.conf")):
        shutil.copy(file, root / str(file)[1:])
    subprocess.run(["chroot", str(root), "userdel", "games"], check=True)
    yield root
    shutil.rmtree(root)


def _lgpio(root: Path) -> None:
    """The one package that only Raspberry Pi OS has; a module with nothing in it stands for it."""
    package = root / "tmp/lgpio"
    module = package / "usr/lib/python3/dist-packages/lgpio.py"
    for file, text in ((package / "DEBIAN/control", CONTROL), (module, NOTHING)):
        file.parent.mkdir(parents=True)
        file.write_text(text)
    inside(root, "dpkg-deb", "--build", "/tmp/lgpio")
    inside(root, "dpkg", "--install", "/tmp/lgpio.deb")


def install(root: Path, *words: str, model: str = PI_4) -> str:
    """What the script says."""
    (root / "proc/device-tree/model").write_text(f"{model}\0")
    command = [sys.executable, str(ROOT / "systemd/install"), "--root", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def inside(root: Path, *words: str) -> str:
    command = ["chroot", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def complaints(root: Path) -> list[str]:
    """What this Debian's own systemd says against our units, and nothing of its folder."""
    units = [f"/etc/systemd/system/companion{kind}" for kind in (".service", "-backup.timer")]
    command = ["chroot", str(root), "systemd-analyze", "verify", "--man=no", *units]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [line for line in done.stderr.splitlines() if "companion" in line]


def packages(root: Path) -> set[str]:
    listed = inside(root, "/opt/companion/current/bin/python", "-m", "pip", "list")
    return {line.split()[0] for line in listed.splitlines()} & {"RPi.GPIO", "rpi-lgpio"}


def release(root: Path) -> str:
    return (root / "etc/os-release").read_text()


COPIES = ("etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-")
"""What Debian's commands keep of the lists of users."""
PASSING = ("tmp", "run", "root", "var/cache")


def own(root: Path) -> dict[str, str]:
    """Everything but that."""
    found = tree(root).items()
    return {name: says for name, says in found if not name.startswith(COPIES + PASSING)}


def test_installed_twice_changed_and_taken_away(debian: Path) -> None:
    before = own(debian)
    assert "installed into a folder" in install(debian).lower()
    assert packages(debian) == {"RPi.GPIO" if "bookworm" in release(debian) else "rpi-lgpio"}
    assert inside(debian, "companion", "--version").startswith("companion ")
    assert inside(debian, "id", "-Gn", "companion").split() == ["companion", "spi", "gpio"]
    assert inside(debian, "systemctl", "is-enabled", "companion") == "enabled\n"
    assert inside(debian, "ls", "-A", "/var/lib/companion") == "", "no PIN that nobody saw"
    first = tree(debian)
    assert "nothing was changed" in install(debian)
    assert tree(debian) == first
    assert complaints(debian) == []
    install(debian, "--profile", "five-readers", model="Raspberry Pi 5 Model B Rev 1.0")
    assert packages(debian) == {"rpi-lgpio"}
    install(debian, "--uninstall")
    assert own(debian) == before


def test_switched_on_it_is_a_table(debian: Path) -> None:
    install(debian, "--profile", "phones-only", "--floor")
    with booted(debian, whole(debian), "python3") as machine:
        machine.until(ActiveState="active", StatusText="no game; 0 of 0 readers well")
        machine.until_unit("companion-floor", ActiveState="active")
        wait(lambda: machine.answers("/", 8100))
        assert "No table has been heard of yet" in machine.page("/", 8100)
        assert "<html" in machine.page("/table")
        before = machine.knows("MainPID")
        machine.run("systemctl", "kill", "--signal=KILL", "companion")
        machine.until(ActiveState="active", NRestarts="1")
        assert machine.knows("MainPID") != before
        machine.run("systemctl", "start", "companion-backup")
        assert machine.run("sh", "-c", "ls /var/lib/companion/backups").startswith("companion-")
    assert (debian / "var/lib/private/companion-floor/floor-id").is_file()
    install(debian, "--uninstall", "--purge")
    assert [name for name in tree(debian) if "companion-floor" in name] == []
