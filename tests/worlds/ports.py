"""A port of this machine for a program of one test: no other worker's program takes it over."""

import socket


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
