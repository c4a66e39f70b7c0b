"""Where a program listens: open its sockets, or say which address to write instead."""

import os
import re
import socket
from collections.abc import Sequence

from companion.core.errors import Malformed
from companion.core.i18n import N_
from web.server.sockets import bind_sockets

HOST_AND_PORT = re.compile(r"(?:https?://)?(?P<host>[^:/\[\]]+):(?P<port>\d{1,5})/?")


def open_sockets(port: int, address: str = "127.0.0.1") -> Sequence[socket.socket]:
    """Open sockets at this port, or at the next one that is free."""
    try:
        return bind_sockets(port, address)
    except OSError as error:
        if (error.errno or 0) < 0:  # Of getaddrinfo, as create_server passes it on.
            raise _explain_address(address) from None
        text = N_("No port can be had at {field}: {reason}.")
        raise Malformed(address, text, reason=os.strerror(error.errno or 0)) from None


def _explain_address(address: str) -> Malformed:
    """Say what to write instead of this, which is no address; often a port stands behind it."""
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
