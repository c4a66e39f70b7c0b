"""A table publishes itself at a real Mosquitto: what is on the wire, and what a broker can do."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import msgspec
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from companion.app.floor.publisher import KEPT
from companion.app.floor.takeover import TakeoverWatch
from companion.core.errors import Malformed
from companion.floor.broker import parse_broker
from companion.floor.table_on_floor import FloorPlace, TableOnFloor
from companion.games import game_names
from companion.table.table import Table
from tests.worlds.listening_floor import ListeningFloor
from tests.worlds.mosquitto import (
    Listener,
    Mosquitto,
    make_certificate,
    make_passwords,
    require_mosquitto,
    until,
)
from tests.worlds.ports import free_port
from tests.worlds.publishing_table import (
    DISCOVERY,
    ID,
    LIMIT,
    ONLINE,
    STATE,
    Standing,
    told_phase,
)
from tests.worlds.request_campaign import served
from tests.worlds.standing_tables import NEVER, states
from tests.worlds.two_worlds import OTHER_WORLD
from tests.worlds.wire_relay import WireRelay
from web.context import CONTEXT_KEY


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    running = Mosquitto(tmp_path).start()
    yield running
    running.kill()


@pytest.mark.wide
def test_state_will_and_discovery_are_retained(broker: Mosquitto) -> None:
    table = Standing(parse_broker(broker.address))
    table.publisher.start()
    listener = Listener(broker)
    until(lambda: {STATE, ONLINE, DISCOVERY} <= listener.newest.keys(), "all three documents")
    late = Listener(broker)
    until(lambda: late.newest.get(ONLINE) == b"1", "what the broker keeps")
    table.change("open")
    until(lambda: told_phase(listener) == "open", "the change")
    document = msgspec.json.decode(listener.newest[DISCOVERY])
    assert document["device"]["name"] == "Table 7"
    assert set(document["components"]) == {"game", "light", "judge", "staff"}
    table.publisher.close()
    until(lambda: listener.newest[ONLINE] == b"0", "the farewell")
    for each in (listener, late):
        each.close()


@pytest.mark.wide
def test_a_table_without_a_name_takes_everything_back(broker: Mosquitto) -> None:
    table = Standing(parse_broker(broker.address))
    table.publisher.start()
    listener = Listener(broker)
    until(lambda: listener.newest.get(ONLINE) == b"1", "the table")
    table.on_floor.place = FloorPlace()
    table.change("open")
    until(lambda: listener.newest.get(STATE) == listener.newest[ONLINE] == b"", "nothing")
    table.publisher.close()
    listener.close()


@pytest.mark.wide
def test_a_killed_broker_hears_everything_again(broker: Mosquitto) -> None:
    table = Standing(parse_broker(broker.address))
    table.publisher.start()
    first = Listener(broker)
    until(lambda: first.newest.get(ONLINE) == b"1", "the table")
    first.close()
    broker.kill()
    waits = [table.change(f"phase {n}") for n in range(200)]
    broker.start()
    second = Listener(broker)
    until(lambda: told_phase(second) == "phase 199", "the newest state")
    until(lambda: second.newest.get(ONLINE) == b"1", "that it is there")
    assert sum(waits) < LIMIT
    assert not [one for one in second.heard if b"phase 0" in one[1]], "an old state queued"
    table.publisher.close()
    second.close()


@pytest.mark.wide
def test_a_broker_that_hangs_is_waited_for_by_nobody(broker: Mosquitto) -> None:
    table = Standing(parse_broker(broker.address))
    table.publisher.start()
    listener = Listener(broker)
    until(lambda: listener.newest.get(ONLINE) == b"1", "the table")
    broker.hold()
    waits = [table.change(f"phase {n}") for n in range(2000)]
    broker.release()
    until(lambda: told_phase(listener) == "phase 1999", "the newest state")
    assert sum(waits) < LIMIT
    table.publisher.close()
    listener.close()


@pytest.mark.wide
def test_of_two_tables_with_one_id_one_draws_another(broker: Mosquitto) -> None:
    one, two = (Standing(parse_broker(broker.address), name) for name in ("One", "Two"))
    listener = Listener(broker)
    one.publisher.start()
    until(lambda: listener.newest.get(ONLINE) == b"1", "the first table")
    two.publisher.start()
    until(lambda: listener.newest.get("companion/ba9876543210/online") == b"1", "another id")
    until(lambda: listener.newest.get(ONLINE) == b"1", "the one that kept it")
    assert len(one.drawn) + len(two.drawn) == 1
    for table in (one, two):
        table.publisher.close()
    listener.close()


@pytest.mark.wide
def test_a_broker_that_is_started_again_and_again_is_not_taken_for_another_table(
    broker: Mosquitto,
) -> None:
    """Each connection is short, as with another table of this id; but the broker itself goes."""
    table = Standing(parse_broker(broker.address))
    table.publisher.start()
    for n in range(6):
        listener = Listener(broker)
        until(lambda listener=listener: listener.newest.get(ONLINE) == b"1", f"round {n}")
        listener.close()
        broker.kill()
        broker.start()
    assert table.drawn == []
    table.publisher.close()


@pytest.mark.parametrize(("code", "is_taken"), [(0x8E, True), (0x8B, False), (0x80, False)])
def test_a_broker_that_says_that_another_has_the_id_is_believed(code: int, is_taken: bool) -> None:
    """Taken over; shut down; not said why."""
    watch = TakeoverWatch(parse_broker(f"mqtt://127.0.0.1:{free_port()}"), "companion")
    watch.note_connected()
    watch.note_lost(ReasonCode(PacketTypes.DISCONNECT, identifier=code))
    assert watch.is_taken_over() is is_taken
    watch.close()


def test_a_real_broker_tells_a_table_its_death_and_that_it_was_not_forgotten(
    tmp_path: Path,
) -> None:
    """The short way through a real Mosquitto, in every run; the faults are for wider ones."""
    require_mosquitto()
    with ExitStack() as ending:
        broker = Mosquitto(tmp_path).start()
        ending.callback(broker.kill)
        relay = ending.enter_context(closing(WireRelay(broker.port)))
        floor = ending.enter_context(closing(ListeningFloor(broker.address)))
        listener = ending.enter_context(closing(Listener(broker)))
        table = Standing(parse_broker(relay.address), heartbeat=0.1, anew=0.3)
        table.publisher.start()
        ending.callback(table.publisher.close)
        until(lambda: floor.look(ID) == "playing", "the table")
        floor.forget_table(ID)
        until(lambda: (DISCOVERY, b"") in listener.heard, "that it is forgotten")
        until(lambda: floor.look(ID) == "playing", "the table, which is there all the same")
        until(lambda: listener.newest.get(DISCOVERY), "what Home Assistant is told")
        late = ending.enter_context(closing(Listener(broker)))
        until(lambda: {ONLINE, STATE, DISCOVERY} <= late.expiries.keys(), "all, kept for a time")
        assert late.newest[ONLINE] == b"1", "the broker keeps it again"
        assert all(0 < seconds <= KEPT for seconds in late.expiries.values())
        relay.way = "refuse"
        relay.cut()
        until(lambda: floor.look(ID) == "gone", "its death")
        last = ending.enter_context(closing(Listener(broker)))
        until(lambda: last.newest.get(ONLINE) == b"0", "what the broker keeps of it")
        assert 0 < last.expiries[ONLINE] <= KEPT


@pytest.mark.wide
def test_a_wrong_password_is_refused_and_the_right_one_let_in(tmp_path: Path) -> None:
    passwords = make_passwords(tmp_path, "floor", "right")
    lines = f"allow_anonymous false\npassword_file {passwords}\nuser root"
    broker = Mosquitto(tmp_path, lines).start()
    listener = Listener(broker, "floor", "right")
    for password in ("wrong", "right"):
        login = tmp_path / password
        login.write_text(f"floor:{password}\n", "utf-8")
        table = Standing(parse_broker(broker.address, str(login)))
        table.publisher.start()
        if password == "right":
            until(lambda: listener.newest.get(ONLINE) == b"1", "the table")
        else:
            assert sum(table.change(f"phase {n}") for n in range(50)) < LIMIT
            assert ONLINE not in listener.newest
        table.publisher.close()
    listener.close()
    broker.kill()


def test_a_port_that_never_answers_costs_the_table_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        threads = threading.active_count()
        table = Standing(parse_broker(f"mqtt://127.0.0.1:{mute.getsockname()[1]}"))
        table.publisher.start()
        assert sum(table.change(f"phase {n}") for n in range(2000)) < LIMIT
        assert threading.active_count() <= threads + 2
        table.publisher.close()


@pytest.mark.wide
@pytest.mark.parametrize("game", game_names())
def test_what_is_published_is_the_same_in_two_worlds(tmp_path: Path, game: str) -> None:
    """They differ in every card, hand and purse that the table screen does not show, and in every
    name."""
    for name in states(game):
        if name in NEVER:
            continue
        table: Table = served(tmp_path / name, game, name).extensions[CONTEXT_KEY].table
        on_floor, state = TableOnFloor(FloorPlace("Table 7")), table.state
        told = msgspec.json.encode(on_floor.read_state(table))
        assert all(player.name.encode() not in told for player in state.players)
        players = tuple(
            msgspec.structs.replace(player, name=f"Other {n}")
            for n, player in enumerate(state.players)
        )
        other = msgspec.structs.replace(OTHER_WORLD[game](state, 0, Random(7)), players=players)
        table.history = msgspec.structs.replace(table.history, state=other)
        assert msgspec.json.encode(on_floor.read_state(table)) == told


@pytest.mark.wide
def test_by_tls_only_the_right_certificate_is_spoken_to(tmp_path: Path) -> None:
    right, other = (make_certificate(tmp_path, name) for name in ("right", "other"))
    plain = free_port()
    lines = f"certfile {right}\nkeyfile {right.with_suffix('.key')}\n"
    broker = Mosquitto(
        tmp_path, f"{lines}listener {plain} 127.0.0.1\nallow_anonymous true\nuser root"
    )
    broker.start()
    listener = Listener(broker, port=plain)
    address = f"mqtts://127.0.0.1:{broker.port}"
    mistaken = Standing(parse_broker(address, authority=str(other)))
    mistaken.publisher.start()
    assert sum(mistaken.change(f"phase {n}") for n in range(200)) < LIMIT
    time.sleep(2)  # Long enough for a second try.
    assert listener.newest == {}
    mistaken.publisher.close()
    table = Standing(parse_broker(address, authority=str(right)))
    table.publisher.start()
    until(lambda: listener.newest.get(ONLINE) == b"1", "the table")
    table.publisher.close()
    listener.close()
    broker.kill()


def test_a_certificate_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.pem"
    with pytest.raises(Malformed, match=r"none\.pem"):
        Standing(parse_broker("mqtts://127.0.0.1", authority=str(missing)))
