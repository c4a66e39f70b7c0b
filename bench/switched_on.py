"""Switching on: from the start of the service to READY=1, and to the first page of the table.

The machine has no network but its own loopback. This stands in for systemd: it listens at the
socket that a service is given and starts what the unit starts, at simulated wires. Where the
network cannot be taken away, it is measured with what there is.
"""

import fcntl
import http.client
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bench.measure import Figure, python_command
from bench.starting import COMPANION, PEER, RUNS

ALONE = ("unshare", "--user", "--map-root-user", "--net")
NEW_FLAGS, UP = 0x8914, 0x1
PORT = 8000


def figures() -> Iterator[Figure]:
    """Yield the best of a few starts, each beside the bare libraries in the same run."""
    alone = subprocess.run([*ALONE, "true"], check=False, capture_output=True).returncode == 0
    if not alone:
        print("no network can be taken away here: measured with the one there is", file=sys.stderr)
    command = [*(ALONE if alone else ()), *python_command("-m", "bench.switched_on")]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for _ in range(RUNS)
    ]
    ready, page, peer = (min(each) for each in zip(*runs, strict=True))
    where = "without a network" if alone else "with this network"
    yield Figure(f"start of the service to READY=1, {where}", ready, "s", 5, False,
                 "its bare libraries", ready / peer)  # fmt: skip
    yield Figure("and to the first page of the table", page, "s", 5, False,
                 "its bare libraries", page / peer)  # fmt: skip


def measure_start() -> tuple[float, float, float]:
    """Return the seconds to READY=1, to the page, and of the peer."""
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "notify")
        words = ("run", "--sim", "--data", folder, "--address", "0.0.0.0", "--port", str(PORT))
        environ = {**os.environ, "NOTIFY_SOCKET": address}
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as systemd:
            systemd.bind(address)
            begun = time.perf_counter()
            with subprocess.Popen(
                python_command("-c", COMPANION, *words),
                env=environ,
                stdout=subprocess.PIPE,
                text=True,
            ) as service:
                while systemd.recv(4096) != b"READY=1":
                    pass
                ready = time.perf_counter() - begun
                _wait_for_page(service)
                page = time.perf_counter() - begun
                service.terminate()
    begun = time.perf_counter()
    subprocess.run(python_command("-c", PEER), check=True)
    return ready, page, time.perf_counter() - begun


def _wait_for_page(service: "subprocess.Popen[str]") -> None:
    """Wait for the page that the screen at the table shows first."""
    assert service.stdout is not None
    port = int(service.stdout.readline().rstrip("/\n").rpartition(":")[2])
    asking = http.client.HTTPConnection("127.0.0.1", port)
    asking.request("GET", "/table")
    assert asking.getresponse().status == 200
    asking.close()


def switch_on_loopback() -> None:
    """Switch the loopback on where it is off: in a network namespace of our own."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as line:
        fcntl.ioctl(line, NEW_FLAGS, struct.pack("16sH14x", b"lo", UP))


if __name__ == "__main__":
    if len(socket.if_nameindex()) == 1:
        switch_on_loopback()
    print(json.dumps(measure_start()))
