"""What the unit runs after each start: a version on trial has to answer at its port."""

import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from installer.machine import TargetMachine
from tests.worlds.paths import ROOT


def answers(port: int, home: Path, address: str = "127.0.0.1") -> bool:
    """Whether a version with this port and address has started well."""
    (home / "served").write_text(f"{port} {address}\n")
    command = [str(ROOT / "systemd/answers"), str(home)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@contextmanager
def served(says: bytes, address: str = "127.0.0.1") -> Iterator[int]:
    """A port of this address at which this is answered."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as server:

        def serve() -> None:
            while True:
                try:
                    asked, _ = server.accept()
                except OSError:
                    return
                with asked:
                    asked.recv(100)
                    asked.sendall(says)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]


BROKEN = b"HTTP/1.1 500 Internal Server Error\r\n\r\n"
RED = b"HTTP/1.1 503 Service Unavailable\r\n\r\n"
LAN = pytest.mark.parametrize("address", ["127.0.0.2", "::1"])
"""Addresses of this machine, with nothing at 127.0.0.1."""


@pytest.fixture
def closed() -> int:
    """A port at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_a_version_that_is_not_on_trial_is_not_asked(closed: int, tmp_path: Path) -> None:
    assert answers(closed, tmp_path)


def test_a_version_on_trial_has_to_answer(closed: int, tmp_path: Path) -> None:
    (tmp_path / "trial").touch()
    assert not answers(closed, tmp_path)
    with served(RED) as port:
        assert answers(port, tmp_path)
    with served(BROKEN) as port:
        assert not answers(port, tmp_path)


@LAN
def test_a_version_is_asked_at_its_fixed_address(address: str, tmp_path: Path) -> None:
    (tmp_path / "trial").touch()
    with served(RED, address) as port:
        assert answers(port, tmp_path, address)


@LAN
def test_the_installer_asks_at_the_fixed_address(address: str, closed: int) -> None:
    with served(RED, address) as port:
        assert TargetMachine().answers(address, port)
    with served(b"HTTP/1.1 400 Bad Request\r\n\r\n", address) as port:
        assert not TargetMachine().answers(address, port)
    with served(b"SSH-2.0-OpenSSH\r\n", address) as port:
        assert not TargetMachine().answers(address, port)
    assert not TargetMachine().answers("127.0.0.1", closed)


@pytest.mark.wide
def test_a_port_at_which_nothing_comes_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "trial").touch()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert not answers(silent.getsockname()[1], tmp_path)
