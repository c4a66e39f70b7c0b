"""Pull the finished games of every table over its own API, for the evening in numbers.

Laws: a table is asked where its last answer ended, so nothing is lost while it, the floor or the
network was away, and nothing counts twice. A few tables are asked at once, each at most every
EVERY seconds and soon after a game has ended; one that does not answer, or answers nonsense, holds
up no other. What a table answers is believed of itself alone, and only so much of it.
"""

import asyncio
import logging
import time
from collections.abc import Callable

import msgspec
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from companion.core.log_lines import log_line
from companion.floor.evening_figures import FIRST_HOUR
from companion.floor.evening_store import DAY, EveningStore
from companion.floor.played import PlayedEvening, ToldGame
from companion.floor.tiles import FloorTiles, Tile

EVERY = 60.0
LOOKED = 5.0
"""Seconds between two looks at which tables are due."""
AT_ONCE, TIMEOUT = 4, 5.0
MOST_BYTES = 64_000
LONGEST_TEXT, MOST_READERS = 60, 40
LONGEST_GAME, LONGEST_RUN = 24 * 3600.0, 1e10
MOST_TIMES, LAST_LINE = 10**6, 2**53
LOG = logging.getLogger("companion.floor")
_decode = msgspec.json.Decoder(PlayedEvening).decode


def day_of(now: float) -> int:
    """Return the number of the day of a café that this time belongs to, by the local clock."""
    local = now + time.localtime(now).tm_gmtoff
    return int((local - FIRST_HOUR * 3600) // DAY)


class EveningPuller:
    """Asks the tables of a floor in a task of the event loop."""

    def __init__(
        self,
        store: EveningStore,
        tiles: FloorTiles,
        wall: Callable[[], float] = time.time,
        every: float = EVERY,
    ) -> None:
        self._store, self._tiles, self._wall, self._every = store, tiles, wall, every
        self._client = AsyncHTTPClient(
            force_instance=True, max_clients=AT_ONCE, max_body_size=MOST_BYTES
        )
        self._asked: dict[str, float] = {}
        self._playing: dict[str, bool] = {}
        self._failed = set[str]()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_pulling())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._client.close()

    async def _keep_pulling(self) -> None:
        self._store.drop_old(self._wall(), day_of(self._wall()))
        while True:
            await self.pull_due_tables()
            await asyncio.sleep(LOOKED)

    async def pull_due_tables(self) -> None:
        """Ask every table that is due, a few at once."""
        due = [tile for tile in self._tiles.list_tiles() if self._is_due(tile)]
        gate = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._pull_through(gate, tile) for tile in due))

    def _is_due(self, tile: Tile) -> bool:
        """Return whether a table is there, and was not asked for long or has ended a game."""
        if not (tile.is_online and tile.state.address):
            return False
        was_playing = self._playing.get(tile.table, False)
        self._playing[tile.table] = tile.state.is_playing
        has_ended = was_playing and not tile.state.is_playing
        return has_ended or time.monotonic() - self._asked.get(tile.table, -EVERY) >= self._every

    async def _pull_through(self, gate: asyncio.Semaphore, tile: Tile) -> None:
        async with gate:
            self._asked[tile.table] = time.monotonic()
            try:
                while await self.pull(tile.table, tile.state.name, tile.state.address):
                    pass
                self._failed.discard(tile.table)
            except (TimeoutError, OSError, HTTPClientError, msgspec.DecodeError):
                return
            except Exception:  # Whatever one table makes of it, the others are asked.
                if tile.table not in self._failed:
                    self._failed.add(tile.table)
                    LOG.exception(log_line("evening_pull_failed", table=tile.table))

    async def pull(self, table: str, name: str, address: str) -> bool:
        """Ask one table once; return whether it has more to tell and it was kept."""
        line = self._store.line_of(table)
        answer = await self._client.fetch(
            f"{address.rstrip('/')}/api/floor/played/{line}",
            request_timeout=TIMEOUT, connect_timeout=TIMEOUT, follow_redirects=False,
        )  # fmt: skip
        told = check_evening(_decode(answer.body))
        now = self._wall()
        is_kept = self._store.take(table, name, told, now, day_of(now))
        return is_kept and told.has_more and self._store.line_of(table) > line


def check_evening(told: PlayedEvening) -> PlayedEvening:
    """Return of an answer only what can be a game, a reader or a time."""
    is_run = 0 <= told.uptime <= LONGEST_RUN
    return msgspec.structs.replace(
        told,
        games=tuple(game for game in told.games if _can_be_game(game, told.line)),
        line=told.line if 0 <= told.line <= LAST_LINE else 0,
        uptime=told.uptime if is_run else 0.0,
        readers=tuple(
            each
            for each in told.readers[:MOST_READERS]
            if is_run and 0 <= each.place < 100 and 0 <= each.retries < 10**9
        ),
    )


def _can_be_game(game: ToldGame, last_line: int) -> bool:
    texts = (game.id, game.title, game.game)
    return (
        all(text.isprintable() and len(text) <= LONGEST_TEXT for text in texts)
        and 0 <= game.seconds <= LONGEST_GAME
        and 0 <= game.ago <= LONGEST_RUN
        and 0 <= game.seats < 100
        and min(game.judge_called, game.put_right) >= 0
        and max(game.judge_called, game.put_right) <= MOST_TIMES
        and 0 <= game.line <= min(last_line, LAST_LINE)
    )
