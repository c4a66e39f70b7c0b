"""Updates of many tables by their own API, of what each is offered or of what the floor has: a
version that is not well is tried at one of them."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from companion.app.floor.acting import TableActor
from companion.caretaker.desk import ErrandDesk
from companion.caretaker.errands import Errand, InstallRelease, is_waiting, take_errand
from companion.caretaker.report import ReleaseOffer, Report, claim_work, write_report
from companion.core.i18n import message
from companion.floor.paired_floors import PairedFloors
from companion.floor.rounds import FloorRound
from companion.floor.tiles import FloorTiles
from tests.worlds.fresh_table import Fresh
from web.context import CONTEXT_KEY, AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets

pytestmark = pytest.mark.usefixtures("patient_floor")

OFFER = ReleaseOffer("repository", "9.0.0")


RELEASE = b"a signed release" * 70_000


class ServedTable:
    """A table that is served here, and a root that carries out its errands."""

    def __init__(self, folder: Path, n: int, version: str = "1.0.0") -> None:
        folder.mkdir()
        self.fresh, self.folder, self.tried = Fresh(folder), folder, 0
        self.room: AppContext = self.fresh.app.extensions[CONTEXT_KEY]
        self.room.floors = PairedFloors(folder, lambda: f"{n:012x}")
        self.sent = folder / "sent"
        self.room.errands = ErrandDesk(version, asked=folder, reports=folder, sent=self.sent)
        sockets = bind_sockets(19_000)
        self.address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
        self.server = Server(self.fresh.app, sockets)

    def work_as_root(self, ends: Literal["done", "unwell"]) -> None:
        """Carry out the errand that waits, if there is one."""
        if is_waiting(self.folder):
            with claim_work(self.folder):
                self._carry_out(ends, take_errand(self.folder))

    def _carry_out(self, ends: Literal["done", "unwell"], errand: Errand | None) -> None:
        if isinstance(errand, InstallRelease):
            self.tried += 1
            version = errand.version if ends == "done" else "1.0.0"
            self.room.errands = ErrandDesk(
                version, asked=self.folder, reports=self.folder, sent=self.folder / "sent"
            )
            write_report(self.folder, Report(ended=ends, asked=OFFER))
        elif errand is not None:
            write_report(self.folder, Report(offers=tuple(self._list_offers()), ended="done"))

    def _list_offers(self) -> Iterator[ReleaseOffer]:
        """Yield what root finds; what is sent without a signature is not to be had."""
        yield OFFER
        if self.sent.exists():
            wrong = None if self.sent.read_bytes() == RELEASE else message("It is not signed.")
            yield ReleaseOffer("sent", "9.0.0", wrong)

    async def is_lit(self, actor: TableActor, id: str) -> bool:
        return (await actor.act(id, "state")).failed is None


@pytest.mark.filterwarnings("ignore:No channels")  # One process has the wires of one table only.
@pytest.mark.parametrize(
    ("count", "release", "ends", "tried"),
    [
        (2, RELEASE, "unwell", 1),
        pytest.param(12, RELEASE, "done", 11, marks=pytest.mark.wide),
        pytest.param(12, RELEASE, "unwell", 1, marks=pytest.mark.wide),
        pytest.param(12, b"forged", "done", 0, marks=pytest.mark.wide),
        pytest.param(12, b"", "unwell", 1, marks=pytest.mark.wide),
        pytest.param(12, b"", "done", 11, marks=pytest.mark.wide),
    ],
)
def test_a_broken_version_is_tried_at_one_table_and_darkens_none(
    tmp_path: Path, count: int, release: bytes, ends: Literal["done", "unwell"], tried: int
) -> None:
    """Of twelve tables the last one has the version already. With a release at the floor each is
    sent that one; without, each installs what it is offered."""

    async def story() -> None:
        last = "9.0.0" if count == 12 else "1.0.0"
        tables = [ServedTable(tmp_path / str(n), n) for n in range(1, count)]
        tables.append(ServedTable(tmp_path / str(count), count, last))
        (tmp_path / "floor").mkdir()
        actor = TableActor(tmp_path / "floor", "0f1e2d3c4b5a", "Bar", FloorTiles(time.monotonic))
        actor.updater.pause = 0.0  # Also while root has taken an errand, and not reported yet.
        if release:
            actor.release.path.write_bytes(release)
        for table in tables:
            offered = actor.begin_pairing(table.address)
            assert table.room.floors.await_floor(offered.code) is None
            while offered.ended() is None:
                await asyncio.sleep(0.01)
        named = [(each.table, each.name) for each in actor.tables.list_tables()]
        assert len(named) == count
        going = FloorRound("update", named, actor.update_table)
        done = asyncio.create_task(going.run())
        async with asyncio.timeout(120):
            while not done.done():
                for table in tables:
                    table.work_as_root(ends)
                await asyncio.sleep(0.005)
        assert sum(table.tried for table in tables) == tried, going.rows
        is_well = ends == "done" and release != b"forged"
        assert [row.outcome for row in going.rows].count("done") == (count if is_well else 0)
        sent = [table.sent.read_bytes() for table in tables if table.sent.exists()]
        assert sent == [release] * (bool(release) and (count if is_well else 1))
        assert all(
            [await table.is_lit(actor, id) for table, (id, _) in zip(tables, named, strict=True)]
        )
        actor.close()
        for table in tables:
            await table.server.stop()
            table.fresh.shut()

    asyncio.run(story())


@pytest.mark.filterwarnings("ignore:No channels")
def test_a_guest_can_send_no_release(tmp_path: Path) -> None:
    """Not a byte is kept of what no paired floor signed, or of what differs from what it signed."""

    async def story() -> None:
        table = ServedTable(tmp_path / "1", 1)
        (tmp_path / "floor").mkdir()
        actor = TableActor(tmp_path / "floor", "0f1e2d3c4b5a", "Bar", FloorTiles(time.monotonic))
        offered = actor.begin_pairing(table.address)
        assert table.room.floors.await_floor(offered.code) is None
        while offered.ended() is None:
            await asyncio.sleep(0.01)
        (paired,) = actor.tables.list_tables()
        actor.release.path.write_bytes(RELEASE)
        differs = await actor.send_file(paired.table, "release", actor.release.path, "0" * 64)
        assert differs.failed is not None
        guessed = replace(paired, key="00" * 32)
        actor.tables.keep_table(guessed)
        digest = actor.release.read_digest()
        refused = await actor.send_file(paired.table, "release", actor.release.path, digest)
        assert refused.failed is not None
        assert not table.sent.exists()
        assert list(table.folder.glob("*sent*")) == []
        actor.tables.keep_table(replace(paired, counter=9))
        sent = await actor.send_file(paired.table, "release", actor.release.path, digest)
        assert (sent.failed, table.sent.read_bytes()) == (None, RELEASE)
        actor.close()
        await table.server.stop()
        table.fresh.shut()

    asyncio.run(story())
