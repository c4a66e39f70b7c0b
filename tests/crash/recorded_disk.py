"""A companion whose disk is recorded call by call, and whose power fails before one of them.

`python -m tests.crash.recorded_disk SOCKET WORD …` is `companion WORD …`, whose disk calls wait for
whoever holds the other end of the socket.
"""

import os
import select
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from companion.cli import main
from tests.crash.torn_disk import TornDisk
from tests.worlds.failing_disk import DiskCall, answer_call, receive_call, watch_own_calls

SHARED_MEMORY = "-shm"
"""Files of SQLite that no power cut outlives."""


class RecordedDisk:
    """The disk below one folder, under one companion."""

    def __init__(self, folder: Path) -> None:
        self.torn, self._folder = TornDisk(folder), folder
        self._dies_in = -1
        """Calls until the power fails; negative: it does not."""

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Start a companion on this disk."""
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "tests.crash.recorded_disk", str(theirs.fileno()), *words]
        with theirs:
            process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, text=True
            )
        threading.Thread(target=self._record, args=(process, ours)).start()
        return process

    def die_in(self, calls: int) -> None:
        """Have the power fail before one of the next calls."""
        self._dies_in = calls

    def _record(self, process: "subprocess.Popen[str]", ours: socket.socket) -> None:
        with ours:
            [listener] = socket.recv_fds(ours, 1, 1)[1]
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while poll.poll()[0][1] & select.POLLIN:
            with suppress(OSError):  # Whoever asked has died meanwhile.
                call = receive_call(listener)
                if self._is_ours(call):
                    if self._dies_in == 0:
                        process.kill()
                        break
                    self._dies_in -= 1
                    self._take_in(call)
                answer_call(listener, call)
        process.wait()
        os.close(listener)

    def _is_ours(self, call: DiskCall) -> bool:
        return Path(call.path).is_relative_to(self._folder) and SHARED_MEMORY not in call.path

    def _take_in(self, call: DiskCall) -> None:
        """Do to the torn disk what a call is about to do to the real one."""
        name, values = self._name(call.path), call.values
        match call.name:
            case "openat":
                self.torn.create(name, bool(values[2] & os.O_TRUNC))
            case "write":
                self.torn.write(name, _position(call), call.read(values[1], values[2]))
            case "pwrite64":
                self.torn.write(name, values[3], call.read(values[1], values[2]))
            case "ftruncate":
                self.torn.write(name, values[1], b"")
            case "fsync" | "fdatasync":
                self.torn.sync(name)
            case "rename" | "renameat" | "renameat2":
                self.torn.rename(name, self._name(call.new_path))
            case "unlink" | "unlinkat":
                self.torn.remove(name)
            case other:
                assert other in ("mkdir", "mkdirat"), other

    def _name(self, path: str) -> str:
        return str(Path(path).relative_to(self._folder))


def _position(call: DiskCall) -> int:
    """Return the offset of an open file's next write."""
    told = Path(f"/proc/{call.thread}/fdinfo/{call.values[0]}").read_text("utf-8").split()
    facts = dict(zip(told[::2], told[1::2], strict=False))
    if int(facts["flags:"], 8) & os.O_APPEND:
        return Path(call.path).stat().st_size
    return int(facts["pos:"])


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as theirs:
        # A call that is asked about before anybody listens would wait for ever.
        listener = watch_own_calls()
        socket.send_fds(theirs, [b"!"], [listener])
        os.close(listener)
    sys.exit(main(sys.argv[2:]))
