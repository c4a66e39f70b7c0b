"""What a service tells systemd: a notify socket that is read all the time, as systemd reads it."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

LONG = 40.0


class SystemdListener:
    """The lines that a service has sent to this socket."""

    def __init__(self, address: Path) -> None:
        self.address = str(address)
        self.said: list[str] = []
        """Every line that was waited for; after `close` every one that came."""
        self._lines: Queue[str] = Queue()
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(self.address)
        self._thread = Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while said := self._line.recv(4096):
            self._lines.put(said.decode())

    def wait_for(self, line: str) -> list[str]:
        """Wait until this is said; return what was said since the last time, with it."""
        said = [self._lines.get(timeout=LONG)]
        while said[-1] != line:
            said.append(self._lines.get(timeout=LONG))
        self.said += said
        return said

    def close(self) -> None:
        """Stop listening."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self.address)
        self._thread.join()
        self._line.close()
        while not self._lines.empty():
            self.said.append(self._lines.get())


@contextmanager
def listening(address: Path) -> Iterator[SystemdListener]:
    """Listen at this address for as long as the context lasts."""
    listener = SystemdListener(address)
    try:
        yield listener
    finally:
        listener.close()
