"""A relay between a table and its broker: it records every byte, and can be as bad as a network.

Law: what the relay was told to do counts for connections that are open as well.
"""

import socket
import threading
import time
from contextlib import suppress
from typing import Literal

Way = Literal["pass", "slow", "swallow", "refuse"]
"""On at once; on a little later; taken and never passed on; not even connected."""
SLOW = 0.4


class WireRelay:
    """Listens at a port of its own and passes everything to another port of this machine."""

    def __init__(self, port: int) -> None:
        self.way: Way = "pass"
        self.sent, self.received = bytearray(), bytearray()
        """What clients sent to the broker, and what came back."""
        self._target = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def lead_to(self, port: int) -> None:
        """Lead every new connection to this port."""
        self._target = port

    def cut(self) -> None:
        """Cut every connection that is open."""
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self) -> None:
        self._server.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            try:
                if self.way == "refuse":
                    raise ConnectionRefusedError
                broker = socket.create_connection(("127.0.0.1", self._target), 5)
                broker.settimeout(None)
            except OSError:
                client.close()
                continue
            self._open += (client, broker)
            for facts in ((client, broker, self.sent), (broker, client, self.received)):
                threading.Thread(target=self._pass_on, args=facts, daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, record: bytearray) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if self.way == "swallow":
                    continue
                if self.way == "slow":
                    time.sleep(SLOW)
                record += data
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
