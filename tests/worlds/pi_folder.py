"""A folder shaped like a Pi, and a machine with stand-ins for Debian's own commands.

The steps are the real ones, and so are their files; only a command that needs a whole Debian in the
folder has a short stand-in here. What a version says of a config is asked of the real program.
"""

import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from installer import gpio
from installer.command import main
from installer.machine import InstallFailed, TargetMachine
from installer.proof import ASK, TELL, TRY
from installer.system import BUILDING, CHECKING, CONFIG, DATA, FINDING, SCREEN
from installer.trial import GUARD
from installer.version import PAPERS
from tests.worlds.paths import ROOT

CONFIG_TXT = "# For more options see the manual.\ndtparam=audio=on\n\n[cm4]\notg_mode=1"
PEOPLE = "root:x:0:0:root:/root:/bin/bash\nana:x:1000:1000::/home/ana:/bin/bash\n"
GROUPS = "root:x:0:\nspi:x:989:ana\ngpio:x:986:\n"
PACKAGES = ("dpkg", *BUILDING, *CHECKING, *FINDING, *SCREEN)
FOLDERS = (
    "etc/systemd/system/multi-user.target.wants", "etc/systemd/system/timers.target.wants",
    "opt", "usr/local/bin", "var/lib", "usr/lib/modules/6.1.21-v8+", "etc/avahi/services",
    "etc/tmpfiles.d",
)  # fmt: skip


