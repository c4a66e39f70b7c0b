"""The machine to install on, its files and commands; also one that lies in a folder.

Law: a file is there whole or as it was before, whenever this is killed.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path

LOG = "/opt/companion/install.log"
ANSWERED = (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE)
"""What /healthz says; a red light is an answer."""
FULL = (errno.ENOSPC, errno.EDQUOT)
DISK_FULL = (
    "The disk is full: make room, then run this again; what was installed before still runs."
)


class InstallFailed(Exception):
    """The reason why the installation stopped, in one sentence; `code` is for programs."""

    def __init__(
        self, why: str, code: str = "", cases: Sequence[str] = (), missing: Sequence[str] = ()
    ) -> None:
        super().__init__(why)
        self.code = code or ("disk_full" if why == DISK_FULL else "failed")
        self.cases, self.missing = tuple(cases), tuple(missing)


class TargetMachine:
    """The files and commands of the system under a folder; `/` is the running one."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root.resolve()
        self.live = self.root == Path("/")

    def path_of(self, name: str) -> Path:
        return self.root / name.lstrip("/")

    def read_text(self, name: str) -> str:
        """Return the text of a file, empty if there is none."""
        try:
            return self.path_of(name).read_bytes().decode("utf-8", "surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return ""

    # Files.

    def write_file(self, name: str, text: str, mode: int = 0o644) -> None:
        """Replace a file atomically; an existing one keeps its mode."""
        path = self.path_of(name)
        mode = path.stat().st_mode & 0o7777 if path.exists() else mode
        self.make_folder(path.parent)
        aside = self._temporary_path(name)
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

    def make_link(self, name: str, target: str) -> None:
        """Make a symbolic link, or replace it atomically."""
        path = self.path_of(name)
        self.make_folder(path.parent)
        aside = self._temporary_path(name)
        aside.unlink(missing_ok=True)
        aside.symlink_to(target)
        aside.replace(path)

    def make_folder(self, path: Path) -> None:
        """Make a folder and its parents, readable by all whatever the umask."""
        if not path.is_dir():
            self.make_folder(path.parent)
            path.mkdir()
            path.chmod(0o755)

    def has_traces(self, name: str) -> bool:
        """Return whether the path or its half-written copy exists."""
        return os.path.lexists(self.path_of(name)) or self.is_half_written(name)

    def is_half_written(self, name: str) -> bool:
        """Return whether an interrupted write left its temporary file."""
        return os.path.lexists(self._temporary_path(name))

    def _temporary_path(self, name: str) -> Path:
        path = self.path_of(name)
        return path.with_name(f".{path.name}.new")

    def remove(self, name: str) -> None:
        """Remove a file, a link or a whole folder, if there is anything of it."""
        path = self.path_of(name)
        self._temporary_path(name).unlink(missing_ok=True)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def remove_with_folder(self, name: str) -> None:
        """Remove a path, and its folder if that is empty then."""
        self.remove(name)
        folder = self.path_of(name).parent
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()

    def owner_id(self, name: str) -> int:
        """Return the user number of the owner of a path."""
        return self.path_of(name).stat().st_uid

    def sync_disks(self) -> None:
        """Flush everything written so far to the disk."""
        os.sync()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def answers(self, address: str, port: int) -> bool:
        """Return whether the pages at this address of this machine answer, well or not."""
        asked = HTTPConnection(address, port, timeout=5)  # It knows of no proxy.
        try:
            asked.request("GET", "/healthz")
            return asked.getresponse().status in ANSWERED
        except (OSError, HTTPException):
            return False
        finally:
            asked.close()

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
            raise InstallFailed(
                f"The command {missing.filename} is missing on this system."
            ) from None

    def is_interactive(self) -> bool:
        """Return whether a person reads and answers at a terminal."""
        return self.live and sys.stdin.isatty() and sys.stdout.isatty()

    def run_interactively(self, *words: str) -> int:
        """Run a command that uses the terminal; return its exit status."""
        return subprocess.run(words, check=False, cwd="/").returncode

    def run_checked(self, *words: str) -> str:
        """Run a command and return its output; raise InstallFailed if it fails."""
        done = self.run(*words)
        if done.returncode:
            said = done.stdout + done.stderr
            raise InstallFailed(
                DISK_FULL if "No space left" in said else self._log_failure(words, said)
            )
        return done.stdout

    def _log_failure(self, words: Sequence[str], said: str) -> str:
        with suppress(OSError):
            self.write_file(LOG, f"{' '.join(words)}\n{said}", 0o600)
        lost = any(word in said for word in ("onnection", "resolution", "resolve", "timed out"))
        why = " Is this Pi connected to the internet?" if lost else ""
        program = words[words.index("--") + 1 if words[0] == "runuser" else 0]
        return f"{Path(program).name} did not succeed.{why} What it said is in {self.path_of(LOG)}."
