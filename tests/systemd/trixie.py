"""A clean Debian 13 in a folder, booted with its own systemd, without a network but its own."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NEEDS = (
    "systemd", "systemd-sysv", "libpam-systemd", "dbus", "curl", "procps", "polkitd",
    "network-manager", "nftables", "dnsmasq-base", "iproute2", "python3-flask", "python3-tornado",
    "python3-msgspec", "python3-cffi-backend", "python3-nacl", "python3-segno",
    "python3-paho-mqtt", "python3-colorzero",
)  # fmt: skip
"""What our package wants, and what the tests ask with; debootstrap finds no virtual package."""
LONG = 180.0
BARE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}
DATA = "var/lib/companion"


def make_debian(root: Path) -> None:
    """Make a Debian 13 in a folder, as on a Pi whose owner has typed nothing yet."""
    wanted = ",".join(NEEDS)
    command = ["debootstrap", "--variant=minbase", f"--include={wanted}", "trixie", str(root)]
    subprocess.run(command, check=True, capture_output=True)
    (root / "boot/firmware").mkdir(parents=True)
    (root / "boot/firmware/config.txt").write_text("[cm4]\notg_mode=1\n")


class Trixie:
    """A machine that is switched on."""

    def __init__(self, root: Path, first: int) -> None:
        self.root, self._first = root, first

    def run(self, *words: str, check: bool = True) -> str:
        """Run a command there; return its output, errors included."""
        entered = ["nsenter", f"--target={self._first}", "--all", *words]
        done = subprocess.run(
            entered, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=BARE, timeout=2 * LONG,
        )  # fmt: skip
        assert not check or done.returncode == 0, done.stdout
        return done.stdout

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        """Start a command there."""
        entered = ["nsenter", f"--target={self._first}", "--all", *words]
        return subprocess.Popen(
            entered, env=BARE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def install(self, package: Path, *before: str, check: bool = True) -> str:
        """Install a package file with apt; return what it prints."""
        shutil.copyfile(package, self.root / "opt/new.deb")
        apt = ("apt-get", "install", "--yes", "--no-install-recommends", "/opt/new.deb")
        return self.run("env", "DEBIAN_FRONTEND=noninteractive", *before, *apt, check=check)

    def is_active(self, unit: str) -> bool:
        return self.run("systemctl", "is-active", unit, check=False).strip() == "active"

    def is_on(self) -> bool:
        return Path(f"/proc/{self._first}/root/run").exists()

    def page(self, path: str) -> str:
        """Return a page in German, once it is there; empty if nothing answers."""
        ask = ("curl", "--silent", "--fail", "--header", "Accept-Language: de")
        return self.run(*ask, f"http://127.0.0.1:8000{path}", check=False)

    def exists(self, path: str) -> bool:
        return (self.root / path).exists()


def wait(done: Callable[[], object], seconds: float = LONG) -> None:
    """Wait for something that comes by itself."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.2)


@contextmanager
def booted(root: Path) -> Iterator[Trixie]:
    """Switch a machine on; pull its plug in the end."""
    console = root.with_name(f"{root.name}.console")
    command = ["systemd-nspawn", "--register=no", "--keep-unit", "--private-network"]
    command += [f"--machine=t{os.getpid()}", f"--directory={root}", "--boot"]
    with console.open("wb") as said:
        outside = subprocess.Popen(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL)
    try:
        wait(lambda: _first_process(outside.pid) or outside.poll() is not None)
        first = _first_process(outside.pid)
        assert first, console.read_text(errors="replace")
        machine = Trixie(root, first)
        wait(lambda: machine.is_active("multi-user.target"))
        yield machine
    finally:
        with suppress(ProcessLookupError):
            os.kill(_first_process(outside.pid) or outside.pid, signal.SIGKILL)
        outside.wait(timeout=LONG)


def _first_process(nspawn: int) -> int:
    """Return the number, out here, of the first process of a machine; 0 until it listens."""
    with suppress(OSError, ValueError, IndexError):
        child = Path(f"/proc/{nspawn}/task/{nspawn}/children").read_text().split()[0]
        if Path(f"/proc/{child}/root/run/systemd/private").exists():
            return int(child)
    return 0
