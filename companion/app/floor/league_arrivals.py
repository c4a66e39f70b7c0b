"""Fetch the games that were played for the league from the tables of a floor, and count them.

Laws: a table is asked only while no game is under way there and a sheet is open, and only as a
paired floor: to no one else does it tell a record. A record counts once it came twice, a look
apart, byte for byte: by then the phones have signed, and the table has put right what it wanted
to. What does not count is noted for the page of the league with its table and the reason, until
that table plays again. Nothing that a table sends is believed: the record proves itself.
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

import msgspec

from companion.core.errors import ExplainedError
from companion.core.i18n import Message
from companion.core.log_lines import log_line
from companion.floor.arrival_note import ArrivalNote
from companion.floor.paired_tables import Acted
from companion.floor.tiles import FloorTiles, Tile
from companion.league.acts import add_record
from companion.league.arrival import Refused
from companion.league.store import LeagueStore
from web.floor.league.server import LeagueDesk

LOOKED = 30.0
"""Seconds between two looks."""
RESTS = 9
"""Looks for which a table is left alone that has nothing new: it writes a counter each time."""
LOG = logging.getLogger("companion.floor")
NOTED = ("not_paired", "unknown_floor", "too_large")
"""The codes of answers that are no game, and that an organiser can do something about."""


class LastRecord(msgspec.Struct, frozen=True):
    """The record that a table sent last: its hash, and whether the league was given it."""

    hash: str
    is_tried: bool = False


class LeagueCollector:
    """Asks the tables of a floor in a task of the event loop."""

    def __init__(
        self,
        desk: LeagueDesk,
        tiles: FloorTiles,
        fetch_record: Callable[[str], Awaitable[Acted]],
        looked: float = LOOKED,
    ) -> None:
        self._desk, self._tiles, self._looked = desk, tiles, looked
        self._fetch_record = fetch_record
        self._last: dict[str, LastRecord] = {}
        self._rests: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_looking())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(self._looked)
            with suppress(ExplainedError):
                await self.ask_tables()

    async def ask_tables(self) -> None:
        """Ask every table that may have a game for an open sheet; ExplainedError where the league
        cannot be read or written."""
        is_open = self._desk.is_founded and await self._desk.use_store(_has_open_sheet)
        due = [tile for tile in self._tiles.list_tiles() if is_open and _may_have_game(tile)]
        self._forget_others([tile.table for tile in due])
        await asyncio.gather(
            *(self._try_table(tile) for tile in due if not self._take_rest(tile.table))
        )

    def _forget_others(self, tables: Sequence[str]) -> None:
        """Forget what was noted of tables that play again, or have left."""
        for table in {*self._desk.notes, *self._rests} - {*tables}:
            self._desk.notes.pop(table, None)
            self._rests.pop(table, None)

    def _take_rest(self, table: str) -> bool:
        """Count a look at a table; return whether it is left alone at this one."""
        left = self._rests.get(table, 0)
        self._rests[table] = max(0, left - 1)
        return left > 0

    async def _try_table(self, tile: Tile) -> None:
        """Ask a table; what was not foreseen there holds up no other. It is left alone then."""
        try:
            await self._ask_table(tile)
        except ExplainedError:
            raise
        except Exception:
            LOG.exception(log_line("league_ask_failed", table=tile.table))
            self._rests[tile.table] = RESTS

    async def _ask_table(self, tile: Tile) -> None:
        found = await self._fetch_record(tile.table)
        if found.failed is None:
            await self._take_record(tile, found.body)
        elif found.code != "unreached":
            self._keep_note(tile, found.failed if found.code in NOTED else None)
            self._rests[tile.table] = RESTS

    async def _take_record(self, tile: Tile, record: bytes) -> None:
        """Count a record that came a second time; one that was tried is not tried again."""
        hash, before = hashlib.sha256(record).hexdigest(), self._last.get(tile.table)
        if before is None or before.hash != hash:
            self._last[tile.table] = LastRecord(hash)
            return
        if not before.is_tried:
            found = await self._desk.use_store(partial(add_record, data=record))
            self._last[tile.table] = LastRecord(hash, is_tried=True)
            why = found.say if isinstance(found, Refused) and found.code != "doubled" else None
            self._keep_note(tile, why)
        self._rests[tile.table] = RESTS

    def _keep_note(self, tile: Tile, why: Message | None) -> None:
        """Note why the game of a table did not count; None if there is no reason to."""
        if why is None:
            self._desk.notes.pop(tile.table, None)
        else:
            note = ArrivalNote(tile.state.name, tile.state.game, why)
            self._desk.notes[tile.table] = note


def _has_open_sheet(store: LeagueStore) -> bool:
    return bool(store.read_league().open_sheets)


def _may_have_game(tile: Tile) -> bool:
    state = tile.state
    return bool(tile.is_online and state.address and state.game and not state.is_playing)
