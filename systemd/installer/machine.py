"""The machine on which it is installed: its files and commands; also one that lies in a folder.

Law: a file is there whole or as it was before, whenever this is killed.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

LOG = "/opt/companion/install.log"
FULL = (errno.ENOSPC, errno.EDQUOT)
DISK_FULL = (
    "The disk is full: make room, then run this again; what was installed before still runs."
)


class Failed(Exception):
    """Why it goes no further, in one sentence."""


class Machine:
    """A machine under a folder; `/` is the one we run on."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root.resolve()
        self.live = self.root == Path("/")

    def path(self, name: str) -> Path:
        """Where a file of that machine is."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str:
        """What a file says; nothing if there is none."""
        try:
            return self.path(name).read_bytes().decode("utf-8", "surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return ""

    # Files.

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        """Write a file, all of it or none; one that is there keeps its mode."""
        path = self.path(name)
        mode = path.stat().st_mode & 0o7777 if path.exists() else mode
        self.folder(path.parent)
        aside = self._aside(name)
        try:
            with open(aside, "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(file.fileno())
        except OSError:  # A full disk is not to be fuller for it.
            aside.unlink(missing_ok=True)
            raise
        with suppress(PermissionError):  # The boot partition knows no modes.
            aside.chmod(mode)
        aside.replace(path)

    def link(self, name: str, target: str) -> None:
        """Make a link, or have it point elsewhere from one moment to the next."""
        path = self.path(name)
        self.folder(path.parent)
        aside = self._aside(name)
        aside.unlink(missing_ok=True)
        aside.symlink_to(target)
        aside.replace(path)

    def folder(self, path: Path) -> None:
        """Make a folder that everybody may read, whatever the caller's umask."""
        if not path.is_dir():
            self.folder(path.parent)
            path.mkdir()
            path.chmod(0o755)

    def traces(self, name: str) -> bool:
        """Whether there is anything of it, be it only on its way there."""
        return os.path.lexists(self.path(name)) or self.on_its_way(name)

    def on_its_way(self, name: str) -> bool:
        """Whether somebody was killed while it was written."""
        return os.path.lexists(self._aside(name))

    def _aside(self, name: str) -> Path:
        path = self.path(name)
        return path.with_name(f".{path.name}.new")

    def remove(self, name: str) -> None:
        """Remove a file, a link or a whole folder, if there is anything of it."""
        path = self.path(name)
        self._aside(name).unlink(missing_ok=True)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def forget(self, name: str) -> None:
        """Remove something, and its folder if nothing else is there."""
        self.remove(name)
        folder = self.path(name).parent
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()

    def owner(self, name: str) -> int:
        """The number of the user to whom something belongs."""
        return self.path(name).stat().st_uid

    def settle(self) -> None:
        """Everything written so far outlives a pulled plug."""
        os.sync()

    # Commands.

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command on that machine."""
        environ = {
            **os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_CACHE_DIR": "1",
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        }  # fmt: skip
        inside: Sequence[str] = () if self.live else ("chroot", str(self.root))
        try:
            return subprocess.run(
                [*inside, *words], capture_output=True, text=True, check=False,
                cwd="/", env=environ, errors="replace",
            )  # fmt: skip
        except FileNotFoundError as missing:
            raise Failed(f"The command {missing.filename} is missing on this system.") from None

    def person(self) -> bool:
        """Whether somebody is at the terminal, who can answer."""
        return self.live and sys.stdin.isatty()

    def talk(self, *words: str) -> None:
        """Run a command that talks with whoever is at the terminal."""
        subprocess.run(words, check=False, cwd="/")

    def must(self, *words: str) -> str:
        """Run a command that has to succeed; what it printed."""
        done = self.run(*words)
        if done.returncode:
            said = done.stdout + done.stderr
            raise Failed(DISK_FULL if "No space left" in said else self._logged(words, said))
        return done.stdout

    def _logged(self, words: Sequence[str], said: str) -> str:
        with suppress(OSError):
            self.write(LOG, f"{' '.join(words)}\n{said}", 0o600)
        lost = any(word in said for word in ("onnection", "resolution", "resolve", "timed out"))
        why = " Is this Pi connected to the internet?" if lost else ""
        return f"{Path(words[0]).name} did not succeed.{why} What it said is in {self.path(LOG)}."
