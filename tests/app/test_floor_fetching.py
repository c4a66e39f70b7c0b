"""What a table seals arrives at a floor, over a real server, also when its counter is old."""

import asyncio
import time
from pathlib import Path

from companion.app.backup_jobs import BackupJobs
from companion.app.floor.acting import TableActor
from companion.core.i18n import get_language
from companion.core.table_events import Ended
from companion.floor.paired_tables import PairedTable
from companion.floor.tiles import FloorTiles
from companion.table.permissions import HOST_AUTHOR
from tests.web.api.test_floor_acts import FLOOR, FloorTable
from tests.worlds.served_app import Served

TABLE = "0123456789ab"


def test_a_floor_fetches_what_the_table_seals_and_hears_why_it_does_not(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    table = FloorTable(tmp_path / "table")
    table.room.backups = BackupJobs(table.fresh.host.table, table.fresh.journal, table.folder)
    served = Served(table.fresh.app)
    paired = PairedTable(TABLE, served.address, "Table 7", table.key.hex())

    async def story() -> None:
        actor = TableActor(tmp_path / "floor", FLOOR, "Bar", FloorTiles(time.monotonic))
        actor.tables.keep_table(paired)
        assert await actor.fetch_backup(TABLE) is None
        table.begin_game()
        assert table.fresh.host.table.request(Ended(), HOST_AUTHOR) is None
        actor.tables.keep_table(paired)  # As a floor knows it that was restored from a backup.
        failed = await actor.fetch_backup(TABLE, "de")
        assert failed is not None
        assert "stehen Namen" in get_language("en")(failed)
        assert [one.number for one in actor.backups.list_backups(TABLE)] == [1]
        table.room.floors.revoke_floor(FLOOR)
        assert await actor.fetch_backup(TABLE) is not None
        actor.close()

    try:
        asyncio.run(story())
    finally:
        served.shut()
        table.fresh.shut()
