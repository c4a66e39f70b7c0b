"""The source that is released: the files of a commit, its time, its version and its changes."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

UNRELEASED = "Unreleased"


class ReleaseFailed(Exception):
    """The reason why nothing is released, in one sentence."""


@dataclass(frozen=True)
class Source:
    """A commit of a clone, HEAD unless another one is named."""

    clone: Path
    commit: str = "HEAD"

    def unpack(self, into: Path) -> Path:
        """Write the files of the commit into an empty folder, and return it."""
        into.mkdir(parents=True)
        packed = self._ask_git("archive", "--format=tar", self.commit)
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(into, filter="data")
        return into

    @property
    def time(self) -> int:
        """The time of the commit, in seconds since 1970."""
        return int(self._ask_git("log", "-1", "--format=%ct", self.commit))

    def pin(self) -> Source:
        """Return the same commit by its number: HEAD may become another one while it is built."""
        return Source(self.clone, self._ask_git("rev-parse", self.commit).decode().strip())

    def check_committed(self) -> None:
        """Raise ReleaseFailed if files differ from the commit: they would not be released."""
        if (
            self.commit == "HEAD"
            and self._ask_git("status", "--porcelain", "--untracked-files=no").strip()
        ):
            raise ReleaseFailed("Some files differ from the commit: commit them, then try again.")

    def _ask_git(self, *words: str) -> bytes:
        done = subprocess.run(
            ["git", "-C", str(self.clone), *words], capture_output=True, check=False
        )
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            raise ReleaseFailed(f"git does not answer for {self.clone}: {said}")
        return done.stdout


def run_tool(*words: str) -> str:
    """Run a program of the maker's machine; return what it prints, or raise ReleaseFailed."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ReleaseFailed(f"{words[0]} is missing on this machine.") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise ReleaseFailed(f"{words[0]} failed: {last}")
    return done.stdout


def read_version(tree: Path) -> str:
    """Return the version of the source in a folder, from the one place where it is written."""
    file = tree / "companion" / "__init__.py"
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__":
            return str(ast.literal_eval(node.value))
    raise ReleaseFailed(f"{file} has no __version__.")


def read_changes(tree: Path) -> dict[str, str]:
    """Return what CHANGELOG.md says of each version, newest first."""
    text = (tree / "CHANGELOG.md").read_text("utf-8")
    parts = re.split(r"^## (\S+).*\n", text, flags=re.MULTILINE)
    return {name: told.strip() for name, told in zip(parts[1::2], parts[2::2], strict=True)}


def check_changes(tree: Path) -> None:
    """Raise ReleaseFailed unless every change belongs to a version, and the newest is this one."""
    changes, version = read_changes(tree), read_version(tree)
    if changes.get(UNRELEASED):
        raise ReleaseFailed(
            f"CHANGELOG.md has changes under {UNRELEASED}: write the new version above them, and "
            "the same one into companion/__init__.py."
        )
    newest = next((name for name in changes if name != UNRELEASED), "none")
    if newest != version:
        raise ReleaseFailed(
            f"The newest version in CHANGELOG.md is {newest}, in companion/__init__.py {version}."
        )


def build_environment(time: int) -> dict[str, str]:
    """Return the environment of every build: the same language, zone, hashes and time."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    fixed = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}
    return {**kept, **fixed, "SOURCE_DATE_EPOCH": str(time), "PYTHONDONTWRITEBYTECODE": "1"}
