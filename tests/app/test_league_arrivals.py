"""Games for a league arrive from their tables: once they stay the same, and without a hand."""

import asyncio
from pathlib import Path

import msgspec
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from companion.app.floor.league_arrivals import LeagueCollector
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles
from companion.league.acts import pair_next_round
from companion.league.state import League
from companion.records.format import to_bytes
from tests.worlds.league_folder import begin_for, found
from web.floor.league.server import LeagueDesk
from web.server.sockets import bind_sockets


class TableWithRecord(RequestHandler):
    """A table, as far as a league asks it."""

    def initialize(self, sent: list[bytes]) -> None:
        self.sent = sent

    def get(self) -> None:
        if not self.sent:
            self.set_status(409)
            return
        self.finish(self.sent[-1])


def test_a_finished_game_counts_when_it_came_twice(tmp_path: Path) -> None:
    store = found(tmp_path / "league")
    sheet, sent = pair_next_round(store).open_sheets[0], list[bytes]()
    first, second = (to_bytes(begin_for(sheet.code, seed)) for seed in (1, 2))

    async def look_on() -> list[int]:
        """How many results there are after each look."""
        server, sockets = HTTPServer(Application([(r"/.*", TableWithRecord, {"sent": sent})])), []
        sockets += bind_sockets(18_700)
        server.add_sockets(sockets)
        address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/"
        tiles, counted = FloorTiles(lambda: 0.0), list[int]()
        collector = LeagueCollector(LeagueDesk(store.folder), tiles)
        over = TableState(name="Table 1", game="Box", phase="over", address=address)
        playing = msgspec.structs.replace(over, phase="seal")
        looks = ((over, []), (playing, [first]), (playing, [first]), (over, [b"{}"]),
                 (over, [b"{}"]), (over, [first]), (over, [second]), (over, [second]),
                 (over, [first]), (over, [first]))  # fmt: skip
        for state, records in looks:
            tiles.hear_state("a" * 12, msgspec.json.encode(state))
            sent[:] = records
            await collector.look()
            counted.append(len(store.read().results))
        collector.close()
        server.stop()
        await server.close_all_connections()
        return counted

    assert asyncio.run(look_on()) == [0] * 7 + [1] * 3
    league: League = store.read()
    assert (store.folder / "records" / sheet.file).read_bytes() == second
    assert len(league.open_sheets) == 1


def test_without_a_league_no_table_is_asked(tmp_path: Path) -> None:
    tiles = FloorTiles(lambda: 0.0)
    tiles.hear_state("a" * 12, msgspec.json.encode(
        TableState(name="Table 1", game="Box", phase="over", address="http://127.0.0.1:9/")
    ))  # fmt: skip

    async def look() -> None:
        collector = LeagueCollector(LeagueDesk(tmp_path / "none"), tiles)
        await collector.look()
        collector.close()

    asyncio.run(look())
    assert not (tmp_path / "none").exists()
