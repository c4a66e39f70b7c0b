"""The companion under test: a process of its own, started, killed and started again.

Laws: it is the command that people use, at a simulated table, and the only thing that serves this
folder. Whatever it prints while it starts is read; what it logs is kept.
"""

import os
import pty
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from bench.nemesis.faulty_disk import FaultyDisk

PLAYERS = ("Ana", "Ben", "Cleo", "Dora")
START_PATIENCE = 60.0
"""Seconds for a start on a slow machine."""
PIN_PATIENCE = 0.5
"""Seconds after the address in which a PIN is printed, if one was made."""
RUN_OPTIONS = ("--sim", "--address", "127.0.0.1", "--pace", "fast")
PLAY_OPTIONS = ("--address", "127.0.0.1", "--no-browser")
ADDRESS = re.compile(r"http://127.0.0.1:(\d+)/")
PIN = re.compile(r"The PIN of the host is (\d+)")
READY, END_OF_PIN = "/\r\n", "write it down"


class StartFailed(Exception):
    """The companion did not come to its greeting; `status` is its exit status."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"exit status {status}: {said.strip()[-300:]}")
        self.status = status


class Terminal:
    """What a process prints to a terminal of its own: a PIN is shown on nothing else."""

    def __init__(self) -> None:
        self._screen, self.line = pty.openpty()
        self.said, self.is_over = "", threading.Event()
        self._changed = threading.Condition()

    def listen(self) -> None:
        """Read on until the process has ended; it has `line` by now."""
        os.close(self.line)
        threading.Thread(target=self._read_all, daemon=True).start()

    def _read_all(self) -> None:
        with suppress(OSError):  # That is how the end of a terminal shows.
            while data := os.read(self._screen, 65_536):
                with self._changed:
                    self.said += data.decode(errors="replace")
                    self._changed.notify_all()
        os.close(self._screen)
        with self._changed:
            self.is_over.set()
            self._changed.notify_all()

    def wait_for(self, text: str, seconds: float) -> bool:
        """Wait until this was printed; return False if it was not, or not in time."""
        with self._changed:
            self._changed.wait_for(lambda: text in self.said or self.is_over.is_set(), seconds)
            return text in self.said


class Daemon:
    """One companion at a time, on one folder."""

    def __init__(self, folder: Path, aside: Path, game: str, disk: FaultyDisk) -> None:
        self.folder, self._aside, self._game = folder, aside, game
        self._environ = {**os.environ, "XDG_RUNTIME_DIR": str(aside), "TMPDIR": str(aside),
                         **disk.environ}  # fmt: skip
        self._log = (aside / "companion.log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def start(self, port: int) -> str | None:
        """Start it; return the PIN if it prints one. StartFailed if it ends before its greeting."""
        terminal, is_first = Terminal(), not self.port
        # Later ones begin no game, and so free no seat.
        game = (self._game, "--players", ",".join(PLAYERS)) if is_first else ()
        self.process = self._open(
            terminal.line, "run", *game, *RUN_OPTIONS, "--port", str(port), "--log-level", "warning"
        )
        terminal.listen()
        has_greeted = terminal.wait_for(READY, START_PATIENCE)
        found = ADDRESS.search(terminal.said)
        if not has_greeted or found is None:
            self.process.kill()
            raise StartFailed(self.process.wait(), terminal.said + self.last_words())
        self.port = int(found.group(1))
        has_pin = terminal.wait_for(END_OF_PIN, START_PATIENCE if is_first else PIN_PATIENCE)
        return PIN.findall(terminal.said)[0] if has_pin else None

    def _open(self, screen: int, command: str, *words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "companion", command, *words, "--data", str(self.folder),
             "--lang", "en"],
            stdout=screen, stderr=self._log, env=self._environ,
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

    def start_second(self, command: str) -> tuple[int, str]:
        """Start another companion on the same folder; return its exit status and what it says."""
        options = RUN_OPTIONS if command == "run" else PLAY_OPTIONS
        return self._run(command, self._game, "--port", str(self.port + 1), *options)

    def make_pin(self) -> str | None:
        """Have the command line make a new PIN, as a host who lost it would."""
        _, said = self._run("pin")
        pin = PIN.search(said)
        return pin.group(1) if pin else None

    def _run(self, command: str, *words: str) -> tuple[int, str]:
        """Run a command to its end; return its exit status and what it prints."""
        terminal = Terminal()
        process = self._open(terminal.line, command, *words)
        terminal.listen()
        try:
            status = process.wait(START_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        terminal.is_over.wait(START_PATIENCE)
        return status, terminal.said

    def last_words(self) -> str:
        """Return the end of its log."""
        return (self._aside / "companion.log").read_text(errors="replace")[-2000:]
