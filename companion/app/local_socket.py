"""The socket in the file system by which commands ask the companion that runs.

Laws: there is one for each data folder, made by the companion that has it locked. That of the
service lies in /run/companion, for its group; any other in its folder, for its owner. Where none
can be made the companion runs without it, and commands read the files.
"""

import http.client
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.app import settings
from companion.core.log_lines import log_line

LOG = logging.getLogger("companion.app")
NAME = "companion.sock"
SERVICE = Path("/run/companion")
"""The folder that the unit of the service makes, which its group may enter."""
FOR_GROUP, FOR_OWNER = 0o660, 0o600
SECONDS = 20.0
"""How long an answer may take."""


def socket_path(folder: Path) -> Path:
    """Return the path of the socket of the companion with this data folder."""
    return (SERVICE if folder == settings.SYSTEM else folder) / NAME


@contextmanager
def open_local_socket(folder: Path) -> Iterator[socket.socket | None]:
    """Yield a socket that listens, and remove it afterwards; None where it cannot be had."""
    path = socket_path(folder)
    try:
        listening = _listen(path, FOR_GROUP if path.parent == SERVICE else FOR_OWNER)
    except OSError as error:
        LOG.warning(log_line("no_local_socket", reason=error.strerror or str(error)))
        yield None
        return
    with listening:
        try:
            yield listening
        finally:
            path.unlink(missing_ok=True)


def _listen(path: Path, mode: int) -> socket.socket:
    with suppress(FileNotFoundError):
        path.unlink()  # Of a companion that was killed: this one has the folder locked.
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _short(path) as short:
            listening.bind(short)
        path.chmod(mode)
        listening.listen()
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    return listening


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Yield a path of the same file that is short enough for a socket, by its open folder."""
    if not Path("/proc/self/fd").exists():
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


class _LocalConnection(http.client.HTTPConnection):
    """A connection through a socket in the file system."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=SECONDS)
        self._path = path

    def connect(self) -> None:
        """Connect; OSError if no companion listens, PermissionError if this user may not ask."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(SECONDS)
        with _short(self._path) as short:
            self.sock.connect(short)


def ask_companion(folder: Path, path: str, language: str = "en") -> tuple[int, bytes] | None:
    """Ask the companion with this data folder; return status and body, None if none runs there.

    Raise PermissionError if this user may not ask it.
    """
    asking = _LocalConnection(socket_path(folder))
    try:
        asking.request("GET", path, headers={"Accept-Language": language})
        answer = asking.getresponse()
        return answer.status, answer.read()
    except (FileNotFoundError, ConnectionError, NotADirectoryError):
        return None
    finally:
        asking.close()
