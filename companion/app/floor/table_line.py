"""The line from a floor to its tables: requests that are signed, counted, and believed if signed.

Laws: every act is signed with the key of the pairing and counted; an answer that is not signed by
the table is not believed. A table is looked for where it proved to be, then where it says that it
is; only what it has signed moves it. A table that does not answer holds up no other request, and
one that sends more than an answer can be is cut off.
"""

import base64
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import msgspec
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPResponse
from tornado.httputil import HTTPHeaders

from companion.app.floor.fetching import UNREACHED, read_problem, sign_request
from companion.core.errors import NotWritten
from companion.core.i18n import N_, Message, message
from companion.floor.floor_key import (
    ACT_HEADER,
    ANSWER_HEADER,
    ActSignature,
    is_same_signature,
    sign_act_digest,
    sign_answer,
)
from companion.floor.paired_tables import Acted, PairedTable, PairedTables
from companion.floor.tiles import FloorTiles

ACTS = "/api/floor/acts/"
JSON, OCTET_STREAM = "application/json", "application/octet-stream"
TIMEOUT, FILE_TIMEOUT = 6.0, 600.0
MOST_ANSWERED = 1 << 20
"""Bytes of an answer, other than a backup."""
CHUNK = 1 << 16
NOT_PAIRED = N_("This floor is not paired with that table.")
REVOKED = N_("The table says that it is not paired with this floor any more.")
Send = Callable[[PairedTable, str], Awaitable[HTTPResponse]]
"""Sends an act, with the counter of the table, to an address."""


class TableLine:
    """Sends what a floor asks of the tables that it is paired with; used on one thread."""

    def __init__(self, folder: Path, floor: str, tiles: FloorTiles) -> None:
        self._floor, self._tiles = floor, tiles
        self.tables = PairedTables(folder)
        self._client = AsyncHTTPClient(
            force_instance=True, max_clients=100, max_body_size=MOST_ANSWERED
        )

    def close(self) -> None:
        self._client.close()

    def find_table(self, tile: str) -> PairedTable | None:
        """Return the paired table of a tile; None if it is not paired. Only one that tells no id of
        its own is known by its address."""
        state = self._tiles[tile].state if tile in self._tiles else None
        return self.tables.find_table(tile, state.address if state and not state.table else "")

    def list_addresses(self, tile: str, paired: PairedTable) -> list[str]:
        """Return where a table may answer: where it proved to be, and where it told that it is."""
        told = self._tiles[tile].state.address.rstrip("/") if tile in self._tiles else ""
        return [paired.address, *([told] if told not in {"", paired.address} else [])]

    async def read_page(self, address: str, path: str) -> bytes:
        """Return what anyone may read there; OSError or HTTPClientError if nothing comes."""
        answer = await self._client.fetch(address + path, request_timeout=TIMEOUT)
        return answer.body

    async def post_body(
        self, address: str, path: str, body: bytes, head: Mapping[str, str] = {}
    ) -> HTTPResponse:
        """Send a body, and return the answer whatever its status is."""
        return await self._client.fetch(
            address + path, method="POST", body=body, headers=_make_head(address, JSON, head),
            raise_error=False, follow_redirects=False, request_timeout=TIMEOUT,
            connect_timeout=TIMEOUT,
        )  # fmt: skip

    # Acts.

    async def act(
        self, tile: str, name: str, fields: Mapping[str, object] = {}, language: str = "en"
    ) -> Acted:
        """Do this at a table; the reason comes in this language if it is not done."""
        path = ACTS + name
        body = msgspec.json.encode({"key": secrets.token_hex(8), **fields})

        async def send_body(paired: PairedTable, address: str) -> HTTPResponse:
            head = {
                **sign_request(self._floor, paired, path, body),
                "Accept-Language": language,
            }
            return await self.post_body(address, path, body, head)

        return await self._act_counted(tile, path, send_body)

    async def send_file(self, tile: str, name: str, file: Path, digest: str) -> Acted:
        """Send a file, whose SHA-256 in hexadecimal is this, as an act."""
        path = ACTS + name

        async def send_chunks(paired: PairedTable, address: str) -> HTTPResponse:
            signed = sign_act_digest(bytes.fromhex(paired.key), path, paired.counter, digest)
            head = {
                ACT_HEADER: ActSignature(self._floor, paired.counter, signed).write(),
                "Content-Digest": _write_digest(digest),
                "Content-Length": str(file.stat().st_size),
            }
            return await self._client.fetch(
                address + path, method="POST", body_producer=_produce_body(file),
                headers=_make_head(address, OCTET_STREAM, head), raise_error=False,
                follow_redirects=False, connect_timeout=TIMEOUT, request_timeout=FILE_TIMEOUT,
            )  # fmt: skip

        return await self._act_counted(tile, path, send_chunks)

    async def _act_counted(self, tile: str, path: str, send: Send) -> Acted:
        """Send an act to where the table may be; where it proves to be is kept."""
        paired, done = self.find_table(tile), Acted(failed=message(UNREACHED))
        if paired is None:
            return Acted(failed=message(NOT_PAIRED))
        for address in self.list_addresses(tile, paired):
            try:
                done, is_proven = await self._act_at(address, paired, path, send)
                if is_proven:
                    self.tables.note_address(paired.table, address)
                    break
            except NotWritten as failed:
                return Acted(failed=failed.say)
        return done

    async def _act_at(
        self, address: str, paired: PairedTable, path: str, send: Send
    ) -> tuple[Acted, bool]:
        """Send an act with the next counter, once more if the table is ahead of it; return how it
        went, and whether the table proved that it is there."""
        beyond = 0
        for _ in range(2):
            paired = self.tables.take_counter(paired, beyond)
            try:
                answer = await send(paired, address)
            except (OSError, HTTPClientError, ValueError):  # Or its address is none.
                break
            if not _is_signed(paired, path, answer):
                is_revoked = read_problem(answer.body).code == "unknown_floor"
                return Acted(failed=message(REVOKED if is_revoked else UNREACHED)), False
            done, beyond = _read_outcome(answer)
            if not beyond:
                return done, True
        return Acted(failed=message(UNREACHED)), False


