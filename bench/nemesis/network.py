"""The network between browsers and companion: a proxy that freezes, cuts and delays connections.

Laws: bytes are passed on in order or not at all; a connection that one side has closed delivers
nothing more, however long it was frozen. Each is led to the companion that ran when it was opened,
and to no later one. The companion sees the address that the browser has.
"""

import socket
import struct
import threading
from collections import Counter
from contextlib import suppress
from random import Random

CALM, CUT, FREEZE, DELAY = "calm", "cut", "freeze", "delay"
WEATHERS = (CUT, FREEZE, DELAY)
PATIENCE = 0.5
"""Seconds for a connection to the companion. A kernel that dropped the first packet sends the next
one after a second, to whichever companion then listens."""
STEP = 0.05
"""Seconds between two looks at a frozen connection."""
DOWN = b"HTTP/1.1 421 Down\r\nContent-Length: 15\r\n\r\n" + b'{"code":"down"}'
"""The answer of the network where the companion does not run: this request has no effect."""
RESET = struct.pack("ii", 1, 0)


class Network:
    """A proxy on a port of its own; `weather` says what happens to its connections."""

    def __init__(self, seed: int) -> None:
        self.weather, self.harm = CALM, 0.5
        self.happened: Counter[str] = Counter()
        self._random, self._target = Random(f"network {seed}"), 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self._is_closed = False
        threading.Thread(target=self._accept_all, daemon=True).start()

    def lead_to(self, port: int) -> None:
        """Lead all connections to this port of the companion."""
        self._target = port

    def close(self) -> None:
        """Accept no more connections."""
        self._is_closed = True
        self._listener.close()

    def _accept_all(self) -> None:
        while not self._is_closed:
            with suppress(OSError):
                near, (address, _) = self._listener.accept()
                threading.Thread(target=self._serve, args=(near, address), daemon=True).start()

    def _serve(self, near: socket.socket, address: str) -> None:
        """Connect to the companion as the browser would, and pass on both ways."""
        try:
            far = socket.create_connection(
                ("127.0.0.1", self._target), timeout=PATIENCE, source_address=(address, 0)
            )
        except OSError:
            _refuse(near)
            return
        back = threading.Thread(target=self._pass_on, args=(far, near), daemon=True)
        back.start()
        self._pass_on(near, far)
        back.join()
        near.close()
        far.close()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        """Pass bytes on until one side closes, or the weather cuts the connection."""
        with suppress(OSError):
            source.settimeout(None)
            while data := source.recv(65_536):
                if not self._let_through(source, target, data):
                    _reset(source)
                    _reset(target)
                    return
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def _let_through(self, source: socket.socket, target: socket.socket, data: bytes) -> bool:
        """Pass these bytes on, late or in part if the weather is so; False: cut the connection."""
        fate = self.weather if self._random.random() < self.harm else CALM
        if fate != CALM:
            self.happened[fate] += 1
        if fate == DELAY:
            threading.Event().wait(self._random.random())
        while fate == FREEZE and self.weather == FREEZE:
            threading.Event().wait(STEP)
            if _has_left(source):
                return False
        if fate == CUT:
            target.sendall(data[: self._random.randrange(len(data) + 1)])
            return False
        target.sendall(data)
        return True


def _refuse(near: socket.socket) -> None:
    """Tell a browser that nothing of its request arrived anywhere."""
    with suppress(OSError), near:
        near.recv(65_536)
        near.sendall(DOWN)


def _has_left(line: socket.socket) -> bool:
    """Return whether the other side has closed this connection."""
    with suppress(BlockingIOError):
        try:
            return line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except OSError as error:
            return not isinstance(error, BlockingIOError)
    return False


def _reset(line: socket.socket) -> None:
    """Close a connection so that the other side is told at once."""
    with suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        line.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        line.close()
