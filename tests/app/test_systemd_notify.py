"""What systemd hears: a real notify socket, and no word more than is true."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from companion.app.process import AGAIN, SystemdNotifier


class Listener:
    """The other end of the line."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        words = []
        while True:
            try:
                words.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return words


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    made = Listener(str(tmp_path / "notify"))
    yield made
    made.socket.close()


def service(tmp_path: Path, clock: list[float], **environ: str) -> SystemdNotifier:
    return SystemdNotifier(lambda: clock[0], {"NOTIFY_SOCKET": str(tmp_path / "notify"), **environ})


def test_the_loop_does_not_wait_for_a_systemd_that_reads_nothing(
    tmp_path: Path, listener: Listener
) -> None:
    """What it did not take is said again, once it does."""
    clock = [0.0]
    told = service(tmp_path, clock, WATCHDOG_USEC="3000000")
    more = 2 * int(Path("/proc/sys/net/unix/max_dgram_qlen").read_text()) + 2

    def work() -> None:
        for n in range(more):
            clock[0] = float(n)
            told.notify_watchdog(n)
        told.notify_stopping()

    loop = Thread(target=work, daemon=True)
    loop.start()
    loop.join(60)
    assert not loop.is_alive()
    queued = listener.heard()
    assert queued == ["WATCHDOG=1"] * len(queued)
    assert 0 < len(queued) < more
    clock[0] += 1.0
    told.notify_watchdog(more)
    assert listener.heard() == ["WATCHDOG=1"]


def test_the_watchdog_is_fed_three_times_as_often_as_it_asks(
    tmp_path: Path, listener: Listener
) -> None:
    clock = [0.0]
    told = service(tmp_path, clock, WATCHDOG_USEC="3000000")
    for n in range(61):
        clock[0] = n * 0.1
        told.notify_watchdog(n)
    assert listener.heard() == ["WATCHDOG=1"] * 7


def test_wires_that_nobody_visits_starve_the_watchdog(tmp_path: Path, listener: Listener) -> None:
    clock = [0.0]
    told = service(tmp_path, clock, WATCHDOG_USEC="3000000")
    for n in range(100):
        clock[0] = n * 0.1
        told.notify_watchdog(5)
    assert listener.heard() == ["WATCHDOG=1"]


def test_a_watchdog_for_somebody_else_is_not_ours(tmp_path: Path, listener: Listener) -> None:
    told = service(tmp_path, [1.0], WATCHDOG_USEC="3000000", WATCHDOG_PID=str(os.getpid() + 1))
    told.notify_watchdog(1)
    assert listener.heard() == []


def test_a_start_that_is_refused_says_why_and_rests(tmp_path: Path, listener: Listener) -> None:
    rested = list[float]()
    service(tmp_path, [0.0]).notify_refused("There is no journal.", rested.append)
    assert listener.heard() == ["STATUS=There is no journal."]
    SystemdNotifier(lambda: 0.0, {}).notify_refused("Nobody listens.", rested.append)
    assert rested == [AGAIN], "by hand one may try again at once"


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all"}])
def test_where_nobody_listens_nothing_goes_wrong(environ: dict[str, str]) -> None:
    told = SystemdNotifier(lambda: 0.0, environ)
    told.notify_ready()
    told.notify_watchdog(1)
    told.notify_stopping()


def test_an_abstract_socket_is_found(tmp_path: Path) -> None:
    name = f"companion-test-{os.getpid()}"
    there = Listener("\0" + name)
    SystemdNotifier(lambda: 0.0, {"NOTIFY_SOCKET": "@" + name}).notify_ready()
    assert there.heard() == ["READY=1"]
    there.socket.close()
