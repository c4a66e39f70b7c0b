"""Whatever a broker or a network does, the table goes on, and the floor is right again soon.

How long it all takes is measured, and held to its bars, by bench/floor_faults.py; here nothing may
be lost, queued or waited for.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.floor.broker import parse_broker
from tests.worlds.listening_floor import ListeningFloor
from tests.worlds.mosquitto import (
    Listener,
    Mosquitto,
    make_certificate,
    make_expired_certificate,
    make_passwords,
    until,
)
from tests.worlds.ports import free_port
from tests.worlds.publishing_table import ID, LIMIT, ONLINE, Standing, told_phase
from tests.worlds.wire_relay import WireRelay

pytestmark = pytest.mark.wide
SPLIT = 32.0
"""Longer than two keepalives: table and broker have given each other up."""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    running = Mosquitto(tmp_path).start()
    yield running
    running.kill()


def play_on(table: Standing, phases: range) -> None:
    """Change the table often; no change may wait."""
    assert sum(table.change(f"phase {n}") for n in phases) < LIMIT


@pytest.mark.parametrize("fault", ["killed", "hung", "slow", "split", "cut"])
def test_the_floor_is_right_again_soon_and_no_old_state_comes(
    broker: Mosquitto, fault: str
) -> None:
    with ExitStack() as ending:
        relay = ending.enter_context(closing(WireRelay(broker.port)))
        floor = ending.enter_context(closing(ListeningFloor(broker.address)))
        table = Standing(parse_broker(relay.address))
        table.publisher.start()
        ending.callback(table.publisher.close)
        until(lambda: floor.look(ID) == "playing", "the table")
        begin_fault(fault, broker, relay)
        play_on(table, range(500))
        if fault == "split":
            until(lambda: floor.look(ID) in {"gone", "old"}, "that nothing is heard")
            time.sleep(SPLIT)
        play_on(table, range(500, 1000))
        before = len(relay.sent)
        end_fault(fault, broker, relay)
        until(lambda: (floor.look(ID), floor.phase(ID)) == ("playing", "phase 999"), "the newest")
        assert b"phase 500" not in relay.sent[before:], "an old state was queued"


def begin_fault(fault: str, broker: Mosquitto, relay: WireRelay) -> None:
    if fault == "killed":
        broker.kill()
    elif fault == "hung":
        broker.hold()
    elif fault == "cut":
        relay.way = "refuse"
        relay.cut()
    else:
        relay.way = "slow" if fault == "slow" else "swallow"


def end_fault(fault: str, broker: Mosquitto, relay: WireRelay) -> None:
    if fault == "killed":
        broker.start()
    elif fault == "hung":
        broker.release()
    relay.way = "pass"


def test_a_full_broker_is_asked_again_until_it_has_room(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path, "allow_anonymous true\nmax_connections 2").start()
    listener = Listener(broker)
    other = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    other.connect("127.0.0.1", broker.port)
    other.loop_start()
    until(other.is_connected, "that it is full")
    table = Standing(parse_broker(broker.address))
    table.publisher.start()
    play_on(table, range(500))
    assert ONLINE not in listener.newest
    other.disconnect()
    other.loop_stop()
    until(lambda: told_phase(listener) == "phase 499", "the newest")
    table.publisher.close()
    listener.close()
    broker.kill()


def test_after_a_wrong_password_is_put_right_the_table_comes(tmp_path: Path) -> None:
    """The password is put right at the broker, under a table that goes on."""
    passwords = make_passwords(tmp_path, "floor", "another")
    lines = f"allow_anonymous false\npassword_file {passwords}\nuser root"
    broker = Mosquitto(tmp_path, lines).start()
    login = tmp_path / "login"
    login.write_text("floor:right\n", "utf-8")
    table = Standing(parse_broker(broker.address, str(login)))
    table.publisher.start()
    play_on(table, range(500))
    broker.kill()
    make_passwords(tmp_path, "floor", "right")
    broker.start()
    listener = Listener(broker, "floor", "right")
    until(lambda: told_phase(listener) == "phase 499", "the newest")
    table.publisher.close()
    listener.close()
    broker.kill()


def test_an_expired_certificate_is_refused_and_a_new_one_believed(tmp_path: Path) -> None:
    """It is the same for a table whose own clock stands before the first day of a certificate."""
    old, new = make_expired_certificate(tmp_path), make_certificate(tmp_path, "new")
    trusted = tmp_path / "trusted.pem"
    trusted.write_bytes(old.read_bytes() + new.read_bytes())
    plain, brokers = free_port(), list[Mosquitto]()
    for certificate in (old, new):
        key = certificate.with_suffix(".key")
        folder = tmp_path / certificate.stem
        folder.mkdir()
        lines = f"certfile {certificate}\nkeyfile {key}\nlistener {plain} 127.0.0.1\n"
        brokers.append(Mosquitto(folder, f"{lines}allow_anonymous true\nuser root"))
    first, second = brokers
    relay = WireRelay(first.port)
    first.start()
    listener = Listener(first, port=plain)
    address = f"mqtts://127.0.0.1:{relay.port}"
    table = Standing(parse_broker(address, authority=str(trusted)))
    table.publisher.start()
    until(lambda: relay.sent, "a handshake")
    play_on(table, range(500))
    time.sleep(3)  # Long enough for a second try.
    assert listener.newest == {}
    listener.close()
    first.kill()
    relay.lead_to(second.port)
    second.start()
    listener = Listener(second, port=plain)
    until(lambda: told_phase(listener) == "phase 499", "the newest")
    table.publisher.close()
    listener.close()
    second.kill()
    relay.close()
