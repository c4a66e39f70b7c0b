"""A real systemd in namespaces of its own, with a folder as its /etc, /opt and /var.

It runs the unit as it is installed, sandbox and all, on a machine without any network but its own
loopback. It takes root and a systemd; outside these namespaces nothing changes.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.worlds.pi_folder import ROOT

SYSTEMD = Path("/lib/systemd/systemd")
LONG = 120.0
PEOPLE = "root:x:0:0::/:/bin/sh\ncompanion:x:990:990::/:/bin/false\n"
GROUPS = "root:x:0:\ncompanion:x:990:\nspi:x:991:\ngpio:x:992:\n"
PROGRAM = """\
#!/bin/sh
export LD_LIBRARY_PATH=/opt/companion/python/lib
export PYTHONPATH=/opt/companion/clone:/opt/companion/site
exec /opt/companion/python/bin/python3 -m companion "$@"
"""
"""This clone, where an installed one would be: the homes of people are not there for a service."""
BORROWED = {
    "opt/companion/python": sys.base_prefix,
    "opt/companion/clone": str(ROOT),
    "opt/companion/site": sysconfig.get_path("purelib"),
}
OWN = {"etc": "/etc", "opt": "/opt", "lib": "/var/lib"}
WHOLE = {"etc": "/etc", "opt": "/opt", "var/lib": "/var/lib", "usr": "/usr"}
"""What of a whole Debian is laid over this one."""
BARE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
"""Nobody's settings: a proxy above all leads out of that machine."""
INSIDE = ("--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup")
BOOT = """
set -e
mount --make-rprivate /
{mounts}
mount -t tmpfs tmpfs /run
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
mkdir /run/units
for each in sysinit basic shutdown multi-user; do echo "[Unit]" >/run/units/$each.target; done
echo "After=companion.service" >>/run/units/multi-user.target  # Lest it be forgotten how it ended.
exec env -i PATH=$PATH container=test SYSTEMD_LOG_TARGET=null SYSTEMD_GENERATOR_PATH=/nowhere \\
    SYSTEMD_UNIT_PATH=/run/units:/etc/systemd/system \\
    /lib/systemd/systemd --system --unit=multi-user.target
"""


class Machine:
    """The machine whose first process it is."""

    def __init__(self, root: Path, first: int, python: str) -> None:
        self.root, self.first, self._python = root, first, python

    def run(self, *words: str) -> str:
        """What a command prints there."""
        entered = ["nsenter", f"--target={self.first}", "--mount", "--pid", "--net", *words]
        done = subprocess.run(entered, check=False, capture_output=True, text=True, env=BARE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def page(self, path: str, port: int = 8000) -> str:
        """A page, asked for by somebody at that machine."""
        ask = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())"
        return self.run(self._python, "-I", "-c", ask, f"http://127.0.0.1:{port}{path}")

    def answers(self, path: str, port: int) -> bool:
        """Whether there is a page already."""
        with suppress(AssertionError):
            return bool(self.page(path, port))
        return False

    def knows(self, name: str, unit: str = "companion") -> str:
        """What systemd knows of a unit, by default the companion."""
        return self.run("systemctl", "show", "--value", f"--property={name}", unit).strip()

    def until(self, **wanted: str) -> None:
        """Wait until systemd knows this of the companion."""
        self.until_unit("companion", **wanted)

    def until_unit(self, unit: str, **wanted: str) -> None:
        """Wait until systemd knows this of a unit."""
        wait(
            lambda: all(re.fullmatch(says, self.knows(name, unit)) for name, says in wanted.items())
        )


def wait(done: Callable[[], bool]) -> None:
    """Wait for something that comes by itself."""
    end = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


def furnish(root: Path, unit: str) -> Mapping[str, str]:
    """The files of a machine with this unit and the companion of this clone, and what is whose."""
    units = root / "etc/systemd/system"
    programs = root / "opt/companion/current/bin"
    folders = (units, programs, root / "etc/companion", root / "lib")
    for folder in (*folders, *(root / name for name in BORROWED)):
        folder.mkdir(parents=True)
    files = {
        "etc/passwd": PEOPLE,
        "etc/group": GROUPS,
        "etc/machine-id": "0" * 31 + "1\n",
        "etc/systemd/system/companion.service": unit,
        "opt/companion/current/bin/companion": PROGRAM,
    }
    for name, text in files.items():
        (root / name).write_text(text)
    (programs / "companion").chmod(0o755)
    borrowed = {what: str(root / name) for name, what in BORROWED.items()}
    return {**borrowed, **{str(root / name): where for name, where in OWN.items()}}


def whole(root: Path) -> Mapping[str, str]:
    """What is whose on a machine that is a Debian in a folder."""
    return {str(root / name): where for name, where in WHOLE.items()}


@contextmanager
def booted(
    root: Path, mounts: Mapping[str, str], python: str = sys.executable
) -> Iterator[Machine]:
    """Such a machine, switched on; skips where none can be had."""
    if os.geteuid() != 0 or not SYSTEMD.exists() or not shutil.which("nsenter"):
        pytest.skip("root and systemd are missing")
    group = _group()
    enter = f'echo $$ > "{group}/cgroup.procs" && exec unshare --fork --mount-proc "$@"'
    over = "\n".join(f"mount --rbind '{what}' '{where}'" for what, where in mounts.items())
    command = ["sh", "-c", enter, "sh", *INSIDE, "sh", "-c", BOOT.format(mounts=over)]
    console = root.with_name(f"{root.name}.console")
    with console.open("wb") as said:
        outside = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        yield Machine(root, _first(outside, console), python)
    finally:
        for child in _children(outside.pid):
            os.kill(child, signal.SIGKILL)
        outside.wait(timeout=LONG)
        wait(lambda: "populated 0" in (group / "cgroup.events").read_text())
        for folder, _, _ in os.walk(group, topdown=False):
            Path(folder).rmdir()


def _group() -> Path:
    """A control group of its own, for the processes of that machine."""
    mounts = Path("/proc/self/mountinfo").read_text()
    mounted = re.search(r"^(?:\S+ ){4}(\S+) .*- cgroup2 ", mounts, re.MULTILINE)
    ours = re.search(r"^0::/(.*)$", Path("/proc/self/cgroup").read_text(), re.MULTILINE)
    if mounted is not None and ours is not None:
        group = Path(mounted[1]) / ours[1] / f"companion-test-{os.getpid()}"
        with suppress(OSError):
            group.mkdir()
            return group
    pytest.skip("no control group of its own can be had")


def _children(process: int) -> list[int]:
    try:
        told = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:  # It has just ended.
        return []
    return [int(number) for number in told.split()]


def _listens(first: Path) -> bool:
    """Whether it is systemd by now, which has a place for itself in /run."""
    try:
        named = (first / "comm").read_text()
    except OSError:
        return False
    return named == "systemd\n" and (first / "root/run/systemd/private").exists()


def _first(outside: "subprocess.Popen[bytes]", console: Path) -> int:
    """The number, out here, of its first process, once it listens."""
    end = time.monotonic() + LONG
    while outside.poll() is None and time.monotonic() < end:
        for child in _children(outside.pid):
            if _listens(Path(f"/proc/{child}")):
                return child
        time.sleep(0.05)
    said = console.read_text()
    if "not permitted" in said or "denied" in said:
        pytest.skip(f"no namespaces here: {said.strip()}")
    raise AssertionError(said or "systemd does not listen")
