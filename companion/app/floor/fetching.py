"""Receive what a table seals for this floor: backups into a folder.

Laws: what does not open with the key of the pairing, or ends too early, is not kept; a refusal is
believed only if the table has signed it. A backup has its name once it is whole and on disk, and
none is begun, or gone on with, that would fill the disk of the floor.
"""

import errno
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

import msgspec
from nacl.exceptions import CryptoError
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httputil import HTTPHeaders

from companion.core.durable_files import not_written
from companion.core.errors import NotWritten
from companion.core.i18n import N_, Message, message
from companion.floor.floor_key import (
    ACT_HEADER,
    ANSWER_HEADER,
    MAX_COUNTER,
    ActSignature,
    PieceOpener,
    is_same_signature,
    sign_act,
    sign_answer,
)
from companion.floor.kept_backups import BackupFolder
from companion.floor.paired_tables import PairedTable

UNREACHED = N_("The table did not answer: go there, or try again.")
BROKEN = N_("What the table sent did not come whole.")
MOST_REFUSED = 4096
CONNECT_TIMEOUT = 6.0
Write = Callable[[bytes], object]
"""Takes the opened bytes in order; OSError if it cannot."""


class TableProblem(msgspec.Struct, frozen=True):
    """Why a table does not do it: a sentence in the language that was asked for, and a code."""

    title: str = ""
    code: str = ""
    next_counter: int = 0

    @property
    def say(self) -> Message:
        return Message("{reason}", {"reason": self.title}) if self.title else message(UNREACHED)


UNHEARD = TableProblem(code="unreached")
"""No answer came, or none that the table has signed."""


class SealedOrder(NamedTuple):
    """What is asked of which table: the counter of `paired` is on disk, and used up by this."""

    floor: str
    paired: PairedTable
    address: str
    path: str
    body: bytes
    timeout: float
    language: str = "en"

    def make_request(
        self, take_header: Callable[[str], None], take_chunk: Callable[[bytes], None]
    ) -> HTTPRequest:
        """Return the signed request, whose answer is taken line by line and chunk by chunk."""
        own = {"Origin": self.address, "Content-Type": "application/json"}
        own |= sign_request(self.floor, self.paired, self.path, self.body)
        own["Accept-Language"] = self.language
        return HTTPRequest(
            self.address + self.path, "POST", HTTPHeaders(own), self.body, follow_redirects=False,
            connect_timeout=CONNECT_TIMEOUT, request_timeout=self.timeout,
            header_callback=take_header, streaming_callback=take_chunk,
        )  # fmt: skip


def sign_request(floor: str, paired: PairedTable, path: str, body: bytes) -> dict[str, str]:
    """Return the header with the signature over an act."""
    signed = sign_act(bytes.fromhex(paired.key), path, paired.counter, body)
    return {ACT_HEADER: ActSignature(floor, paired.counter, signed).write()}


def read_problem(body: bytes) -> TableProblem:
    """Return what a table refused with; an empty problem if that cannot be read."""
    with suppress(ValueError, RecursionError):
        told = msgspec.json.decode(body, type=TableProblem)
        return told if 0 <= told.next_counter <= MAX_COUNTER else TableProblem()
    return TableProblem()


class _Answer:
    """An answer as it comes: sealed pieces are opened, a refusal is collected."""

    def __init__(self, opener: PieceOpener, write: Write) -> None:
        self._opener, self._write = opener, write
        self._is_sealed = False
        self.refused, self.failed = bytearray(), list[OSError | CryptoError]()

    def take_header(self, line: str) -> None:
        name, _, value = line.lower().partition(":")
        if name == "content-type":
            self._is_sealed = "octet-stream" in value

    def take_chunk(self, chunk: bytes) -> None:
        """Write what can be opened by now; after the first failure the rest is left."""
        if not self._is_sealed:
            self.refused.extend(chunk[: MOST_REFUSED - len(self.refused)])
        elif not self.failed:
            self._try_write(lambda: self._opener.open_chunk(chunk))

    def end_answer(self) -> None:
        """Write the last piece; CryptoError if it is not the last, OSError if a write failed."""
        if not self.failed:
            self._try_write(self._opener.open_rest)
        if self.failed:
            raise self.failed[0]

    def _try_write(self, open_piece: Callable[[], bytes]) -> None:
        try:
            self._write(open_piece())
        except (OSError, CryptoError) as error:
            self.failed.append(error)


async def receive_sealed(
    client: AsyncHTTPClient, order: SealedOrder, write: Write
) -> TableProblem | Message | None:
    """Have `write` take the opened answer; return the refusal of the table, or what failed.

    Raise OSError if `write` does.
    """
    paired = order.paired
    answer = _Answer(PieceOpener(bytes.fromhex(paired.key), paired.counter), write)
    try:
        told = await client.fetch(
            order.make_request(answer.take_header, answer.take_chunk), raise_error=False
        )
    except (OSError, HTTPClientError, ValueError):  # Or its address is none.
        return UNHEARD
    if told.code != 200:
        body = bytes(answer.refused)
        signed = sign_answer(bytes.fromhex(paired.key), order.path, paired.counter, told.code, body)
        is_signed = is_same_signature(told.headers.get(ANSWER_HEADER, ""), signed)
        problem = read_problem(body)
        return problem if is_signed or problem.code == "unknown_floor" else UNHEARD
    try:
        answer.end_answer()
    except CryptoError:
        return message(BROKEN)
    return None


async def fetch_backup(
    kept: BackupFolder, table: str, receive: Callable[[Write], Awaitable[Message | None]]
) -> Message | None:
    """Keep what `receive` brings as the newest backup of a table; return why there is none."""
    try:
        kept.require_room(table)
    except NotWritten as failed:
        return failed.say
    aside = kept.name_aside(table)
    try:
        failed_so = await _receive_into(aside, kept, receive)
        if failed_so is None:
            kept.keep_file(aside, table, date.today().isoformat())
        return failed_so
    except NotWritten as failed:
        return failed.say
    except OSError as error:
        return not_written(aside, error).say
    finally:
        aside.unlink(missing_ok=True)


async def _receive_into(
    aside: Path, kept: BackupFolder, receive: Callable[[Write], Awaitable[Message | None]]
) -> Message | None:
    """Write and sync the file; OSError if the disk does not take it."""
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:

        def write_if_room(data: bytes) -> None:
            if not kept.has_room(len(data)):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            file.write(data)

        failed = await receive(write_if_room)
        file.flush()
        os.fsync(file.fileno())
    return failed
