"""What a floor does at its tables: it pairs with them, acts, fetches backups, updates in turn.

Laws: every act is signed with the key of the pairing and counted; an answer that is not signed by
the table is not believed. A table that does not answer holds up no other request.
"""

import asyncio
import errno
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import msgspec
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPResponse
from tornado.httputil import HTTPHeaders

from companion.app.floor.fetching import (
    UNREACHED,
    SealedOrder,
    TableProblem,
    Write,
    fetch_backup,
    read_problem,
    receive_sealed,
    sign_request,
)
from companion.caretaker.desk import DeskStatus
from companion.core.errors import NotWritten
from companion.core.i18n import N_, Message, message
from companion.floor.floor_key import ANSWER_HEADER, is_same_signature, sign_answer
from companion.floor.kept_backups import BackupFolder
from companion.floor.paired_tables import Acted, PairedTable, PairedTables, PairingTry
from companion.floor.pairing import FloorPairing, PairingAnswer
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles

ACTS = "/api/floor/acts/"
TIMEOUT, BACKUP_TIMEOUT, UPDATE_TIMEOUT = 6.0, 600.0, 2400.0
MOST_RECORD, MOST_BYTES = 8_000_000, 8_000_000_000
"""Bytes of a record, and of a backup, that are taken at most."""
PAIRING_PAUSE, PAIRING_PATIENCE = 1.0, 180.0
NOT_PAIRED = N_("This floor is not paired with that table.")
REVOKED = N_("The table says that it is not paired with this floor any more.")
TOO_LARGE = N_("The record is larger than that of any game.")
NO_RELEASE = N_("The table is offered no newer version.")
LEFT = N_("The table left the new version again: it was not well with it.")
TOO_LONG = N_("The table was not well again in time.")


