"""The sockets that a server listens at, and how much its clients may send, and how slowly.

Laws: a client that vanished silently is given up by the kernel after twenty seconds, and a slow one
is queued no more than a little. A port that is taken gives way to the next one; an address that is
none is refused with what to write instead.
"""

import errno
import os
import re
import socket
from collections.abc import Sequence

from companion.core.errors import Malformed
from companion.core.i18n import N_

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
PORTS_TRIED = 50
BACKLOG = 1024
"""Connections that the kernel keeps until they are accepted: beyond it a phone waits a second."""
IDLE_TIMEOUT = 30.0
"""Seconds for the head of a request to arrive."""
MAX_HEADER_SIZE, MAX_JSON_SIZE = 16 * 1024, 16 * 1024
"""Bytes of the head of a request, and of a body that is no file."""
HOST_AND_PORT = re.compile(r"(?:https?://)?(?P<host>[^:/\[\]]+):(?P<port>\d{1,5})/?")
SOCKET_OPTIONS = {"TCP_USER_TIMEOUT": 20_000, "TCP_NOTSENT_LOWAT": 16 * 1024}
"""Milliseconds after which a vanished client is given up, and bytes that the kernel queues for a
slow one. Connections inherit both; not every system has them."""


def open_sockets(port: int, address: str = HERE) -> Sequence[socket.socket]:
    """Open sockets at this port, or at the next one that is free; Malformed if none can be had."""
    try:
        return bind_sockets(port, address)
    except OSError as error:
        if (error.errno or 0) < 0:  # Of getaddrinfo, as create_server passes it on.
            raise _explain_address(address) from None
        text = N_("No port can be had at {field}: {reason}.")
        raise Malformed(address, text, reason=os.strerror(error.errno or 0)) from None


def _explain_address(address: str) -> Malformed:
    """Suggest the right spelling of something that is no address; often a port stands behind it."""
    both = HOST_AND_PORT.fullmatch(address)
    if both is None:
        return Malformed(
            address,
            N_("{field} is no address here; write 127.0.0.1, or 0.0.0.0 to let phones in."),
        )
    text = N_(
        "{field} is an address with a port: write --address {name} --port {n}, "
        "or with make: ADDRESS={name} PORT={n}"
    )
    return Malformed(address, text, name=both["host"], n=both["port"])


def bind_sockets(port: int, address: str = HERE) -> Sequence[socket.socket]:
    """Return sockets that listen on this port, or on the next free one of PORTS_TRIED.

    At an address of its own in the network a table listens on this machine as well: its screen asks
    there.
    """
    for candidate in range(port, min(port + PORTS_TRIED, 65_536)):
        try:
            return _listen(candidate, address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "no free port")


def _listen(port: int, address: str) -> Sequence[socket.socket]:
    listening = [socket.create_server((address, port), backlog=BACKLOG)]
    bound, port, *_ = listening[0].getsockname()
    if bound not in (HERE, EVERYWHERE):
        try:
            listening.append(socket.create_server((HERE, port), backlog=BACKLOG))
        except OSError:
            listening[0].close()
            raise
    return [_configure_socket(each) for each in listening]


def _configure_socket(listening: socket.socket) -> socket.socket:
    listening.setblocking(False)
    for name, value in SOCKET_OPTIONS.items():
        option = getattr(socket, name, None)
        if option is not None:
            listening.setsockopt(socket.IPPROTO_TCP, option, value)
    return listening
