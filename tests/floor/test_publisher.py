"""A table publishes itself at a real Mosquitto, and whatever that does, the table goes on."""

import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.app.floor import Broker, TablePublisher, make_client, parse_broker
from companion.core.errors import Malformed
from companion.core.i18n import message
from companion.floor import TableOnFloor, TableState, discovery_document
from companion.host.health import Light
from companion.host.settings import FloorPlace, TableSettings
from companion.table.table import Table
from tests.worlds.campaign import pick
from tests.worlds.mosquitto import Listener, Mosquitto, until
from tests.worlds.own_games import own_games
from tests.worlds.standing_tables import NEVER, served, states
from tests.worlds.two_worlds import OTHER_WORLD
from web.context import CONTEXT_KEY

ID = "0123456789ab"
STATE, ONLINE = f"companion/{ID}/state", f"companion/{ID}/online"
DISCOVERY = f"homeassistant/device/companion_{ID}/config"
LIMIT = 60.0
"""Seconds that thousands of changes may take at most, on however busy a machine."""


class Publishing:
    """A table of which only the phase changes, and what publishes it."""

    def __init__(self, broker: Broker) -> None:
        self.state = TableState(name="Table 7", game="Box", phase="seal")
        self.publisher = TablePublisher(broker, ID, lambda: self.state)
        self._ends = threading.Event()
        self._loop = threading.Thread(target=self._run)
        self._loop.start()

    def _run(self) -> None:
        """Take the step of the event loop, again and again."""
        while not self._ends.wait(0.005):
            self.publisher.publish_when_due()

    def close(self) -> None:
        self._ends.set()
        self._loop.join()
        self.publisher.close()

    def change(self, phase: str, name: str = "Table 7") -> float:
        """Change; return for how many seconds the table was kept by that."""
        self.state = msgspec.structs.replace(self.state, phase=phase, name=name)
        begun = time.perf_counter()
        self.publisher.note_change()
        return time.perf_counter() - begun


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    running = Mosquitto(tmp_path)
    yield running
    running.kill()


@pytest.fixture
def publish() -> Iterator[Callable[..., Publishing]]:
    made = list[Publishing]()

    def begin(address: str, login: str = "") -> Publishing:
        made.append(Publishing(parse_broker(address, login)))
        return made[-1]

    yield begin
    for each in made:
        each.close()


def phase_at(listener: Listener) -> str:
    told = listener.newest.get(STATE)
    return msgspec.json.decode(told, type=TableState).phase if told else ""


def test_all_is_kept_by_the_broker_changed_and_taken_back_with_the_name(
    broker: Mosquitto, publish: Callable[..., Publishing]
) -> None:
    table = publish(broker.address)
    with closing(Listener(broker)) as first:
        until(lambda: first.newest.get(ONLINE) == b"1", "the table")
        table.change("open")
        until(lambda: phase_at(first) == "open", "the change")
    with closing(Listener(broker)) as late:
        until(lambda: {STATE, ONLINE, DISCOVERY} == set(late.newest), "what the broker keeps")
        table.change("open", name="")
        until(lambda: {*late.newest.values()} == {b""}, "nothing")
        table.change("open")
        until(lambda: late.newest[ONLINE] == b"1", "the table")
        table.close()
        until(lambda: late.newest[ONLINE] == b"0", "the farewell")


@pytest.mark.parametrize("fault", ["killed", "hung"])
def test_a_broker_that_is_killed_or_hangs_is_waited_for_by_nobody(
    broker: Mosquitto, publish: Callable[..., Publishing], fault: str
) -> None:
    table = publish(broker.address)
    with closing(Listener(broker)) as listener:
        until(lambda: listener.newest.get(ONLINE) == b"1", "the table")
    if fault == "killed":
        broker.kill()
    else:
        broker.hold()
    waits = [table.change(f"phase {n}") for n in range(2000)]
    assert sum(waits) < LIMIT
    if fault == "killed":
        broker.start()
    else:
        broker.release()
    with closing(Listener(broker)) as listener:
        until(lambda: phase_at(listener) == "phase 1999", "the newest state")
        until(lambda: listener.newest.get(ONLINE) == b"1", "that it is there")


@pytest.mark.usefixtures("broker")  # It is skipped where there is none.
def test_a_wrong_password_is_refused_and_the_right_one_let_in(
    tmp_path: Path, publish: Callable[..., Publishing]
) -> None:
    passwords = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "floor", "right"], check=True)
    passwords.chmod(0o644)
    broker = Mosquitto(tmp_path, f"allow_anonymous false\npassword_file {passwords}\nuser root")
    with closing(Listener(broker, "floor", "right")) as listener:
        for password in ("wrong", "right"):
            login = tmp_path / password
            login.write_text(f"floor:{password}\n", "utf-8")
            table = publish(broker.address, str(login))
            assert sum(table.change(f"{password} {n}") for n in range(2000)) < LIMIT
        until(lambda: phase_at(listener) == "right 1999", "the table")
        assert b"wrong" not in b"".join(payload for _, payload in listener.heard)
    broker.kill()


def test_by_tls_a_broker_with_another_certificate_is_not_spoken_to(tmp_path: Path) -> None:
    for name in ("right", "other"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
             "-keyout", tmp_path / f"{name}.key", "-out", tmp_path / f"{name}.pem"],
            check=True, capture_output=True,
        )  # fmt: skip
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "other.pem", tmp_path / "other.key")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"mqtts://localhost:{server.getsockname()[1]}"
        client = make_client(parse_broker(address, authority=str(tmp_path / "right.pem")))
        client.loop_start()
        caller, _ = server.accept()
        with pytest.raises(ssl.SSLError, match="ALERT_UNKNOWN_CA"):
            context.wrap_socket(caller, server_side=True)
        client.disconnect()
        client.loop_stop()
        caller.close()
    with pytest.raises(Malformed, match=r"none\.pem"):
        make_client(parse_broker(address, authority=str(tmp_path / "none.pem")))


def test_without_the_library_the_option_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(Malformed, match="python3-paho-mqtt"):
        make_client(parse_broker("mqtt://localhost"))


@pytest.mark.parametrize("game", own_games())
def test_what_is_published_is_the_same_in_two_worlds(tmp_path: Path, game: str) -> None:
    """They differ in every card, hand and purse that the table screen does not show, and in every
    name."""
    replace = msgspec.structs.replace
    for name in [name for name in states(game) if name != NEVER][:: pick(3, 1, 1)]:
        table: Table = served(tmp_path / name, game, name).extensions[CONTEXT_KEY].table
        settings, state = TableSettings(place=FloorPlace("Table 7", "Window")), table.state
        lights = [Light("disk", "green", message("fine")), Light("readers", "red", message("?"))]
        on_floor = TableOnFloor(settings, lambda: lights)  # noqa: B023

        def publish() -> bytes:
            told = on_floor.read_state(table)  # noqa: B023
            return msgspec.json.encode((told, discovery_document(ID, told)))

        told = publish()
        assert b"Table 7" in told
        assert b'"light":"red","ill":"readers"' in told
        assert not [one.name for one in state.players if one.name.encode() in told]
        players = tuple(replace(p, name=f"Other {n}") for n, p in enumerate(state.players))
        other = replace(OTHER_WORLD[game](state, 0, Random(7)), players=players)
        assert other != state
        table.history = replace(table.history, state=other)
        assert publish() == told
