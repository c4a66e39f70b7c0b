"""A port of this machine for a program of one test: no other worker's program takes it over.

It lies below those that the kernel gives to whatever connects: such a connection, of any program,
would else take it before the program of the test listens there. It also lies below those that some
tests name themselves.
"""

import secrets
import socket
from contextlib import suppress

FIRST, LAST = 10_000, 18_000


def free_port() -> int:
    """Return a port that nothing listens on."""
    while True:
        port = FIRST + secrets.randbelow(LAST - FIRST)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
