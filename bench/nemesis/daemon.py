"""The companion under test: a process of its own, started, killed and started again.

Laws: it is the command that people use, at a simulated table, and the only thing that serves this
folder. Whatever it prints while it starts is read; what it logs is kept.
"""

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

from bench.nemesis.faulty_disk import FaultyDisk

SEATS = 4
START_PATIENCE = 60.0
"""Seconds for a start on a slow machine."""
ADDRESS = re.compile(r"http://localhost:(\d+)/table")
PIN = re.compile(r"The PIN of the host is (\d+)")
END_OF_GREETING = "Ctrl-C ends"


class StartFailed(Exception):
    """The companion did not come to its greeting; `status` is its exit status."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"exit status {status}: {said.strip()[-300:]}")
        self.status = status


class Daemon:
    """One companion at a time, on one folder."""

    def __init__(self, folder: Path, aside: Path, game: str, seed: int, disk: FaultyDisk) -> None:
        self.folder, self._aside, self._game, self._seed = folder, aside, game, seed
        self._environ = {**os.environ, "XDG_RUNTIME_DIR": str(aside), "TMPDIR": str(aside),
                         **disk.environ}  # fmt: skip
        self._log = (aside / "companion.log").open("ab")
        self.process: subprocess.Popen[str] | None = None
        self.port, self.starts = 0, 0

    def start(self, port: int) -> str | None:
        """Start it; return the PIN if it prints one. StartFailed if it ends before its greeting."""
        self.starts += 1
        self.process = self._open("play", self._game, "--port", str(port), *self._play_options())
        said, ended = "", threading.Timer(START_PATIENCE, self.process.kill)
        ended.start()
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said += line
            if END_OF_GREETING in line:
                break
        ended.cancel()
        found = ADDRESS.search(said)
        if END_OF_GREETING not in said or found is None:
            raise StartFailed(self.process.wait(), said + self.last_words())
        self.port = int(found.group(1))
        pin = PIN.search(said)
        return pin.group(1) if pin else None

    def _play_options(self) -> tuple[str, ...]:
        return ("--seats", str(SEATS), "--seed", str(self._seed), "--pace", "fast",
                "--no-browser", "--log-level", "warning")  # fmt: skip

    def _open(self, command: str, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "companion", command, *words, "--data", str(self.folder),
             "--address", "127.0.0.1", "--lang", "en"],
            stdout=subprocess.PIPE, stderr=self._log, text=True, env=self._environ,
        )  # fmt: skip

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self) -> int:
        """Kill it where it is, and return its exit status."""
        return self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it in peace, and return its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, sign: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(sign)
        try:
            return self.process.wait(START_PATIENCE)
        finally:
            self.process.kill()
            assert self.process.stdout is not None
            self.process.stdout.close()

    def start_second(self, command: str) -> tuple[int, str]:
        """Start another companion on the same folder; return its exit status and what it says."""
        options = ("--sim",) if command == "run" else ()
        second = self._open(command, self._game, "--port", str(self.port + 1), *options)
        try:
            said, _ = second.communicate(timeout=START_PATIENCE)
        except subprocess.TimeoutExpired:
            second.kill()
            said, _ = second.communicate()
        return second.returncode, said

    def make_pin(self) -> str | None:
        """Have the command line make a new PIN, as a host who lost it would."""
        made = subprocess.run(
            [sys.executable, "-m", "companion", "pin", "--data", str(self.folder)],
            capture_output=True, text=True, check=False, env=self._environ,
        )  # fmt: skip
        pin = PIN.search(made.stdout)
        return pin.group(1) if pin else None

    def last_words(self) -> str:
        """Return the end of its log."""
        return (self._aside / "companion.log").read_text(errors="replace")[-2000:]
