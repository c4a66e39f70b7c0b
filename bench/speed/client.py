"""The client that watches from outside: a small C program.

Laws: the client is a process of its own; its share of the processor is known, and never counted as
the table's.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed

SOURCE, SLOW_SYNC = (Path(__file__).with_name(name) for name in ("viewers.c", "slow_sync.c"))
LIBRARY = ("cc", "-O2", "-shared", "-fPIC", "-o")
PAUSE_MS, TIMEOUT_MS = 25, 5_000
"""Quiet needed before the next request; longest delay of news that counts."""
NOT_MEASURED = "The speed could not be measured: {reason}"


class JobPart(NamedTuple):
    """A viewer, a stalled viewer, or a request, with its bytes; `counted`: all are to hear it."""

    kind: str
    data: bytes
    counted: bool = True


class HeardRequest(NamedTuple):
    """A request as it was heard: nanoseconds since it was sent; -1 if nothing was heard."""

    counted: bool
    status: int
    answer: int
    first: int
    last: int
    reached: int
    cpu: int
    bytes: int


class Heard(NamedTuple):
    """All requests of a job."""

    viewers: int
    compressed: bool
    requests: Sequence[HeardRequest]
    client_cpu: int

    @property
    def counted(self) -> list[HeardRequest]:
        """The requests that everyone was to hear of."""
        return [request for request in self.requests if request.counted]


class Client(NamedTuple):
    """The command of a client, whether it can inflate, and the library that slows a disk."""

    command: Sequence[str]
    inflates: bool
    slow_sync: str


def build_client(folder: Path) -> Client | None:
    """Compile the client into this folder; None if there is no compiler that can."""
    made, slow = folder / "viewers", folder / "slow_sync.so"
    for words, inflates in ((["-lz"], True), (["-DNO_ZLIB"], False)):
        command = ["cc", "-O2", "-o", str(made), str(SOURCE), *words]
        try:
            subprocess.run(command, check=True, capture_output=True)
            subprocess.run([*LIBRARY, str(slow), str(SLOW_SYNC)], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return Client([str(made)], inflates, str(slow))
    return None


def run_client(
    client: Client,
    folder: Path,
    port: int,
    server: int,
    job: Sequence[JobPart],
) -> Heard:
    """Have the client do a job at the process `server`, and return the messages it received.

    Raise Malformed with the client's own words if the job could not be done.
    """
    path = folder / "job"
    with path.open("wb") as file:
        for part in job:
            file.write(f"{part.kind} {part.counted:d} {len(part.data)}\n".encode() + part.data)
    timings = str(PAUSE_MS), str(TIMEOUT_MS)
    command = [*client.command, str(port), str(server), str(path), *timings]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Malformed("speed", NOT_MEASURED, reason=done.stderr.strip()[-300:])
    return parse_heard(done.stdout)


def parse_heard(printed: str) -> Heard:
    """Parse a client's output."""
    first, *requests, last = printed.splitlines()
    _, viewers, _bytes, compressed = first.split()
    heard = [_parse_request(line) for line in requests]
    return Heard(int(viewers), compressed == "1", heard, int(last.split()[1]))


def _parse_request(line: str) -> HeardRequest:
    counted, *figures = map(int, line.split())
    return HeardRequest(bool(counted), *figures)
