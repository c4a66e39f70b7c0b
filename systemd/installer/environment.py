"""Create the virtual environment that `make` works in, and install the companion into it.

Laws: this runs before anything is installed, so it needs nothing but Python. A failure is one
sentence; the output of pip stays in a log file, because it may name servers and credentials.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

DRIVER = "hardware/vendor/mfrc522-0.0.7-py3-none-any.whl"
"""The reader package drives the simulated readers too. What it wants builds on a Pi only: there
the installer brings it, here the simulator stands in."""
LOCKS = Path("systemd/packaging/locks")
"""The lists of libraries with the hashes of their files; `make locks` writes them."""
NETWORK_ERRORS = (
    "onnection",
    "resolution",
    "timed out",
    "nreachable",
    "getaddrinfo",
    "No matching",
)
"""Words in pip's output when it cannot reach a server."""
WAIT = "half a minute on a fast computer and line, some minutes on a slow one or a small Pi"
NO_VENV = (
    "This Python has no venv, with which the companion is installed. "
    "On Debian, Ubuntu and the Pi it comes with: sudo apt install python3-venv"
)


class EnvironmentFailed(Exception):
    """The reason why the installation stopped, in one sentence."""


def main(folder: str, extra: str = "") -> int:
    """Install into this folder, with the packages of this extra; return the exit status."""
    begun = time.monotonic()
    print(f"Installing the companion into {folder}, once: {WAIT}.")
    try:
        EnvironmentBuilder(Path(folder), extra).build()
    except EnvironmentFailed as why:
        print(f"\n{why}", file=sys.stderr)
        return 1
    print(f"Installed in {time.monotonic() - begun:.0f} seconds.")
    return 0


class EnvironmentBuilder:
    """Build one virtual environment; each step prints a line."""

    def __init__(self, folder: Path, extra: str = "") -> None:
        self._folder, self._python, self._extra = folder, folder / "bin" / "python", extra

    def build(self) -> None:
        """Run the three steps in order; stop at the first that fails."""
        self.create_environment()
        lock = LOCKS / f"{self._extra or 'play'}.txt"
        with report_step(f"2 of 3  {count_libraries(lock)} libraries, each with its hash"):
            self.install_packages("--require-hashes", "--no-deps", "--requirement", str(lock))
            self.install_packages("--no-deps", DRIVER)
        with report_step("3 of 3  the companion, with its texts in English, French and German"):
            self.install_packages("--no-deps", "--no-build-isolation", "--editable", ".")

    def create_environment(self, find: Callable[[str], object] = find_spec) -> None:
        """Create the environment with pip in it; clear one whose creation was interrupted."""
        if not (find("venv") and find("ensurepip")):
            raise EnvironmentFailed(NO_VENV)
        with report_step("1 of 3  a virtual environment"):
            if not (self._folder / "bin" / "pip").exists():
                # Never clear a folder that is no virtual environment.
                anew = ["--clear"] if (self._folder / "pyvenv.cfg").exists() else []
                self._run_command([sys.executable, "-m", "venv", *anew, str(self._folder)])

    def install_packages(self, *arguments: str) -> None:
        """Run `pip install` quietly with these arguments."""
        quietly = ("--disable-pip-version-check", "--no-input", "--quiet", "--retries", "2")
        self._run_command([str(self._python), "-m", "pip", "install", *quietly, *arguments])

    def _run_command(self, command: Sequence[str]) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        log = self._folder / "install.log"
        self._folder.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
        log.touch(0o600)  # It may name servers and credentials.
        log.write_text(done.stdout + done.stderr, "utf-8")
        is_offline = any(word in done.stderr for word in NETWORK_ERRORS)
        raise EnvironmentFailed(
            "The libraries could not be fetched: is this machine connected to the internet? "
            f"More is in {log}."
            if is_offline
            else f"This step failed; why, is in {log}."
        )


def count_libraries(lock: Path) -> int:
    """Return how many libraries a list has."""
    return sum("==" in line for line in lock.read_text("utf-8").splitlines())


@contextmanager
def report_step(step: str) -> Iterator[None]:
    """Print the step, then the seconds that it took."""
    print(f"  {step} …", end="", flush=True)
    begun = time.monotonic()
    yield
    print(f" {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
