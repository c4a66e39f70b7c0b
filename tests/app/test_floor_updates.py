"""Updates of twelve tables by their own API: a version that is not well is tried at one of them."""

import asyncio
import time
from pathlib import Path
from typing import Literal

import pytest

from companion.app.floor.acting import TableActor
from companion.caretaker.desk import ErrandDesk
from companion.caretaker.errands import InstallRelease, take_errand
from companion.caretaker.report import ReleaseOffer, Report, write_report
from companion.floor.paired_floors import PairedFloors
from companion.floor.rounds import FloorRound
from companion.floor.tiles import FloorTiles
from tests.worlds.fresh_table import Fresh
from web.context import CONTEXT_KEY, AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets

OFFER = ReleaseOffer("repository", "9.0.0")


class ServedTable:
    """A table that is served here, and a root that carries out its errands."""

    def __init__(self, folder: Path, n: int) -> None:
        folder.mkdir()
        self.fresh, self.folder, self.tried = Fresh(folder), folder, 0
        self.room: AppContext = self.fresh.app.extensions[CONTEXT_KEY]
        self.room.floors = PairedFloors(folder, lambda: f"{n:012x}")
        self.room.errands = ErrandDesk("1.0.0", asked=folder, reports=folder, sent=folder / "sent")
        sockets = bind_sockets(19_000)
        self.address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
        self.server = Server(self.fresh.app, sockets)

    def work_as_root(self, ends: Literal["done", "unwell"]) -> None:
        """Carry out the errand that waits, if there is one."""
        errand = take_errand(self.folder)
        if isinstance(errand, InstallRelease):
            self.tried += 1
            version = errand.version if ends == "done" else "1.0.0"
            self.room.errands = ErrandDesk(
                version, asked=self.folder, reports=self.folder, sent=self.folder / "sent"
            )
            write_report(self.folder, Report(ended=ends, asked=OFFER))
        elif errand is not None:
            write_report(self.folder, Report(offers=(OFFER,), ended="done"))

    async def is_lit(self, actor: TableActor, id: str) -> bool:
        return (await actor.act(id, "state")).failed is None


@pytest.mark.wide
@pytest.mark.filterwarnings("ignore:No channels")  # One process has the wires of one table only.
@pytest.mark.parametrize(("ends", "tried"), [("unwell", 1), ("done", 12)])
def test_a_broken_version_over_twelve_tables_is_tried_at_one_and_darkens_none(
    tmp_path: Path, ends: Literal["done", "unwell"], tried: int
) -> None:
    async def story() -> None:
        tables = [ServedTable(tmp_path / str(n), n) for n in range(1, 13)]
        actor = TableActor(tmp_path, "0f1e2d3c4b5a", "Bar", FloorTiles(time.monotonic))
        actor.update_pause = 0.02
        for table in tables:
            offered = actor.begin_pairing(table.address)
            assert table.room.floors.await_floor(offered.code) is None
            while offered.ended() is None:
                await asyncio.sleep(0.01)
        named = [(each.table, each.name) for each in actor.tables.list_tables()]
        assert len(named) == 12
        going = FloorRound("update", named, actor.update_table)
        done = asyncio.create_task(going.run())
        async with asyncio.timeout(120):
            while not done.done():
                for table in tables:
                    table.work_as_root(ends)
                await asyncio.sleep(0.005)
        assert sum(table.tried for table in tables) == tried
        assert [row.outcome for row in going.rows].count("done") == (12 if ends == "done" else 0)
        assert all(
            [await table.is_lit(actor, id) for table, (id, _) in zip(tables, named, strict=True)]
        )
        actor.close()
        for table in tables:
            await table.server.stop()
            table.fresh.shut()

    asyncio.run(story())
