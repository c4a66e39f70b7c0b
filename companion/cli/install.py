"""`make` installs by this: a virtual environment and all that goes into it, a step a line.

Laws: it runs before anything is there, so it needs nothing but Python. Whatever goes wrong is one
sentence; what pip had to say stays in a file, for it talks of servers and not of the table.
"""

import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

DRIVER = "mfrc522==0.0.7"
"""The reader package drives the simulated readers too. What it depends on builds on a Pi only:
there the `pi` extra brings it, here the simulator stands in."""
NETWORK = ("onnection", "resolution", "timed out", "nreachable", "getaddrinfo", "No matching")
"""Words of pip's when it reaches nobody."""
NO_VENV = (
    "This Python has no venv, with which the companion is installed. "
    "On Debian, Ubuntu and the Pi it comes with: sudo apt install python3-venv"
)


class Failed(Exception):
    """Why it cannot be installed, in one sentence."""


def main(folder: str, extra: str = "") -> int:
    """Install into this folder, with the packages of this extra besides."""
    begun = time.monotonic()
    steps = Steps(Path(folder), extra)
    wait = "a minute or two" if extra else "about half a minute"
    print(f"Installing the companion into {folder}, once: {wait}, longer on a slow line.")
    try:
        steps.all()
    except Failed as why:
        print(f"\n{why}", file=sys.stderr)
        return 1
    print(f"Installed in {time.monotonic() - begun:.0f} seconds.")
    return 0


class Steps:
    """What is done, in order."""

    def __init__(self, folder: Path, extra: str = "") -> None:
        self._folder, self._python, self._extra = folder, folder / "bin" / "python", extra

    def all(self) -> None:
        """One step after the other; the first that fails is the last."""
        self.environment()
        wanted = list(libraries(Path("pyproject.toml"), self._extra))
        with told(f"2 of 3  {len(wanted) + 1} libraries, and what they need"):
            self.pip("--constraint", "constraints.txt", *wanted)
            self.pip("--no-deps", DRIVER)
        with told("3 of 3  the companion, with its texts in English, French and German"):
            self.pip("--no-deps", "--no-build-isolation", "--editable", ".")

    def environment(self, find: Callable[[str], object] = find_spec) -> None:
        """A virtual environment with a pip in it; what somebody broke off is made anew."""
        if not (find("venv") and find("ensurepip")):
            raise Failed(NO_VENV)
        with told("1 of 3  a virtual environment"):
            if not (self._folder / "bin" / "pip").exists():
                # A folder that is something else is not ours to clear.
                anew = ["--clear"] if (self._folder / "pyvenv.cfg").exists() else []
                self._run([sys.executable, "-m", "venv", *anew, str(self._folder)])

    def pip(self, *what: str) -> None:
        """Have pip install something, and say nothing."""
        how = ("--disable-pip-version-check", "--no-input", "--quiet", "--retries", "2")
        self._run([str(self._python), "-m", "pip", "install", *how, *what])

    def _run(self, command: Sequence[str]) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        said = self._folder / "install.log"
        self._folder.mkdir(parents=True, exist_ok=True)
        said.unlink(missing_ok=True)
        said.touch(0o600)  # It names servers, perhaps with what opens them.
        said.write_text(done.stdout + done.stderr, "utf-8")
        reaches_nobody = any(word in done.stderr for word in NETWORK)
        raise Failed(
            "The libraries could not be fetched: is this machine connected to the internet? "
            f"More is in {said}."
            if reaches_nobody
            else f"This step failed; why, is in {said}."
        )


def libraries(project: Path, extra: str) -> Iterator[str]:
    """What the companion is built with and what it needs, as its own papers say."""
    papers = tomllib.loads(project.read_text("utf-8"))
    yield from papers["build-system"]["requires"]
    yield from papers["project"]["dependencies"]
    yield from papers["project"]["optional-dependencies"][extra] if extra else ()


@contextmanager
def told(step: str) -> Iterator[None]:
    """Say what is being done, and then how long it took."""
    print(f"  {step} …", end="", flush=True)
    begun = time.monotonic()
    yield
    print(f" {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
