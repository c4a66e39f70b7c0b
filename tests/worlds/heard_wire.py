"""A line to a table on which everything is heard, as by a guest on the Wi-Fi: a proxy that keeps
each request."""

import socket
import threading
from contextlib import suppress


class HeardWire:
    """Passes bytes on to a port of this machine, and keeps what was sent there, by connection."""

    def __init__(self) -> None:
        self.port, self._to_table = 0, list[bytearray]()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def requests(self) -> list[bytes]:
        """What was sent to the table, request by request."""
        return [b"POST " + part for heard in self._to_table for part in heard.split(b"POST ")[1:]]

    def send_again(self, request: bytes) -> bytes:
        """Send what was heard once more; return the beginning of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
            line.sendall(request)
            return line.recv(65_536)

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                heard = bytearray()
                self._to_table.append(heard)
                threading.Thread(target=self._connect, args=(near, heard), daemon=True).start()

    def _connect(self, near: socket.socket, heard: bytearray) -> None:
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self.port)) as far:
            back = threading.Thread(target=_pass_on, args=(far, near, None), daemon=True)
            back.start()
            _pass_on(near, far, heard)
            back.join()


def _pass_on(near: socket.socket, far: socket.socket, heard: bytearray | None) -> None:
    with suppress(OSError):
        while chunk := near.recv(65_536):
            if heard is not None:
                heard += chunk
            far.sendall(chunk)
    for line in (near, far):
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
