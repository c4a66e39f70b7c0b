"""What a floor does at its tables: it pairs with them, acts, fetches backups, updates in turn.

Laws: every act is signed with the key of the pairing and counted; an answer that is not signed by
the table is not believed. A table that does not answer holds up no other request.
"""

import asyncio
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from nacl.exceptions import CryptoError
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPResponse
from tornado.httputil import HTTPHeaders

from companion.caretaker.desk import DeskStatus
from companion.core.durable_files import make_folder
from companion.core.errors import NotWritten
from companion.core.i18n import N_, Message, message
from companion.floor.floor_key import (
    ACT_HEADER,
    ANSWER_HEADER,
    ActSignature,
    PieceOpener,
    is_same_signature,
    sign_act,
    sign_answer,
)
from companion.floor.paired_tables import Acted, PairedTable, PairedTables, PairingTry
from companion.floor.pairing import FloorPairing, PairingAnswer
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles

ACTS, BACKUPS = "/api/floor/acts/", "backups"
TIMEOUT, BACKUP_TIMEOUT, UPDATE_TIMEOUT = 6.0, 600.0, 2400.0
PAIRING_PAUSE, PAIRING_PATIENCE = 1.0, 180.0
NOT_PAIRED = N_("This floor is not paired with that table.")
REVOKED = N_("The table says that it is not paired with this floor any more.")
UNREACHED = N_("The table did not answer: go there, or try again.")
BROKEN = N_("The backup did not come whole.")
NO_RELEASE = N_("The table is offered no newer version.")
LEFT = N_("The table left the new version again: it was not well with it.")
TOO_LONG = N_("The table was not well again in time.")


class TableActor:
    """Acts at the tables of one floor; used on the thread of its loop."""

    def __init__(self, folder: Path, floor: str, name: str, tiles: FloorTiles) -> None:
        self._folder, self._floor, self._name, self._tiles = folder, floor, name, tiles
        self.tables = PairedTables(folder)
        self._client = AsyncHTTPClient(force_instance=True, max_clients=100)
        self._running: set[asyncio.Task[bool]] = set()
        self.update_pause = 2.0

    def close(self) -> None:
        for task in self._running:
            task.cancel()
        self._client.close()

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
            answer = await self._send(address, "/api/floor/pairing", body, {})
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
            told = _read_problem(answer.body)
            if told.code != "counter_used":
                return Acted(failed=Message("{reason}", {"reason": told.title}))
            beyond = told.next_counter - 1
        return Acted(failed=message(UNREACHED))

    async def _send_act(
        self, tile: str, paired: PairedTable, path: str, body: bytes, language: str
    ) -> HTTPResponse | Message:
        """Send an act; return why no answer came that the table has signed."""
        key = bytes.fromhex(paired.key)
        head = {**_sign(self._floor, paired, path, body), "Accept-Language": language}
        try:
            answer = await self._send(self._address_of(tile, paired), path, body, head)
        except (OSError, HTTPClientError):
            return message(UNREACHED)
        signed = sign_answer(key, path, paired.counter, answer.code, answer.body)
        if is_same_signature(answer.headers.get(ANSWER_HEADER, ""), signed):
            return answer
        is_revoked = _read_problem(answer.body).code == "unknown_floor"
        return message(REVOKED if is_revoked else UNREACHED)

    def _address_of(self, tile: str, paired: PairedTable) -> str:
        told = self._tiles[tile].state.address if tile in self._tiles else ""
        return told.rstrip("/") or paired.address

    async def _send(
        self, address: str, path: str, body: bytes, head: dict[str, str]
    ) -> HTTPResponse:
        own = {"Origin": address, "Content-Type": "application/json", **head}
        return await self._client.fetch(
            address + path, method="POST", body=body, headers=HTTPHeaders(own), raise_error=False,
            follow_redirects=False, request_timeout=TIMEOUT, connect_timeout=TIMEOUT,
        )  # fmt: skip

    # Backups.

    async def fetch_backup(self, tile: str) -> Message | None:
        """Fetch the backup of a table into the folder of the floor; return why there is none."""
        paired = self.find_table(tile)
        if paired is None:
            return message(NOT_PAIRED)
        folder = self._folder / BACKUPS
        aside = folder / f".{paired.table}.part"
        try:
            make_folder(folder)
            paired = self.tables.take_counter(paired)
            answer = await self._receive_backup(tile, paired, aside)
            if answer is not None:
                return answer
            aside.replace(folder / f"{paired.table}.zip")
        except NotWritten as failed:
            return failed.say
        except (OSError, HTTPClientError):
            return message(UNREACHED)
        except CryptoError:
            return message(BROKEN)
        finally:
            aside.unlink(missing_ok=True)
        return None

    async def _receive_backup(self, tile: str, paired: PairedTable, into: Path) -> Message | None:
        """Write what comes, opened, and sync it; a refusal is returned."""
        path, body = f"{ACTS}backup", msgspec.json.encode({"key": secrets.token_hex(8)})
        opener, refused = PieceOpener(bytes.fromhex(paired.key), paired.counter), bytearray()
        address = self._address_of(tile, paired)
        head = {
            "Origin": address,
            "Content-Type": "application/json",
            **_sign(self._floor, paired, path, body),
        }
        kinds: list[str] = []
        with os.fdopen(os.open(into, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:

            def take_chunk(chunk: bytes) -> None:
                if "octet-stream" in "".join(kinds).lower():
                    file.write(opener.open_chunk(chunk))
                else:
                    refused.extend(chunk[:4096])

            answer = await self._client.fetch(
                address + path, method="POST", body=body, headers=HTTPHeaders(head),
                raise_error=False, follow_redirects=False, connect_timeout=TIMEOUT,
                request_timeout=BACKUP_TIMEOUT, streaming_callback=take_chunk,
                header_callback=kinds.append,
            )  # fmt: skip
            if answer.code != 200:
                told = _read_problem(bytes(refused))
                return Message("{reason}", {"reason": told.title or str(answer.code)})
            file.write(opener.open_rest())
            file.flush()
            os.fsync(file.fileno())
        return None

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
        newer = [each for each in offers if _version(each.version) > _version(status.version)]
        if not newer:
            return message(NO_RELEASE)
        chosen = max(newer, key=lambda each: _version(each.version))
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


class _Problem(msgspec.Struct):
    title: str = ""
    code: str = ""
    next_counter: int = 0


def _read_problem(body: bytes) -> _Problem:
    with suppress(ValueError):
        return msgspec.json.decode(body, type=_Problem)
    return _Problem()


def _sign(floor: str, paired: PairedTable, path: str, body: bytes) -> dict[str, str]:
    signed = sign_act(bytes.fromhex(paired.key), path, paired.counter, body)
    return {ACT_HEADER: ActSignature(floor, paired.counter, signed).write()}


def _version(written: str) -> tuple[int, ...]:
    return tuple(int(part) for part in written.split(".") if part.isdecimal())
