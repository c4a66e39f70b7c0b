"""A floor pulls the games of a real table by its API, and loses none while one of them is away."""

import asyncio
import json
import logging
import time
from pathlib import Path

import msgspec
import pytest
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from companion.app.floor.pulling import EveningPuller, check_evening, day_of
from companion.floor.evening_store import EveningStore, read_games
from companion.floor.played import MOST_GAMES, EveningLog, PlayedEvening, ReaderCount, ToldGame
from companion.floor.table_on_floor import FloorPlace
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles
from tests.worlds.fresh_table import Fresh
from tests.worlds.many_games import FIRST_TIME, play_scripts, write_many_games
from tests.worlds.visitor import Visitor
from web.context import CONTEXT_KEY, AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets

pytestmark = pytest.mark.usefixtures("patient_floor")

A, GAMES = "aaaaaaaaaaaa", MOST_GAMES + 3


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("played") / "journal.sqlite3"
    write_many_games(path, GAMES, play_scripts(1))
    return path.read_bytes()


@pytest.fixture
def table(tmp_path: Path, journal: bytes) -> Fresh:
    folder = tmp_path / "table"
    folder.mkdir()
    (folder / "journal.sqlite3").write_bytes(journal)
    found = Fresh(folder)
    room: AppContext = found.app.extensions[CONTEXT_KEY]
    room.floor.place = FloorPlace("Table 7")
    room.evening = EveningLog(lambda: FIRST_TIME + 30 * 3600)
    return found


def test_all_games_are_pulled_once_after_the_table_was_away(table: Fresh, tmp_path: Path) -> None:
    """The table knows more games than it tells at once; the floor asks on by itself, and when it
    begins anew it asks for none of them again."""
    room: AppContext = table.app.extensions[CONTEXT_KEY]

    async def story() -> None:
        sockets = bind_sockets(18_960)
        address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/"
        server, tiles = Server(table.app, sockets), FloorTiles(time.monotonic)
        state = msgspec.structs.replace(room.floor.read_state(table.real.table), address=address)
        tiles.hear_state(A, msgspec.json.encode(state))
        for _ in range(2):
            store = EveningStore(tmp_path)
            puller = EveningPuller(store, tiles)
            puller.start()
            async with asyncio.timeout(60):
                while len(list(read_games(store.path, 0))) < GAMES:
                    await asyncio.sleep(0.02)
            assert not await puller.pull(A, "Table 7", address)
            puller.close()
            store.close()
        await server.stop()

    asyncio.run(story())
    found = list(read_games(tmp_path / "evening.sqlite3", 0))
    assert len(found) == GAMES
    assert {(one.name, one.seats) for one in found} == {("Table 7", 3)}
    table.shut()


def test_a_table_tells_no_names_and_begins_anew_for_a_line_it_does_not_have(
    table: Fresh,
) -> None:
    guest = Visitor(table.app)
    told = guest.get("/api/floor/played/0")
    assert (len(told.json["games"]), told.json["has_more"]) == (MOST_GAMES, True)
    names = json.dumps(list(play_scripts(1)[0].lines[0][0].players))  # type: ignore[attr-defined]
    assert not [name for name in json.loads(names) if name in told.text]
    last = told.json["line"]
    assert guest.get(f"/api/floor/played/{last}").json["games"] == []
    assert len(guest.get(f"/api/floor/played/{last + 1}").json["games"]) == MOST_GAMES
    table.shut()


def test_what_can_be_no_game_is_not_kept() -> None:
    sound = ToldGame("a", 3, "box", "Box", 1, 60, 3, 0, 0, False)
    replace = msgspec.structs.replace
    wrong = (
        replace(sound, seconds=-1), replace(sound, seconds=float("nan")), replace(sound, seats=999),
        replace(sound, title="a\x07b"), replace(sound, line=99), replace(sound, id="x" * 99),
    )  # fmt: skip
    readers = (ReaderCount(1, 5), ReaderCount(1, -5), ReaderCount(999, 5))
    told = check_evening(PlayedEvening((sound, *wrong), 9, False, 1.0, readers))
    assert (told.games, told.readers) == ((sound,), readers[:1])


HUGE = b"1" + b"0" * 23
GAME = (
    b'{"id": "a", "line": 3, "game": "box", "title": "Box", "ago": 1, "seconds": 60, "seats": 3,'
    b' "judge_called": 0, "put_right": 0, "is_cut_short": false}'
)


def told(game: bytes, line: bytes = b"9") -> bytes:
    return b'{"games": [' + game + b'], "line": ' + line + b"}"


ODD_ANSWERS = (
    told(GAME.replace(b'"judge_called": 0', b'"judge_called": ' + HUGE)),
    told(GAME.replace(b'"line": 3', b'"line": ' + HUGE), HUGE),
    told(GAME.replace(b'"ago": 1', b'"ago": 1e999')),
    b'{"uptime": ' + HUGE + b"}",
    b'{"uptime": 5, "readers": [{"place": 1, "retries": ' + HUGE + b"}]}",
    b'{"line": ' + HUGE + b"}",
    b"[" * 30_000,
    b"\xff",
    b"",
)
"""Answers that no table of ours gives."""


class OddTable(RequestHandler):
    """Answers one of them, whatever it is asked."""

    def initialize(self, answer: bytes) -> None:
        self._answer = answer

    def get(self) -> None:
        self.finish(self._answer)


def test_a_table_that_answers_nonsense_stops_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each is asked beside one that is well, and whose game comes although it is asked last. What
    cannot even be asked is said once in the log, not every minute."""

    async def story() -> None:
        servers, addresses = [], ["http://a..b/", "http://[/"]
        for answer in (*ODD_ANSWERS, told(GAME)):
            sockets = bind_sockets(19_500)
            server = HTTPServer(Application([(r"/.*", OddTable, {"answer": answer})]))
            server.add_sockets(sockets)
            servers.append(server)
            addresses.append(f"http://127.0.0.1:{sockets[0].getsockname()[1]}/")
        kept = [
            (f"{n:012x}", TableState(name=f"Table {n:02}", address=address))
            for n, address in enumerate(addresses)
        ]
        tiles, store = FloorTiles(time.monotonic, kept), EveningStore(tmp_path)
        for table, _ in kept:
            tiles.note_online(table, True)
        puller = EveningPuller(store, tiles, every=0.0)
        for _ in range(2):
            await puller.pull_due_tables()
        last = kept[-1][0]
        found = [game for game in read_games(store.path, 0) if game.table == last]
        assert [game.title for game in found] == ["Box"]
        puller.close()
        store.close()
        for server in servers:
            server.stop()
            await server.close_all_connections()

    with caplog.at_level(logging.WARNING, "companion.floor"):
        asyncio.run(story())
    failed = [one.getMessage() for one in caplog.records if "evening_pull_failed" in one.msg]
    assert sorted(line.split("table=")[1][:12] for line in failed) == ["0" * 12, "0" * 11 + "1"]


def test_a_day_begins_at_six_in_the_morning() -> None:
    midnight = time.mktime((2026, 3, 4, 0, 0, 0, 0, 0, -1))
    days = [day_of(midnight + hours * 3600) for hours in (-1, 0, 5.9, 6.1, 29)]
    assert [day - days[0] for day in days] == [0, 0, 0, 1, 1]
