"""The wheel of the files that are here, and an environment with it and its libraries alone."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from releasing.source import Source
from tests.worlds.paths import ROOT

LOCK = ROOT / "systemd/packaging/locks/run.txt"
PAGE = re.compile(r"http://localhost:\d+(?=/play)")
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
BARE = {name: os.environ[name] for name in os.environ if not name.startswith("PYTHON")}


def source_here() -> Source:
    """The files of this clone as they are now; those that git does not know are left out."""
    git = ["git", "-C", str(ROOT)]
    find = [*git, "rev-parse", "--path-format=absolute", "--git-path", "index"]
    index = subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as scratch:
        # A copy: git locks its index, and another worker may ask at the same moment.
        environ = {**os.environ, "GIT_INDEX_FILE": shutil.copy(index, scratch)}
        changed = subprocess.run(
            [*git, "stash", "create"], capture_output=True, text=True, check=True, env=environ
        ).stdout.strip()
    return Source(ROOT, changed or "HEAD")


class CleanEnvironment:
    """A virtual environment somewhere else, as a stranger would make it."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.home, self._bin = folder / "home", folder / "venv" / "bin"
        self.home.mkdir()
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        for words in (("--require-hashes", "--requirement", str(LOCK)), (str(wheel),)):
            self.run(str(self._bin / "python"), *PIP, *words)

    @property
    def site(self) -> Path:
        """Where its packages are."""
        (found,) = self._bin.parent.glob("lib/python*/site-packages")
        return found

    def environ(self, **more: str) -> dict[str, str]:
        return {**BARE, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home), **more}

    def run(self, *words: str) -> str:
        """Run a command outside the clone; return what it prints."""
        done = subprocess.run(
            words, cwd=self.home, env=self.environ(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def companion(self, *words: str) -> str:
        """Run a command of the companion."""
        return self.run(str(self._bin / "companion"), *words)

    @contextmanager
    def play(self, *words: str) -> Iterator[str]:
        """Play, and give the address while it goes on."""
        command = [str(self._bin / "companion"), "play", "--no-browser", "--address=127.0.0.1"]
        with subprocess.Popen(
            [*command, "--port=18870", *words], cwd=self.home, env=self.environ(LC_ALL="C.UTF-8"),
            stdout=subprocess.PIPE, text=True,
        ) as playing:  # fmt: skip
            assert playing.stdout is not None
            try:
                yield next(m[0] for m in map(PAGE.search, playing.stdout) if m)
            finally:
                playing.terminate()
                playing.communicate()


def fetch(address: str, *headers: Sequence[str]) -> str:
    """A page."""
    asked = urllib.request.Request(address, headers=dict(headers))
    with urllib.request.urlopen(asked) as page:
        return str(page.read().decode())


def says_here(*words: str) -> str:
    """What the same command prints in this clone."""
    command = [sys.executable, "-m", "companion", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
