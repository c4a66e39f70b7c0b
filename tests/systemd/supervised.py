"""A real systemd, the first process in namespaces of its own: a folder is its /etc, /opt and /var.

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.systemd.workbench import ROOT

SYSTEMD = Path("/lib/systemd/systemd")
LONG = 40.0
PEOPLE = "root:x:0:0::/:/bin/sh\ncompanion:x:990:990::/:/bin/false\n"
GROUPS = "root:x:0:\ncompanion:x:990:\nspi:x:991:\ngpio:x:992:\n"
KEPT = "[Unit]\nAfter=companion.service\n"
"""A unit that stands still is forgotten, and how it ended, where no other names it."""
TARGETS = ("sysinit", "basic", "shutdown", "multi-user")
PROGRAM = """\
#!/bin/sh
export LD_LIBRARY_PATH=/opt/companion/python/lib
export PYTHONPATH=/opt/companion/clone:/opt/companion/site
exec /opt/companion/python/bin/python3 -m companion "$@"
"""
"""This clone, where an installed one would be: the homes of people are not there for a service."""
BORROWED = {"python": sys.base_prefix, "clone": ROOT, "site": sysconfig.get_path("purelib")}
OWN = {"etc": "/etc", "opt": "/opt", "lib": "/var/lib"}
INSIDE = ("--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup")
BARE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
"""Nobody's settings: a proxy above all leads out of that machine."""
BOOT = """
set -e
mount --make-rprivate /
{mounts}
mount -t tmpfs tmpfs /run
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
exec env -i PATH=$PATH container=test SYSTEMD_LOG_TARGET=null SYSTEMD_GENERATOR_PATH=/nowhere \\
    SYSTEMD_UNIT_PATH=/etc/systemd/system {systemd} --system --unit=multi-user.target
"""


class Machine:
    """The machine whose first process it is."""

    def __init__(self, root: Path, first: int) -> None:
        self.root, self._first = root, first

    def run(self, *words: str) -> str:
        """What a command prints there."""
        entered = ["nsenter", f"--target={self._first}", "--mount", "--pid", "--net", *words]
        done = subprocess.run(entered, check=False, capture_output=True, text=True, env=BARE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def page(self, path: str) -> str:
        """A page, asked for by somebody at that machine."""
        ask = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())"
        return self.run(sys.executable, "-I", "-c", ask, f"http://localhost:8000{path}")

    def knows(self, name: str) -> str:
        """What systemd knows of the companion."""
        return self.run("systemctl", "show", "--value", f"--property={name}", "companion").strip()

    def until(self, **wanted: str) -> None:
        """Wait until systemd knows this."""
        wait(lambda: all(re.fullmatch(says, self.knows(name)) for name, says in wanted.items()))


def wait(done: Callable[[], bool]) -> None:
    """Wait for something that comes by itself."""
    end = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


@contextmanager
def booted(root: Path, unit: str) -> Iterator[Machine]:
    """A machine with this unit, not yet started; skips where none can be had."""
    if os.geteuid() != 0 or not SYSTEMD.exists() or not shutil.which("nsenter"):
        pytest.skip("root and systemd are missing")
    _furnish(root, unit)
    group = _group()
    enter = f'echo $$ > "{group}/cgroup.procs" && exec unshare --fork --mount-proc "$@"'
    command = ["sh", "-c", enter, "sh", *INSIDE, "sh", "-c", _boot(root)]
    with (root / "console").open("wb") as console:
        outside = subprocess.Popen(command, stdout=console, stderr=console)
    try:
        yield Machine(root, _first(outside, root / "console"))
    finally:
        for child in _children(outside.pid):
            os.kill(child, signal.SIGKILL)
        outside.wait(timeout=LONG)
        wait(lambda: "populated 0" in (group / "cgroup.events").read_text())
        for folder, _, _ in os.walk(group, topdown=False):
            Path(folder).rmdir()


def _furnish(root: Path, unit: str) -> None:
    """The files of the machine."""
    units = root / "etc/systemd/system"
    programs = root / "opt/companion/current/bin"
    for folder in (units, programs, root / "etc/companion", root / "lib"):
        folder.mkdir(parents=True)
    for name in BORROWED:
        (root / "opt/companion" / name).mkdir()
    for name in TARGETS:
        (units / f"{name}.target").write_text("[Unit]\n")
    (units / "multi-user.target").write_text(KEPT)
    (units / "companion.service").write_text(unit)
    (root / "etc/passwd").write_text(PEOPLE)
    (root / "etc/group").write_text(GROUPS)
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")
    (root / "etc/machine-id").write_text("0" * 31 + "1\n")
    (programs / "companion").write_text(PROGRAM)
    (programs / "companion").chmod(0o755)


def _boot(root: Path) -> str:
    pairs = [(str(what), root / "opt/companion" / name) for name, what in BORROWED.items()]
    pairs += [(str(root / name), Path(where)) for name, where in OWN.items()]
    mounts = "\n".join(f"mount --rbind '{what}' '{where}'" for what, where in pairs)
    return BOOT.format(mounts=mounts, systemd=SYSTEMD)


def _group() -> Path:
    """A control group of its own, for the processes of that machine."""
    mounts = Path("/proc/self/mountinfo").read_text()
    mounted = re.search(r"^(?:\S+ ){4}(\S+) .*- cgroup2 ", mounts, re.MULTILINE)
    ours = re.search(r"^0::/(.*)$", Path("/proc/self/cgroup").read_text(), re.MULTILINE)
    if mounted is None or ours is None:
        pytest.skip("there are no control groups of the second kind")
    group = Path(mounted[1]) / ours[1] / f"companion-test-{os.getpid()}"
    group.mkdir()
    return group


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
