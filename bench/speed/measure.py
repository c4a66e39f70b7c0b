"""One measurement: a table in one process, its viewers in another, and the messages they received.

The viewers are those of a full house: the phone of each seat (of half of them in a small round),
and table screens in three languages; some of the screens may be stalled.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.speed.client import NOT_MEASURED, Client, Heard, JobPart, run_client
from bench.speed.played_game import PhoneKey, PlayedGame, write_head, write_request
from bench.speed.served_table import SCREEN_LANGUAGES, Order
from companion.core.errors import Malformed
from companion.core.events import to_json

DISK_FOLDERS = (Path("/var/tmp"), Path(tempfile.gettempdir()))
"""Folders for the journals: /tmp may be memory, on which nothing has to be synced."""


class Audience(NamedTuple):
    """Numbers of viewers and of stalled ones, and the milliseconds that each sync of the disk lasts
    longer, as on a memory card."""

    viewers: int
    stalled: int = 0
    sync_ms: int = 0

    def __str__(self) -> str:
        stalled = f", {self.stalled} stalled" if self.stalled else ""
        return f"{self.viewers}{stalled}" + (f", {self.sync_ms} ms a sync" if self.sync_ms else "")


class ServedTable(NamedTuple):
    """A served table: its port, its process, the number of its start, and a cookie for each phone
    and language."""

    port: int
    process: int
    start: str
    cookies: Sequence[str]


@contextmanager
def serve_table(
    command: Sequence[str], order: Order, environ: Mapping[str, str]
) -> Iterator[ServedTable]:
    """Serve a table as a process of its own, until the block ends; raise Malformed if it fails."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(order).decode() + "\n")
        process.stdin.flush()
        try:
            said = process.stdout.readline()
            if not said:
                raise Malformed("speed", NOT_MEASURED, reason="the table could not be served")
            port, start, cookies = json.loads(said)
            yield ServedTable(port, process.pid, start, cookies)
        finally:
            process.terminate()


def measure_table(
    who: str, client: Client, game: PlayedGame, audience: Audience, size: int = 0
) -> Heard:
    """Play a game at a table of its own; `who` is served_table's `ours` or `bare`."""
    command = [sys.executable, "-m", "bench.speed.served_table", who]
    at = next(folder for folder in DISK_FOLDERS if folder.is_dir())
    with tempfile.TemporaryDirectory(dir=at) as folder:
        keys = [PhoneKey() for _ in range(game.seats)]
        start = json.loads(to_json(game.start))
        order = Order(folder, game.game, start, [key.public_key for key in keys], size)
        slowed = {"LD_PRELOAD": client.slow_sync, "SYNC_MS": f"{audience.sync_ms}"}
        with serve_table(command, order, slowed if audience.sync_ms else {}) as table:
            for key in keys:
                key.start = table.start
            accepted = "gzip, deflate" if client.inflates else "identity"
            viewers = _viewer_parts(game, audience, table, accepted)
            job = [*viewers, *_request_parts(game, table, keys)]
            return run_client(client, Path(folder), table.port, table.process, job)


def _viewer_parts(
    game: PlayedGame, audience: Audience, table: ServedTable, encodings: str
) -> Iterator[JobPart]:
    """Yield the phones first, then the screens; the stalled ones are screens, and come last."""
    phones = min(game.seats, audience.viewers // 2)
    accepted = {"Accept": "text/event-stream", "Accept-Encoding": encodings}
    for n in range(audience.viewers):
        path = f"/stream/phone/{n + 1}" if n < phones else "/stream/table"
        cookie = table.cookies[n if n < phones else game.seats + n % len(SCREEN_LANGUAGES)]
        kind = "viewer" if n < audience.viewers - audience.stalled else "stalled"
        yield JobPart(kind, write_head("GET", path, cookie, accepted))


def _request_parts(
    game: PlayedGame, table: ServedTable, keys: Sequence[PhoneKey]
) -> Iterator[JobPart]:
    for version, asked in enumerate(game.asked, 1):
        seat = asked.seat - 1
        data = write_request(asked, version, table.cookies[seat], keys[seat])
        yield JobPart("request", data, asked.is_public)
