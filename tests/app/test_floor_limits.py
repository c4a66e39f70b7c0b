"""How much a floor takes from a table: of a backup all, of any other answer little."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from companion.app.floor.acting import TableActor
from companion.app.floor.fetching import BROKEN
from companion.app.floor.table_line import MOST_ANSWERED
from companion.core.i18n import Message
from companion.floor.floor_key import ACT_HEADER, ANSWER_HEADER, seal_pieces, sign_answer
from companion.floor.paired_tables import PairedTable
from companion.floor.tiles import FloorTiles
from web.server.sockets import bind_sockets

pytestmark = pytest.mark.usefixtures("patient_floor")

TABLE, KEY = "0123456789ab", bytes(range(32))
MEBIBYTE = bytes(1 << 20)
TORNADO_TAKES = 100
"""Mebibytes that its client takes of an answer where it is told nothing else."""


class LargeTable(RequestHandler):
    """Answers as a paired table would, with as much as the test says."""

    def initialize(self, mebibytes: int, spoils: bool = False) -> None:
        self._mebibytes, self._spoils = mebibytes, spoils

    async def post(self, act: str) -> None:
        counter = int(self.request.headers[ACT_HEADER].split(".")[1])
        chunks = [MEBIBYTE] * self._mebibytes
        if act == "backup":
            self.set_header("Content-Type", "application/octet-stream")
            for piece in seal_pieces(KEY, counter + self._spoils, chunks):
                self.write(piece)
                await self.flush()
            return
        body = b"".join(chunks)
        signed = sign_answer(KEY, self.request.path, counter, 200, body)
        self.set_header(ANSWER_HEADER, signed)
        self.finish(body)


def act_there(
    folder: Path,
    facts: dict[str, object],
    act: Callable[[TableActor], Awaitable[Message | None]],
) -> Message | None:
    """Return how an act at such a table went."""

    async def story() -> Message | None:
        sockets = bind_sockets(19_400)
        server = HTTPServer(Application([(r"/api/floor/acts/([a-z]+)", LargeTable, facts)]))
        server.add_sockets(sockets)
        actor = TableActor(folder, "0f1e2d3c4b5a", "Bar", FloorTiles(time.monotonic))
        address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
        actor.tables.keep_table(PairedTable(TABLE, address, "Table 7", KEY.hex()))
        try:
            return await act(actor)
        finally:
            actor.close()
            server.stop()
            await server.close_all_connections()

    return asyncio.run(story())


def test_an_answer_that_is_too_long_for_one_is_cut_off(tmp_path: Path) -> None:
    async def ask_state(actor: TableActor) -> Message | None:
        return (await actor.act(TABLE, "state")).failed

    most = MOST_ANSWERED >> 20
    assert act_there(tmp_path, {"mebibytes": most}, ask_state) is None
    failed = act_there(tmp_path, {"mebibytes": most + 1}, ask_state)
    assert failed is not None
    assert failed.text.startswith("The table did not answer")


@pytest.mark.parametrize("mebibytes", [2, pytest.param(TORNADO_TAKES + 8, marks=pytest.mark.wide)])
def test_a_backup_comes_however_large_it_is(tmp_path: Path, mebibytes: int) -> None:
    async def fetch_backup(actor: TableActor) -> Message | None:
        return await actor.fetch_backup(TABLE)

    assert act_there(tmp_path, {"mebibytes": mebibytes}, fetch_backup) is None
    (kept,) = (tmp_path / "backups").iterdir()
    assert kept.name.startswith(f"{TABLE}-000001-")
    assert kept.stat().st_size == mebibytes << 20
    failed = act_there(tmp_path, {"mebibytes": 2, "spoils": True}, fetch_backup)
    assert failed is not None
    assert failed.text == BROKEN
    assert kept.stat().st_size == mebibytes << 20, "the one before stays"


def test_a_full_disk_of_the_floor_is_called_so(tmp_path: Path) -> None:
    """Here no file may be longer than a mebibyte."""

    async def fetch_backup(actor: TableActor) -> Message | None:
        soft, hard = getrlimit(RLIMIT_FSIZE)
        setrlimit(RLIMIT_FSIZE, (1 << 20, hard))
        try:
            return await actor.fetch_backup(TABLE)
        finally:
            setrlimit(RLIMIT_FSIZE, (soft, hard))

    failed = act_there(tmp_path, {"mebibytes": 4}, fetch_backup)
    assert failed is not None
    assert failed.text.startswith("The disk is full")
    assert list((tmp_path / "backups").iterdir()) == []