def pi(folder: Path, model: str = "Raspberry Pi 4 Model B Rev 1.4", bits: str = "arm64") -> Path:
    """A Pi with Bookworm on which nothing of ours has ever been."""
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
    files = {
        "etc/os-release": 'PRETTY_NAME="Debian 12"\nID=debian\nVERSION_CODENAME=bookworm\n',
        "etc/passwd": PEOPLE,
        "etc/group": GROUPS,
        "proc/device-tree/model": f"{model}\0",
        "boot/firmware/config.txt": CONFIG_TXT,
        "var/lib/dpkg/status": "\n\n".join(package(name, bits) for name in PACKAGES),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def package(name: str, bits: str) -> str:
    return f"Package: {name}\nStatus: install ok installed\nArchitecture: {bits}"


def clone(folder: Path) -> Path:
    """A clone with a file in each room, the real units and scripts, and the real papers."""
    for room in ("companion", "hardware", "web"):
        (folder / room).mkdir(parents=True)
        (folder / room / "__init__.py").write_text(f'"""The room {room}."""\n')
    copy_units(folder)
    for paper in PAPERS:
        (folder / paper).parent.mkdir(parents=True, exist_ok=True)
        (folder / paper).write_bytes((ROOT / paper).read_bytes())
    return folder


def copy_units(folder: Path) -> None:
    """What systemd runs of a version, and what stands beside it."""
    (folder / "systemd").mkdir()
    for path in (ROOT / "systemd").iterdir():
        if path.is_file() and path.suffix != ".md":
            shutil.copy(path, folder / "systemd")


SYSTEMCTL = """\
#!/bin/sh
echo "$*" >>"${0%/*}/said"
"""
PIN = "The PIN of the host is 123456. It is printed only now; write it down.\n"
PROOFS = frozenset(path.read_text("utf-8") for path in (ASK, TELL, TRY))
ANSWERS: dict[str, "subprocess.CompletedProcess[str]"] = {}
"""What the real program said of a config; nobody asks it twice."""


class Workbench(TargetMachine):
    """A machine in a folder, with stand-ins for Debian's commands."""

    guard_ends: tuple[int, ...] = (0, 1)
    """The statuses with which the guard may end."""
    fails: tuple[str, str] = ("", "")
    """A command that fails, by a word in it, and what it says then."""

    def __init__(self, root: Path, live: bool = False) -> None:
        super().__init__(root)
        self.live = live
        self.asked: list[tuple[str, ...]] = []
        self.active: set[str] = set()
        self.disabled: set[str] = set()
        self.somebody = False
        self.shown = ""
        """What commands wrote to the terminal themselves."""
        self.read = 0
        """Of what time the unit is that systemd has read."""

    def is_interactive(self) -> bool:
        return self.somebody

    def run_interactively(self, *words: str) -> int:
        self.asked.append(words)
        if words[1] == "pin":
            self.shown += self._pin(words)
        else:
            assert "companion.service" not in self.active, "the doctor needs the pins"
        return 0

    def sync_disks(self) -> None:
        """Nobody pulls the plug of a folder."""

    def sleep(self, seconds: float) -> None:
        """Nobody waits for a folder."""

    def answers(self, address: str, port: int) -> bool:
        return "companion.service" in self.active and self.listens_at(address)

    def listens_at(self, address: str) -> bool:
        """Whether the pages of this config are to be had at this address."""
        fixed = re.search('^address = "(.*)"', self.read_text(CONFIG), re.MULTILINE)
        return fixed is None or fixed[1] in ("0.0.0.0", address)

    def owner_id(self, name: str) -> int:
        return 990 if (self.root / "proc/handed-over").exists() else 0

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        self.asked.append(words)
        if words[0] == "runuser":
            words = words[4:]
        word, says = self.fails
        if word and word in words:
            return subprocess.CompletedProcess(words, 1, "", says)
        if words[0] == GUARD:
            return self.run_guard(words[1])
        if words[0] in ("nmcli", "nft"):
            raise InstallFailed(f"The command {words[0]} is missing on this system.")
        if words[1:] == ("-I", "-c", "import companion"):
            return subprocess.CompletedProcess(words, 0, "", "")
        if words[1:3] == ("-IB", "-c"):
            return self._python(words)
        if words[0] == "systemctl":
            return subprocess.CompletedProcess(words, *self._systemctl(*words[1:]), "")
        stand_ins = {
            "python": self._pip, "python3": self._venv, "systemd-sysusers": self._sysusers,
            "userdel": self._userdel, "chown": self._chown, "apt-get": self._apt,
        }  # fmt: skip
        said = stand_ins[Path(words[0]).name](words)
        return subprocess.CompletedProcess(words, 0, said or "", "")

    def run_guard(self, verb: str) -> "subprocess.CompletedProcess[str]":
        """Run the guard that lies on this machine, if one does; what it has systemd do is done."""
        tools = self._lay_out_tools()
        guard = self.path_of(GUARD)
        if not guard.exists():
            return subprocess.CompletedProcess([], 127, "", "")
        done = subprocess.run(
            [str(guard), verb, str(self.root)], capture_output=True, text=True, check=False,
            env={"PATH": f"{tools}:/usr/bin:/bin"}, process_group=0,
        )  # fmt: skip
        assert done.returncode in self.guard_ends, done.stderr
        for line in (tools / "said").read_text().splitlines():
            self._systemctl(*line.split())
        return done

    def _lay_out_tools(self) -> Path:
        """The commands of this machine that the guard runs, where they are not those of any."""
        tools = self.root / "proc/tools"
        tools.mkdir(exist_ok=True)
        (tools / "systemctl").write_text(SYSTEMCTL)
        (tools / "systemctl").chmod(0o755)
        (tools / "said").write_text("")
        return tools

    def _python(self, words: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
        """The real program says what it thinks of the config; the pins are right."""
        if words[3] == gpio.ASK:
            return subprocess.CompletedProcess(words, 0, "", "")
        if words[3] in PROOFS:
            return self._prove(words)
        config, data, profile = words[4:]
        learnt = [self.read_text(f"{data}/{name}") for name in ("wiring.toml", "table.json")]
        key = "\0".join((self.read_text(config), profile, *learnt))
        if key not in ANSWERS:
            places = [str(self.path_of(config)), str(self.path_of(data)), profile]
            command = [sys.executable, *words[1:4], *places]
            ANSWERS[key] = subprocess.run(command, capture_output=True, text=True, check=False)
        return ANSWERS[key]

    def _prove(self, words: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
        """A version that has nothing in it but a name has judged nothing."""
        return subprocess.CompletedProcess(words, 0, "", "")

    def _systemctl(self, verb: str, *names: str) -> tuple[int, str]:
        unit = self.path_of("/etc/systemd/system/companion.service")
        written = unit.stat().st_mtime_ns if unit.exists() else 0
        if verb == "show":
            if "ActiveState" in names[0]:
                return 0, "ActiveState=active\nNRestarts=0\n"
            return 0, f"NeedDaemonReload={'no' if written == self.read else 'yes'}\n"
        if verb == "daemon-reload":
            self.read = written
        if verb in ("start", "restart"):
            self.active |= set(names)
        elif verb == "stop":
            self.active -= set(names)
        if verb == "is-enabled":
            return int(bool(self.disabled & set(names))), ""
        return (0 if verb != "is-active" or self.active >= set(names) else 3), ""

    def _venv(self, words: tuple[str, ...]) -> None:
        bin_ = self.path_of(words[-1]) / "bin"
        bin_.mkdir(parents=True)
        (bin_ / "python").symlink_to("/usr/bin/python3")

    def _pip(self, words: tuple[str, ...]) -> None:
        with (self.path_of(words[0]).parents[1] / "installed").open("a") as file:
            file.write(" ".join(words[4:]) + "\n")

    def _sysusers(self, words: tuple[str, ...]) -> None:
        people, groups = self.path_of("/etc/passwd"), self.path_of("/etc/group")
        for user in re.findall(r"^u (\S+)", self.read_text(words[1]), re.MULTILINE):
            if f"{user}:" not in people.read_text():
                people.write_text(f"{people.read_text()}{user}:x:990:990::/:/usr/sbin/nologin\n")
        for user, group in re.findall(r"^m (\S+) (\S+)", self.read_text(words[1]), re.MULTILINE):
            joined = re.sub(rf"^({group}:.*?),?$", rf"\1,{user}", groups.read_text(), flags=re.M)
            if not re.search(rf"^{group}:.*\b{user}\b", groups.read_text(), re.MULTILINE):
                groups.write_text(joined.replace(":,", ":"))

    def _userdel(self, words: tuple[str, ...]) -> None:
        for name in ("/etc/group", "/etc/passwd"):
            text = re.sub(rf"^{words[1]}:.*\n", "", self.read_text(name), flags=re.MULTILINE)
            text = re.sub(rf"(?<=[,:]){words[1]}$,?|,{words[1]}\b(?!-)", "", text, flags=re.M)
            self.path_of(name).write_text(text)

    def _chown(self, words: tuple[str, ...]) -> None:
        mark = self.root / "proc/handed-over"
        if words[-1] == DATA:
            mark.touch() if words[2].startswith("companion") else mark.unlink(missing_ok=True)

    def _pin(self, words: tuple[str, ...]) -> str:
        assert words[1:3] == ("pin", "--data")
        self.write_file(f"{words[3]}/identity.sqlite3", "a hash", 0o600)
        return PIN

    def _apt(self, words: tuple[str, ...]) -> None:
        status = self.path_of("/var/lib/dpkg/status")
        added = [package(word, "arm64") for word in words if word.islower() and word[0] != "-"]
        status.write_text("\n\n".join([status.read_text(), *added]))


def install(bench: TargetMachine, from_: Path, *words: str) -> int:
    """Run the installer on a bench."""
    return main(["--root", str(bench.root), *words], lambda _root: bench, from_)


def tree(root: Path) -> dict[str, str]:
    """Every file of a machine: its mode and what it says; without what the kernel shows."""
    return {
        str(path.relative_to(root)): f"{path.lstat().st_mode:o} {_says(path)}"
        for path in sorted(root.rglob("*"))
        if path.relative_to(root).parts[0] != "proc"
    }


def _says(path: Path) -> str:
    if path.is_symlink():
        return str(path.readlink())
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
