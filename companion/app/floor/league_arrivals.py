"""Fetch the games that were played for the league from the tables of a floor, and count them.

Laws: a table is asked only while no game is under way there and a sheet is open. A record counts
once it came twice, a look apart, byte for byte: by then the phones have signed, and the table has
put right what it wanted to. What does not count is asked for again, and is named only on the page
on which an organiser brings a record by hand. Nothing that a table sends is believed: the record
proves itself.
"""

import asyncio
import hashlib
from contextlib import suppress
from functools import partial

from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from companion.core.errors import ExplainedError
from companion.floor.tiles import FloorTiles, Tile
from companion.league.acts import add_record
from companion.league.store import LeagueStore
from web.floor.league.server import LeagueDesk

LOOKED = 30.0
"""Seconds between two looks."""
TIMEOUT, AT_ONCE = 5.0, 4
MOST_BYTES = 8_000_000


class LeagueCollector:
    """Asks the tables of a floor in a task of the event loop."""

    def __init__(self, desk: LeagueDesk, tiles: FloorTiles, looked: float = LOOKED) -> None:
        self._desk, self._tiles, self._looked = desk, tiles, looked
        self._client = AsyncHTTPClient(
            force_instance=True, max_clients=AT_ONCE, max_body_size=MOST_BYTES
        )
        self._seen: dict[str, str] = {}
        """The hash of the record that a table sent last; with a mark once it was tried."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_looking())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._client.close()

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(self._looked)
            with suppress(ExplainedError):
                await self.look()

    async def look(self) -> None:
        """Ask every table that may have a game for an open sheet."""
        if not (self._desk.is_founded and await self._desk.act(_has_open_sheet)):
            return
        due = [tile for tile in self._tiles.list_tiles() if _may_have_game(tile)]
        await asyncio.gather(*(self._ask(tile) for tile in due))

    async def _ask(self, tile: Tile) -> None:
        address = f"{tile.state.address.rstrip('/')}/api/floor/league"
        with suppress(TimeoutError, OSError, HTTPClientError):
            answer = await self._client.fetch(
                address, request_timeout=TIMEOUT, connect_timeout=TIMEOUT, follow_redirects=False
            )
            await self._take(tile.table, answer.body)

    async def _take(self, table: str, record: bytes) -> None:
        """Count a record that came a second time; one that was tried is not tried again."""
        mark, before = hashlib.sha256(record).hexdigest(), self._seen.get(table, "")
        if before.startswith(mark):
            if before == mark:
                self._seen[table] = f"{mark} tried"
                await self._desk.act(partial(add_record, data=record))
            return
        self._seen[table] = mark


def _has_open_sheet(store: LeagueStore) -> bool:
    return bool(store.read().open_sheets)


def _may_have_game(tile: Tile) -> bool:
    state = tile.state
    return bool(tile.is_online and state.address and state.game and not state.is_playing)
