"""What a floor knows: the newest state of each table, its age, and nothing else."""

import msgspec
import pytest

from companion.app.floor import parse_broker
from companion.core.errors import Malformed
from companion.floor import (
    FRESH,
    MOST_TABLES,
    CalledStaff,
    FloorTiles,
    TableState,
    discovery_document,
    parse_state,
)

replace = msgspec.structs.replace
PLAYING = TableState(name="Table 7", game="Box", phase="seal", players=3)
A, B, C, D = ("a" * 12, "b" * 12, "c" * 12, "d" * 12)


class Floor:
    def __init__(self) -> None:
        self.now = 100.0
        self.tiles = FloorTiles(lambda: self.now)

    def hears(self, table: str, state: TableState, is_kept: bool = False) -> None:
        self.tiles.hear_state(table, msgspec.json.encode(state), is_kept)

    def looks(self) -> dict[str, str]:
        return {tile.table: self.tiles.look_of(tile) for tile in self.tiles.list_tiles()}


@pytest.fixture
def floor() -> Floor:
    return Floor()


def test_what_is_old_or_was_kept_by_the_broker_is_not_shown_as_well(floor: Floor) -> None:
    floor.tiles.hear_online(A, True)
    floor.hears(A, PLAYING, is_kept=True)
    assert floor.looks() == {A: "old"}
    floor.hears(A, PLAYING)
    assert floor.looks() == {A: "playing"}
    floor.now += FRESH + 1
    assert floor.looks() == {A: "old"}
    floor.tiles.hear_state(A, b"", False)
    assert floor.looks() == {}, "the table has taken its state back"


def test_tables_that_have_left_take_no_place_of_others(floor: Floor) -> None:
    for n in range(MOST_TABLES):
        floor.hears(f"{n:012x}", PLAYING)
        floor.tiles.hear_state(f"{n:012x}", b"", False)
    floor.tiles.hear_online(A, True)
    floor.hears(A, PLAYING, is_kept=True)
    assert floor.looks() == {A: "old"}


@pytest.mark.parametrize(
    ("state", "look"),
    [
        (replace(PLAYING, stopped="ended"), "free"), (replace(PLAYING, stopped="frozen"), "judge"),
        (replace(PLAYING, light="amber"), "amber"), (replace(PLAYING, light="red"), "red"),
        (replace(PLAYING, light="red", call=CalledStaff(1, 2, 5)), "call"),
    ],
)  # fmt: skip
def test_a_tile_shows_the_most_urgent_and_a_call_before_all(
    floor: Floor, state: TableState, look: str
) -> None:
    floor.hears(A, state)
    assert floor.looks() == {A: look}
    floor.tiles.hear_online(A, False)
    assert floor.looks() == {A: "call" if state.call else "gone"}


def test_calls_come_first_the_oldest_before_and_then_names_as_people_count(floor: Floor) -> None:
    floor.hears(A, replace(PLAYING, name="Table 10"))
    floor.hears(B, replace(PLAYING, name="Table 9"))
    floor.hears(C, replace(PLAYING, name="Zoo", call=CalledStaff(1, 2, 5)))
    floor.hears(D, replace(PLAYING, name="Yak", call=CalledStaff(1, 2, 50)))
    assert [*floor.looks()] == [D, C, B, A]


@pytest.mark.parametrize(
    "payload",
    [b"x", b"[]", b'{"name": 7}', b"{}", b'{"name": "a\\u0007b"}', b'{"name": "' + b"x" * 5000],
)
def test_what_is_no_state_changes_nothing(floor: Floor, payload: bytes) -> None:
    floor.tiles.hear_state(A, payload, False)
    assert floor.looks() == {}


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        ("http://192.168.1.21:8000/", True), ("http://table-7.local/", True),
        ("http://[fd00::7]:8000/", True), ("javascript:alert(1)//", False), ("//host/", False),
        ("http://u@a/", False), ("http://a b/", False), ("http://a/\n", False),
    ],
)  # fmt: skip
def test_only_the_address_of_a_page_becomes_a_link(address: str, is_link: bool) -> None:
    state = parse_state(msgspec.json.encode(replace(PLAYING, address=address)))
    assert state is not None
    assert state.address == (address if is_link else "")


def test_home_assistant_is_told_what_its_schema_knows() -> None:
    """The fields are those of its schema for the discovery of a device."""
    document = discovery_document(A, replace(PLAYING, address="http://table-7.local/"))
    assert document["device"]["configuration_url"] == "http://table-7.local/"
    assert "configuration_url" not in discovery_document(A, PLAYING)["device"]
    parts = document["components"]
    allowed = {
        "platform", "unique_id", "name", "value_template", "expire_after", "icon", "device_class",
    }  # fmt: skip
    assert all(set(part) <= allowed for part in parts.values())
    assert len({part["unique_id"] for part in parts.values()}) == len(parts) == 5
    assert parts["problem"]["device_class"] == "problem"
    assert {parts[name]["platform"] for name in ("problem", "staff")} == {"binary_sensor"}


@pytest.mark.parametrize(
    "address", ["mqtt://", "http://a", "mqtts://u:p@host", "mqtt://a:99999999", "mqtt://[::1"]
)
def test_what_is_no_broker_is_refused_without_telling_a_password(address: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_broker(address)
    assert "p@" not in refused.value.field
