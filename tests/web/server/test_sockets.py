"""The sockets on which a table listens."""

import socket
from contextlib import ExitStack, closing

import pytest

from web.server.sockets import bind_sockets

PORT = 18_490
OF_ITS_OWN = "127.0.0.2"
"""It stands for an address in the network: what is bound there does not answer at 127.0.0.1."""


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("127.0.0.1", ["127.0.0.1"]),
        ("0.0.0.0", ["127.0.0.1", OF_ITS_OWN]),
        (OF_ITS_OWN, ["127.0.0.1", OF_ITS_OWN]),
    ],
)
def test_the_screen_of_the_pi_is_answered_whatever_the_address(address, asked):
    with ExitStack() as open_:
        listening = [open_.enter_context(each) for each in bind_sockets(PORT, address)]
        port = listening[0].getsockname()[1]
        for host in asked:
            open_.enter_context(closing(socket.create_connection((host, port), timeout=5)))


def test_a_port_that_another_has_here_is_left_to_it():
    with ExitStack() as open_:
        (other,) = [open_.enter_context(each) for each in bind_sockets(PORT)]
        listening = [open_.enter_context(each) for each in bind_sockets(PORT, OF_ITS_OWN)]
        ports = {each.getsockname()[1] for each in listening}
        assert len(ports) == 1
        assert other.getsockname()[1] not in ports