class TableActor:
    """Acts at the tables of one floor; used on the thread of its loop."""

    def __init__(self, folder: Path, floor: str, name: str, tiles: FloorTiles) -> None:
        self._floor, self._name, self._tiles = floor, name, tiles
        self.tables, self.backups = PairedTables(folder), BackupFolder(folder)
        self._client = AsyncHTTPClient(force_instance=True, max_clients=100)
        self._streams = AsyncHTTPClient(force_instance=True, max_body_size=MOST_BYTES)
        self._running: set[asyncio.Task[bool]] = set()
        self.update_pause = 2.0

    def close(self) -> None:
        for task in self._running:
            task.cancel()
        self._client.close()
        self._streams.close()

    # Pairing.

    def begin_pairing(self, address: str) -> PairingTry:
        """Offer a pairing to the table of this address, for some minutes."""
        pairing = FloorPairing(self._floor, self._name)
        task = asyncio.create_task(self._keep_offering(address.rstrip("/"), pairing))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        ended = lambda: task.result() if task.done() else None  # noqa: E731
        return PairingTry(address.rstrip("/"), pairing.code, ended)

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
            answer = await self._send_request(address, "/api/floor/pairing", body, {})
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
            answer = await self._client.fetch(f"{address}/api/floor", request_timeout=TIMEOUT)
            return msgspec.json.decode(answer.body, type=TableState).name
        return ""

    # Acts.

    def find_table(self, tile: str) -> PairedTable | None:
        """Return the paired table of a tile; None if it is not paired."""
        address = self._tiles[tile].state.address if tile in self._tiles else ""
        return self.tables.find_table(tile, address)

    async def act(
        self, tile: str, name: str, fields: Mapping[str, object] = {}, language: str = "en"
    ) -> Acted:
        """Do this at a table; the reason comes in this language if it is not done."""
        paired = self.find_table(tile)
        if paired is None:
            return Acted(failed=message(NOT_PAIRED))
        body, beyond = msgspec.json.encode({"key": secrets.token_hex(8), **fields}), 0
        for _ in range(2):
            try:
                paired = self.tables.take_counter(paired, beyond)
            except NotWritten as failed:
                return Acted(failed=failed.say)
            answer = await self._send_act(tile, paired, ACTS + name, body, language)
            if isinstance(answer, Message):
                return Acted(failed=answer)
            if answer.code in {200, 204}:
                return Acted(answer.body)
            told = read_problem(answer.body)
            if told.code != "counter_used":
                return Acted(failed=Message("{reason}", {"reason": told.title}))
            beyond = told.next_counter - 1
        return Acted(failed=message(UNREACHED))

    async def _send_act(
        self, tile: str, paired: PairedTable, path: str, body: bytes, language: str
    ) -> HTTPResponse | Message:
        """Send an act; return why no answer came that the table has signed."""
        key = bytes.fromhex(paired.key)
        head = {**sign_request(self._floor, paired, path, body), "Accept-Language": language}
        try:
            answer = await self._send_request(self._address_of(tile, paired), path, body, head)
        except (OSError, HTTPClientError):
            return message(UNREACHED)
        signed = sign_answer(key, path, paired.counter, answer.code, answer.body)
        if is_same_signature(answer.headers.get(ANSWER_HEADER, ""), signed):
            return answer
        is_revoked = read_problem(answer.body).code == "unknown_floor"
        return message(REVOKED if is_revoked else UNREACHED)

    def _address_of(self, tile: str, paired: PairedTable) -> str:
        told = self._tiles[tile].state.address if tile in self._tiles else ""
        return told.rstrip("/") or paired.address

    async def _send_request(
        self, address: str, path: str, body: bytes, head: dict[str, str]
    ) -> HTTPResponse:
        own = {"Origin": address, "Content-Type": "application/json", **head}
        return await self._client.fetch(
            address + path, method="POST", body=body, headers=HTTPHeaders(own), raise_error=False,
            follow_redirects=False, request_timeout=TIMEOUT, connect_timeout=TIMEOUT,
        )  # fmt: skip

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

    async def fetch_record(self, tile: str) -> Acted:
        """Return the record of the last game of a table if it was begun for a league."""
        record = BytesIO()

        def write_if_small(data: bytes) -> None:
            if record.tell() + len(data) > MOST_RECORD:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
            record.write(data)

        try:
            done = await self._receive_sealed(tile, "league-record", TIMEOUT, write_if_small)
        except OSError:
            return Acted(failed=message(TOO_LARGE), code="too_large")
        return done if done.failed is not None else Acted(record.getvalue())

    async def _receive_sealed(
        self, tile: str, act: str, timeout: float, write: Write, language: str = "en"
    ) -> Acted:
        """Have `write` take what a table seals as its answer to an act; OSError if that raises."""
        paired, body = self.find_table(tile), msgspec.json.encode({"key": secrets.token_hex(8)})
        beyond = 0
        for _ in range(2):
            if paired is None:
                return Acted(failed=message(NOT_PAIRED), code="not_paired")
            try:
                paired = self.tables.take_counter(paired, beyond)
            except NotWritten as failed:
                return Acted(failed=failed.say)
            address, path = self._address_of(tile, paired), ACTS + act
            order = SealedOrder(self._floor, paired, address, path, body, timeout, language)
            told = await receive_sealed(self._streams, order, write)
            if not isinstance(told, TableProblem):
                return Acted(failed=told)
            if told.code != "counter_used":
                say = message(REVOKED) if told.code == "unknown_floor" else told.say
                return Acted(failed=say, code=told.code)
            beyond = told.next_counter - 1
        return Acted(failed=message(UNREACHED), code="unreached")

    # Updates.

    async def update_table(self, tile: str) -> Message | None:
        """Have a table install the newest release that it is offered, and see whether it is well
        with it; return why not."""
        looked = await self.act(tile, "look")
        if looked.failed is not None:
            return looked.failed
        status = await self._wait_for_desk(tile, lambda _status: True)
        if status is None:
            return message(TOO_LONG)
        offers = [each for each in status.report.offers if not each.wrong]
        newer = [
            each for each in offers if _parse_version(each.version) > _parse_version(status.version)
        ]
        if not newer:
            return message(NO_RELEASE)
        chosen = max(newer, key=lambda each: _parse_version(each.version))
        asked = await self.act(tile, "install", {"place": chosen.place, "version": chosen.version})
        return asked.failed or await self._watch_update(tile, chosen.version)

    async def _watch_update(self, tile: str, version: str) -> Message | None:
        """Wait until this version runs or was left; return why the table is not well with it."""

        def is_decided(told: DeskStatus) -> bool:
            return told.version == version or told.report.ended not in {"", "done"}

        done = await self._wait_for_desk(tile, is_decided)
        if done is None:
            return message(TOO_LONG)
        if done.report.ended != "done" or done.version != version:
            return done.report.says or message(LEFT)
        answer = await self.act(tile, "state")
        if answer.failed is not None:
            return answer.failed
        state = msgspec.json.decode(answer.body, type=TableState)
        return message(TOO_LONG) if state.light == "red" else None

    async def _wait_for_desk(
        self, tile: str, is_enough: Callable[[DeskStatus], bool]
    ) -> DeskStatus | None:
        """Ask again and again, also while the table starts anew, until nothing runs there."""
        with suppress(TimeoutError):
            async with asyncio.timeout(UPDATE_TIMEOUT):
                while True:
                    await asyncio.sleep(self.update_pause)
                    answer = await self.act(tile, "machine")
                    if answer.failed is None:
                        status = msgspec.json.decode(answer.body, type=DeskStatus)
                        if not (status.waits or status.report.doing) and is_enough(status):
                            return status
        return None


def _parse_version(written: str) -> tuple[int, ...]:
    return tuple(int(part) for part in written.split(".") if part.isdecimal())
