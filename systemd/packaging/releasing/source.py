"""The source that is released: the files of a commit, its time and its version."""

from __future__ import annotations

import ast
import io
import os
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path


class ReleaseFailed(Exception):
    """The reason nothing is released, in one sentence."""


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

    def has_tag(self, tag: str) -> bool:
        """Return whether the commit bears this tag."""
        return tag in self._ask_git("tag", "--points-at", self.commit).decode().splitlines()

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


def read_version(tree: Path) -> str:
    """Return the version of the source in a folder, from the one place where it is written."""
    file = tree / "companion" / "__init__.py"
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__":
            return str(ast.literal_eval(node.value))
    raise ReleaseFailed(f"{file} has no __version__.")


def build_environment(time: int) -> dict[str, str]:
    """Return the environment of every build: the same language, zone, hashes and time."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    fixed = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}
    return {**kept, **fixed, "SOURCE_DATE_EPOCH": str(time), "PYTHONDONTWRITEBYTECODE": "1"}