def _read_outcome(answer: HTTPResponse) -> tuple[Acted, int]:
    """Return how an act went, and beyond which counter it is to be sent again, if it is."""
    if answer.code in {200, 204}:
        return Acted(answer.body), 0
    told = read_problem(answer.body)
    failed = Acted(failed=Message("{reason}", {"reason": told.title}))
    return failed, told.next_counter - 1 if told.code == "counter_used" else 0


def _is_signed(paired: PairedTable, path: str, answer: HTTPResponse) -> bool:
    """Check that the table itself gave this answer, to this act."""
    key = bytes.fromhex(paired.key)
    signed = sign_answer(key, path, paired.counter, answer.code, answer.body)
    return is_same_signature(answer.headers.get(ANSWER_HEADER, ""), signed)


def _make_head(address: str, kind: str, head: Mapping[str, str]) -> HTTPHeaders:
    """Return the head of a request with a body of this kind, as from the table's own page."""
    return HTTPHeaders({"Origin": address, "Content-Type": kind, **head})


def _write_digest(digest: str) -> str:
    """Return a SHA-256 in hexadecimal as a header says it (RFC 9530)."""
    return f"sha-256=:{base64.b64encode(bytes.fromhex(digest)).decode()}:"


def _produce_body(file: Path) -> Callable[[Callable[[bytes], Awaitable[None]]], Awaitable[None]]:
    """Return what writes a file into a request, a chunk at a time."""

    async def write_chunks(write: Callable[[bytes], Awaitable[None]]) -> None:
        with file.open("rb") as opened:
            while chunk := opened.read(CHUNK):
                await write(chunk)

    return write_chunks
