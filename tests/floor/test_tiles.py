"""What a floor knows: the newest state of each table, its age, and nothing else."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.floor.broker import parse_broker
from companion.floor.store import FILE, FloorStore
from companion.floor.table_state import CalledStaff, TableState
from companion.floor.tiles import FRESH, FloorTiles, RoomSpot, parse_state

replace = msgspec.structs.replace
PLAYING = TableState(name="Table 7", game="Box", phase="seal", players=3)
A, B, C = "aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"


class Floor:
    def __init__(self) -> None:
        self.now = 100.0
        self.changed: list[str] = []
        self.tiles = FloorTiles(lambda: self.now, on_change=self.changed.append)

    def hears(self, table: str, state: TableState, *, is_kept: bool = False) -> bool:
        return self.tiles.hear_state(table, msgspec.json.encode(state), is_kept=is_kept)

    def look(self, table: str) -> str:
        return self.tiles.look_of(self.tiles[table])


@pytest.fixture
def floor() -> Floor:
    return Floor()


def test_what_is_old_is_never_shown_as_well(floor: Floor) -> None:
    assert floor.hears(A, PLAYING)
    assert floor.look(A) == "playing"
    floor.now += FRESH + 1
    assert floor.look(A) == "old"
    assert floor.hears(A, PLAYING)
    assert floor.look(A) == "playing"


def test_what_the_broker_kept_is_of_unknown_age(floor: Floor) -> None:
    floor.hears(A, PLAYING, is_kept=True)
    assert (floor.look(A), floor.tiles.age_of(floor.tiles[A])) == ("gone", None)
    floor.tiles.note_online(A, True)
    assert floor.look(A) == "old"


def test_calls_come_first_the_oldest_before_and_then_names_as_people_count(floor: Floor) -> None:
    for table, name in ((A, "Table 10"), (B, "Table 9")):
        floor.hears(table, replace(PLAYING, name=name))
    floor.hears(C, replace(PLAYING, name="Zoo", call=CalledStaff(1, 2, 5)))
    floor.hears("d" * 12, replace(PLAYING, name="Yak", call=CalledStaff(1, 2, 50)))
    names = [tile.state.name for tile in floor.tiles.list_tiles()]
    assert names == ["Yak", "Zoo", "Table 9", "Table 10"]


def test_a_table_that_is_gone_says_so_and_is_forgotten_only_by_hand(floor: Floor) -> None:
    floor.hears(A, PLAYING)
    floor.tiles.note_online(A, False)
    assert floor.look(A) == "gone"
    assert floor.tiles.forget_table(A)
    assert (A in floor.tiles, floor.tiles.forget_table(A)) == (False, False)
    assert floor.changed == [A, A, A]


@pytest.mark.parametrize(
    "payload",
    [b"x", b"[]", b'{"name": 7}', b"{}", b'{"name": "a\\u0007b"}', b'{"name": "' + b"x" * 5000],
)
def test_what_is_no_state_changes_nothing(floor: Floor, payload: bytes) -> None:
    assert not floor.tiles.hear_state(A, payload)
    assert A not in floor.tiles


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)//", "ftp://a/", "http://", "//host/", "http://a..b/", "http://-a/",
        "http://a:99999/", "http://a:x/", "http://u@a/", "http://u:p@a/", "http://[::1/",
        "http://[1.2.3.4]/", "http://" + "a" * 64 + "/", "http://\u00e4/", "http://a b/",
        "http://a/\t", "http://a/b\nc", "http://256.1.1.1.1:0/",
    ],
)  # fmt: skip
def test_an_address_that_is_no_page_is_no_link(address: str) -> None:
    state = parse_state(msgspec.json.encode(replace(PLAYING, address=address)))
    assert state is not None
    assert state.address == ""


@pytest.mark.parametrize(
    "address",
    [
        "http://192.168.1.21:8000/", "http://table-7.local:8000", "http://[fd00::7]:8000/",
        "http://localhost/", "http://Tisch-7.fritz.box./",
    ],
)  # fmt: skip
def test_the_address_of_a_table_is_a_link(address: str) -> None:
    state = parse_state(msgspec.json.encode(replace(PLAYING, address=address)))
    assert state is not None
    assert state.address == address


HUGE = b"1" + b"0" * 23


@pytest.mark.parametrize(
    "part",
    [
        b'"players": %s', b'"seconds": -1', b'"seconds": %s', b'"waiting": [%s]', b'"version": %s',
        b'"call": {"number": %s, "seat": 1, "seconds": 1}',
        b'"call": {"number": 1, "seat": 1, "seconds": %s}',
        b'"call": {"number": 1, "seat": -1, "seconds": 1}',
    ],
)  # fmt: skip
def test_a_number_that_no_table_has_is_no_state(part: bytes) -> None:
    """The floor could not keep it: for all tables nothing would be written any more."""
    written = part % HUGE if b"%s" in part else part
    assert parse_state(b'{"name": "Table 7", ' + written + b"}") is None


def test_a_later_version_is_read_as_far_as_it_is_known(floor: Floor) -> None:
    later = {**msgspec.to_builtins(PLAYING), "version": 9, "weather": "fine"}
    assert floor.tiles.hear_state(A, msgspec.json.encode(later))


def test_a_floor_that_starts_again_knows_its_tables_without_their_calls(tmp_path: Path) -> None:
    store = FloorStore(tmp_path)
    store.keep_states([(A, replace(PLAYING, call=CalledStaff(1, 2, 5))), (B, PLAYING)])
    store.forget_table(B)
    store.close()
    again = FloorStore(tmp_path)
    tiles = FloorTiles(lambda: 0.0, again.load_states())
    again.close()
    assert [(tile.table, tile.state.call) for tile in tiles.list_tiles()] == [(A, None)]
    assert tiles.look_of(tiles[A]) == "gone"


def test_a_table_that_was_forgotten_through_the_broker_does_not_come_back(tmp_path: Path) -> None:
    """Another floor at the same broker, or the table itself, erased what the broker kept."""
    store, changed = FloorStore(tmp_path), list[str]()
    tiles = FloorTiles(lambda: 0.0, on_change=changed.append)
    for table in (A, B):
        tiles.hear_state(table, msgspec.json.encode(PLAYING))
        store.keep_spot(table, RoomSpot(0.5, 0.5))
    assert store.keep_changes(changed, tiles) == set()
    tiles.hear_state(A, b"")
    assert store.keep_changes([A], tiles) == set()
    store.close()
    again = FloorStore(tmp_path)
    assert [table for table, _ in again.load_states()] == [B]
    assert set(again.load_spots()) == {B}
    again.close()


def test_the_disk_is_waited_for_where_something_is_acknowledged_and_nowhere_else(
    tmp_path: Path,
) -> None:
    store, done, syncs = FloorStore(tmp_path), list[str](), list[str]()
    store._file.set_trace_callback(done.append)
    store.keep_states([(A, PLAYING), (B, PLAYING)])
    store.keep_spot(A, RoomSpot(0.5, 0.5))
    store.forget_table(B)
    store.close()
    waits = "FULL"
    for said in done:
        waits = said.partition("synchronous=")[2] or waits
        if said.startswith(("INSERT", "DELETE", "COMMIT")):
            syncs.append(f"{said.split()[0]} {waits}")
    kept, acknowledged = ["INSERT NORMAL"] * 2, ["INSERT FULL", "DELETE FULL", "DELETE FULL"]
    assert syncs == [*kept, "COMMIT NORMAL", *acknowledged]


def test_the_checkpoint_runs_only_where_it_is_asked_for(tmp_path: Path) -> None:
    """That is on a thread of its own: left to itself, SQLite runs it after 1,000 pages."""
    store, file = FloorStore(tmp_path), tmp_path / FILE
    states = [(f"{n:012x}", PLAYING) for n in range(400)]
    before = file.read_bytes()
    for players in range(60):
        store.keep_states([(table, replace(state, players=players)) for table, state in states])
    assert file.read_bytes() == before
    other = Thread(target=store.run_checkpoint)
    other.start()
    other.join()
    shutil.copy(file, tmp_path / "alone")
    with closing(sqlite3.connect(tmp_path / "alone")) as alone:
        ((count,),) = alone.execute("SELECT count(*) FROM tables")
    assert count == 400
    store.close()


def test_the_plan_of_the_room_is_kept_and_a_forgotten_table_leaves_it(tmp_path: Path) -> None:
    store, floor = FloorStore(tmp_path), FloorTiles(lambda: 0.0)
    for table in (A, B):
        floor.hear_state(table, msgspec.json.encode(PLAYING))
        floor.move_table(table, RoomSpot(0.2, 0.4))
        store.keep_spot(table, RoomSpot(0.2, 0.4))
    floor.forget_table(B)
    store.forget_table(B)
    store.close()
    again = FloorStore(tmp_path)
    assert again.load_spots() == floor.spots == {A: RoomSpot(0.2, 0.4)}
    again.close()


@pytest.mark.parametrize(
    "address", ["mqtt://", "http://a", "mqtts://u:p@host", "mqtt://a:99999999", "mqtt://[::1"]
)
def test_what_is_no_broker_is_refused_without_telling_a_password(address: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_broker(address)
    assert "p@" not in refused.value.field
