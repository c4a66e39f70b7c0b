"""Games for a league arrive from their tables: once they stay the same, and without a hand."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from companion.app.floor.acting import NOT_PAIRED, TableActor
from companion.app.floor.league_arrivals import RESTS, LeagueCollector
from companion.core.i18n import get_language, message
from companion.floor.floor_key import (
    ACT_HEADER,
    ANSWER_HEADER,
    parse_act_signature,
    seal_pieces,
    sign_act,
    sign_answer,
)
from companion.floor.paired_tables import Acted, PairedTable
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles
from companion.league.acts import pair_next_round
from companion.league.state import League
from companion.records.format import to_bytes
from tests.worlds.league_folder import begin_for, found
from web.floor.league.drawing import draw_live
from web.floor.league.server import LeagueDesk
from web.server.sockets import bind_sockets

pytestmark = pytest.mark.usefixtures("patient_floor")

TABLE, KEY = "a" * 12, bytes(range(32))


class PairedTableWithRecord(RequestHandler):
    """A table that is paired, as far as a league asks it: it seals the record that it has."""

    def initialize(self, sent: list[bytes], asked: list[str], key: bytes) -> None:
        self.sent, self.asked, self.key = sent, asked, key

    def post(self) -> None:
        signature = parse_act_signature(self.request.headers[ACT_HEADER])
        assert signature is not None
        body, path = self.request.body, self.request.path
        assert signature.value == sign_act(KEY, path, signature.counter, body)
        self.asked.append(path)
        if self.sent:
            self.set_header("Content-Type", "application/octet-stream")
            self.finish(b"".join(seal_pieces(self.key, signature.counter, self.sent[-1:])))
            return
        refused = b'{"code": "no_league", "title": "Not for a league."}'
        self.set_status(409)
        self.set_header(ANSWER_HEADER, sign_answer(self.key, path, signature.counter, 409, refused))
        self.finish(refused)


class AskedTable:
    """A table on the loop of the test, and the collector of a floor that is paired with it."""

    def __init__(self, folder: Path, league: Path, key: bytes = KEY) -> None:
        """`key` is the one that it seals and signs with."""
        self.sent, self.asked, self.sockets = list[bytes](), list[str](), bind_sockets(18_700)
        facts = {"sent": self.sent, "asked": self.asked, "key": key}
        self.server = HTTPServer(Application([(r"/.*", PairedTableWithRecord, facts)]))
        self.server.add_sockets(self.sockets)
        self.address = f"http://127.0.0.1:{self.sockets[0].getsockname()[1]}/"
        self.tiles, self.desk = FloorTiles(lambda: 0.0), LeagueDesk(league)
        self.actor = TableActor(folder, "0f1e2d3c4b5a", "Bar", self.tiles)
        self.collector = LeagueCollector(self.desk, self.tiles, self.actor.fetch_record)
        self.pair()

    def pair(self) -> None:
        paired = PairedTable(TABLE, self.address.rstrip("/"), "Table 1", KEY.hex())
        self.actor.tables.keep_table(paired)

    async def look(self, phase: str, *records: bytes) -> int:
        """Look once at the table in this phase, with these records; return how often it was
        asked."""
        state = TableState(name="Table 1", game="Box", phase=phase, address=self.address)
        self.tiles.hear_state(TABLE, msgspec.json.encode(state))
        self.sent[:], before = records, len(self.asked)
        await self.collector.ask_tables()
        return len(self.asked) - before

    async def close(self) -> None:
        self.collector.close()
        self.actor.close()
        self.server.stop()
        await self.server.close_all_connections()


def test_a_finished_game_counts_when_it_came_twice(tmp_path: Path) -> None:
    store = found(tmp_path / "league")
    sheet = pair_next_round(store).open_sheets[0]
    first, second = (to_bytes(begin_for(sheet.code, seed)) for seed in (1, 2))

    async def look_on() -> list[tuple[int, int]]:
        """How often the table was asked in each look, and how many results there are after it."""
        table, told = AskedTable(tmp_path, store.folder), list[tuple[int, int]]()
        for phase, records in (("seal", [first]), ("over", [first]), ("seal", []),
                               ("over", [second]), ("over", [second])):  # fmt: skip
            asked = await table.look(phase, *records)
            told.append((asked, len(store.read_league().results)))
        assert [await table.look("over", second) for _ in range(RESTS + 1)] == [0] * RESTS + [1]
        await table.close()
        return told

    assert asyncio.run(look_on()) == [(0, 0), (1, 0), (0, 0), (1, 0), (1, 1)]
    league: League = store.read_league()
    assert (store.folder / "records" / sheet.file).read_bytes() == second
    assert len(league.open_sheets) == 1


def test_what_does_not_count_is_noted_until_the_table_plays_again(tmp_path: Path) -> None:
    store = found(tmp_path / "league")
    pair_next_round(store)
    foreign = to_bytes(begin_for("0" * 32, 1))

    async def story() -> None:
        table = AskedTable(tmp_path, store.folder)
        await table.look("over")
        assert table.desk.notes == {}, "a game that was for no league"
        for _ in range(RESTS + 2):
            await table.look("over", foreign)
        note = table.desk.notes[TABLE]
        assert (note.name, note.game) == ("Table 1", "Box")
        assert "a sheet that this league does not have" in get_language("en")(note.say)
        page = draw_live(store.folder, [], "de", table.desk.list_notes())
        assert "Table 1, Box" in page
        assert get_language("de")(note.say) in page
        await table.look("seal", foreign)
        assert table.desk.notes == {}
        table.actor.tables.forget_table(TABLE)
        assert await table.look("over", foreign) == 0
        assert table.desk.notes[TABLE].say == message(NOT_PAIRED)
        await table.close()

    asyncio.run(story())


@pytest.mark.parametrize("is_empty", [False, True])
def test_what_the_table_has_not_sealed_or_signed_is_not_believed(
    tmp_path: Path, is_empty: bool
) -> None:
    store = found(tmp_path / "league")
    record = to_bytes(begin_for(pair_next_round(store).open_sheets[0].code, 1))

    async def story() -> None:
        table = AskedTable(tmp_path, store.folder, key=bytes(32))
        for _ in range(RESTS + 2):
            await table.look("over", *([] if is_empty else [record]))
        assert table.asked
        assert table.desk.notes == {}
        await table.close()

    asyncio.run(story())
    assert store.read_league().results == {}


def test_without_a_league_no_table_is_asked(tmp_path: Path) -> None:
    tiles = FloorTiles(lambda: 0.0)
    tiles.hear_state("a" * 12, msgspec.json.encode(
        TableState(name="Table 1", game="Box", phase="over", address="http://127.0.0.1:9/")
    ))  # fmt: skip

    async def ask_no_one(table: str) -> Acted:
        raise AssertionError(table)

    async def look() -> None:
        collector = LeagueCollector(LeagueDesk(tmp_path / "none"), tiles, ask_no_one)
        await collector.ask_tables()
        collector.close()

    asyncio.run(look())
    assert not (tmp_path / "none").exists()


def test_a_table_at_which_something_unforeseen_happens_holds_up_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = found(tmp_path / "league")
    pair_next_round(store)
    asked = list[str]()

    async def fetch_record(table: str) -> Acted:
        asked.append(table)
        if table == TABLE:
            raise UnicodeError(table)
        return Acted(failed=message(NOT_PAIRED), code="not_paired")

    async def look_twice() -> None:
        tiles, state = FloorTiles(lambda: 0.0), TableState(name="T", game="Box", phase="over")
        for table in (TABLE, "b" * 12):
            told = msgspec.structs.replace(state, address="http://127.0.0.1:9/")
            tiles.hear_state(table, msgspec.json.encode(told))
        collector = LeagueCollector(LeagueDesk(store.folder), tiles, fetch_record)
        for _ in range(2):
            await collector.ask_tables()

    asyncio.run(look_twice())
    assert asked == [TABLE, "b" * 12]
    assert [one.msg for one in caplog.records] == [f"league_ask_failed table={TABLE}"]
