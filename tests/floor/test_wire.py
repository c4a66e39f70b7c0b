"""Every byte between a table and its broker: the same in two worlds that differ only in secrets."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from bench.floor_demo import start_table
from companion.app.floor.publisher import TablePublisher
from companion.app.state_files import make_new_pin
from companion.floor.broker import parse_broker
from companion.floor.table_on_floor import FloorPlace, TableOnFloor
from companion.floor.table_state import TableState
from companion.games import game_names
from companion.table.table import Table
from tests.worlds.mosquitto import Listener, Mosquitto, until
from tests.worlds.publishing_table import DISCOVERY, ID, ONLINE, STATE, Standing
from tests.worlds.request_campaign import served
from tests.worlds.standing_tables import NEVER, states
from tests.worlds.two_worlds import OTHER_WORLD
from tests.worlds.wire_relay import WireRelay
from web.context import CONTEXT_KEY

pytestmark = pytest.mark.wide
DISCONNECT = b"\xe0\x00"
NAMES = ("Zenobia", "Quintus", "Walpurga")
FIELDS = set(TableState.__struct_fields__)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    running = Mosquitto(tmp_path).start()
    yield running
    running.kill()


def test_the_relay_passes_on_what_it_records(broker: Mosquitto) -> None:
    with closing(WireRelay(broker.port)) as relay, closing(Listener(broker)) as listener:
        table = Standing(parse_broker(relay.address))
        table.publisher.start()
        until(lambda: {STATE, ONLINE, DISCOVERY} <= listener.newest.keys(), "all three documents")
        table.publisher.close()
        assert all(told in relay.sent for told in listener.newest.values())
        assert b"Table 7" in relay.sent


@pytest.mark.parametrize("game", game_names())
def test_the_bytes_are_the_same_in_two_worlds(broker: Mosquitto, tmp_path: Path, game: str) -> None:
    """They differ in every card, hand and purse that the table screen does not show, and in every
    name. Each world connects, tells its state, is called, is answered, and leaves."""
    for name in [name for name in states(game) if name not in NEVER]:
        table: Table = served(tmp_path / name, game, name).extensions[CONTEXT_KEY].table
        one = record_wire(broker, table)
        assert not [p.name for p in table.state.players if p.name.encode() in one]
        replace, state = msgspec.structs.replace, table.state
        players = tuple(replace(p, name=f"Other {n}") for n, p in enumerate(state.players))
        other = replace(OTHER_WORLD[game](state, 0, Random(7)), players=players)
        table.history = replace(table.history, state=other)
        assert record_wire(broker, table) == one


RARELY = 1e6
"""Seconds; what a table says again by itself would be in one recording only."""


def record_wire(broker: Mosquitto, table: Table) -> bytes:
    """Let this table be on the floor for a moment; return all that it sent."""
    on_floor = TableOnFloor(FloorPlace("Table 7", "Window"))
    with closing(WireRelay(broker.port)) as relay, closing(Listener(broker)) as listener:
        publisher = TablePublisher(
            parse_broker(relay.address), ID, lambda: on_floor.read_state(table), lambda: ID,
            heartbeat=RARELY, anew=RARELY,
        )  # fmt: skip
        publisher.start()
        until(
            lambda: listener.newest.get(ONLINE) == b"1" and listener.heard[-1][0] == STATE,
            "the table and its state, beside what the broker kept of the recording before",
        )
        on_floor.calls.call(2)
        publisher.note_change()
        until(lambda: b'"seat":2' in listener.newest.get(STATE, b""), "the call")
        on_floor.calls.answer()
        publisher.note_change()
        until(lambda: b'"call":null' in listener.newest.get(STATE, b""), "the answer")
        publisher.close()
        until(lambda: relay.sent.endswith(DISCONNECT), "the farewell")
        return bytes(relay.sent)


def test_a_whole_program_with_bots_tells_nothing_of_them(broker: Mosquitto, tmp_path: Path) -> None:
    """A real program plays through the relay; each name, its PIN and its cookies are looked for."""
    with ExitStack() as running, closing(WireRelay(broker.port)) as relay:
        listener = running.enter_context(closing(Listener(broker)))
        start_table(1, relay.address, tmp_path, running, players=",".join(NAMES), pace="fast")
        until(lambda: len(listener.heard) > 25, "a game that goes on")
        pin, is_running = make_new_pin(tmp_path / "table-1")
        told = len(listener.heard)
        until(lambda: len(listener.heard) > told + 5, "that it goes on with another PIN")
        sent = bytes(relay.sent)
    assert is_running
    for secret in (*NAMES, pin, "session", "cookie"):
        assert secret.encode() not in sent
    for topic, payload in listener.heard:
        if topic.endswith("/state"):
            assert set(msgspec.json.decode(payload)) <= FIELDS
