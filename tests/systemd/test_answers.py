"""What the unit runs after each start: a version on trial has to answer at its port."""

import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.worlds.paths import ROOT


def answers(port: int, home: Path) -> bool:
    """Whether a version with this port has started well."""
    command = [str(ROOT / "systemd/answers"), str(port), str(home)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@contextmanager
def served(says: bytes) -> Iterator[int]:
    """A port at which this is answered."""
    with socket.create_server(("127.0.0.1", 0)) as server:

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
    with served(b"HTTP/1.1 503 Service Unavailable\r\n\r\n") as port:
        assert answers(port, tmp_path)


@pytest.mark.wide
def test_a_port_at_which_nothing_comes_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "trial").touch()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert not answers(silent.getsockname()[1], tmp_path)
