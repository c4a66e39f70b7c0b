"""What a floor does at its tables: it pairs with them, acts, fetches backups, updates in turn.

Law: a pairing is offered again and again for some minutes, until the table agrees.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from companion.app.floor.fetching import (
    UNREACHED,
    SealedOrder,
    TableProblem,
    Write,
    fetch_backup,
    receive_sealed,
)
from companion.app.floor.table_line import ACTS, NOT_PAIRED, REVOKED, TableLine
from companion.app.floor.updating import TableUpdater
from companion.core.errors import ExplainedError, NotWritten
from companion.core.i18n import Message, message
from companion.floor.held_release import HeldRelease
from companion.floor.kept_backups import BackupFolder
from companion.floor.paired_tables import Acted, PairedTable, PairingTry
from companion.floor.pairing import FloorPairing, PairingAnswer
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles

BACKUP_TIMEOUT = 600.0
MOST_BYTES = 8_000_000_000
"""Bytes of a backup that are taken at most."""
PAIRING_PAUSE, PAIRING_PATIENCE = 1.0, 180.0


class TableActor(TableLine):
    """Acts at the tables of one floor; used on the thread of its loop."""

    def __init__(self, folder: Path, floor: str, name: str, tiles: FloorTiles) -> None:
        super().__init__(folder, floor, tiles)
        self._name = name
        self._running: set[asyncio.Task[bool]] = set()
        self.release = HeldRelease(folder)
        self.backups = BackupFolder(folder)
        self._streams = AsyncHTTPClient(force_instance=True, max_body_size=MOST_BYTES)
        self.updater = TableUpdater(self, self.release)
        self.on_unpaired: Callable[[str], object] = lambda _table: None
        """Called with a table before its key is forgotten; NotWritten keeps it."""

    def close(self) -> None:
        """Offer nothing any more, and close every connection."""
        for task in self._running:
            task.cancel()
        self._streams.close()
        super().close()

    async def update_table(self, tile: str) -> Message | None:
        """Have a table install a release, and see whether it is well with it; return why not."""
        return await self.updater.update_table(tile)

    # Pairing.

    def begin_pairing(self, address: str) -> PairingTry:
        """Offer a pairing to the table of this address, for some minutes."""
        pairing = FloorPairing(self._floor, self._name)
        task = asyncio.create_task(self._keep_offering(address.rstrip("/"), pairing))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        ended = lambda: task.result() if task.done() else None  # noqa: E731
        return PairingTry(address.rstrip("/"), pairing.code, ended)

    def unpair_table(self, tile: str) -> Message | None:
        """Forget the key of a table, and its login at the broker; return why that failed."""
        paired = self.find_table(tile)
        if paired is None:
            return None
        try:
            self.on_unpaired(paired.table)
            self.tables.forget_table(paired.table)
        except ExplainedError as failed:
            return failed.say
        return None

    async def _keep_offering(self, address: str, pairing: FloorPairing) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(PAIRING_PATIENCE):
                while True:
                    if await self._offer_once(address, pairing):
                        return True
                    await asyncio.sleep(PAIRING_PAUSE)
        return False

    async def _offer_once(self, address: str, pairing: FloorPairing) -> bool:
        body = msgspec.json.encode(pairing.offer)
        try:
            answer = await self.post_body(address, "/api/floor/pairing", body)
            if answer.code != 200:
                return False
            told = msgspec.json.decode(answer.body, type=PairingAnswer)
        except (OSError, HTTPClientError, ValueError):
            return False
        key = pairing.read_answer(told)
        if key is None or len(told.table) != 12 or not set(told.table) <= set("0123456789abcdef"):
            return False
        name = await self._ask_name(address)
        self.tables.keep_table(PairedTable(told.table, address, name or address, key.hex()))
        return True

    async def _ask_name(self, address: str) -> str:
        with suppress(OSError, HTTPClientError, ValueError):
            told = await self.read_page(address, "/api/floor")
            return msgspec.json.decode(told, type=TableState).name
        return ""

    # What a table seals for this floor.

    async def fetch_backup(self, tile: str, language: str = "en") -> Message | None:
        """Fetch the backup of a table into the folder of the floor; return why there is none."""

        async def receive(write: Write) -> Message | None:
            done = await self._receive_sealed(tile, "backup", BACKUP_TIMEOUT, write, language)
            return done.failed

        paired = self.find_table(tile)
        if paired is None:
            return message(NOT_PAIRED)
        return await fetch_backup(self.backups, paired.table, receive)

    async def _receive_sealed(
        self, tile: str, act: str, timeout: float, write: Write, language: str = "en"
    ) -> Acted:
        """Have `write` take what a table seals as its answer to an act, from where the table may
        be; OSError if that raises."""
        paired, begun = self.find_table(tile), list[int]()
        if paired is None:
            return Acted(failed=message(NOT_PAIRED), code="not_paired")

        def note_write(data: bytes) -> None:
            begun.extend([len(data)] if data else [])
            write(data)

        done = Acted(failed=message(UNREACHED), code="unreached")
        body = msgspec.json.encode({"key": secrets.token_hex(8)})
        for address in self.list_addresses(tile, paired):
            order = SealedOrder(self._floor, paired, address, ACTS + act, body, timeout, language)
            try:
                done = await self._receive_from(order, note_write)
                if done.failed is None:
                    self.tables.note_address(paired.table, address)
            except NotWritten as failed:
                return Acted(failed=failed.say)
            if begun or done.code not in {"unreached", "unknown_floor"}:
                break
        return done

    async def _receive_from(self, order: SealedOrder, write: Write) -> Acted:
        """Receive from one address; once more if the table is ahead of the counter."""
        beyond = 0
        for _ in range(2):
            order = order._replace(paired=self.tables.take_counter(order.paired, beyond))
            told = await receive_sealed(self._streams, order, write)
            if not isinstance(told, TableProblem):
                return Acted(failed=told)
            if told.code != "counter_used":
                say = message(REVOKED) if told.code == "unknown_floor" else told.say
                return Acted(failed=say, code=told.code)
            beyond = told.next_counter - 1
        return Acted(failed=message(UNREACHED), code="unreached")
