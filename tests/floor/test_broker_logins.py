"""A table gets its own login at the floor's broker by pairing, and no one else learns of it."""

import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.core.errors import Malformed
from companion.floor.broker import BrokerLogin, make_broker
from companion.floor.broker_accounts import (
    MARK,
    PASSWORDS,
    RULES,
    BrokerAccounts,
    hash_password,
    is_password,
)
from companion.floor.paired_floors import PairedFloor
from tests.app.test_floor_acting import FloorProgram, TableProgram, pair
from tests.worlds.mosquitto import (
    Listener,
    Mosquitto,
    make_certificate,
    make_passwords,
    until,
)
from tests.worlds.ports import free_port

FLOOR, TABLE, OTHER = "0f1e2d3c4b5a", "0123456789ab", "ba9876543210"
MADE = (
    "$7$101$2TN1qrIl/Mj0n9CE$DaqcYyGngU9ZZOFyhRlCCEAQ3g/71LIuY6Zso5UrKox6lpeot6hdCqLS8kVYU/fGScJvM/"
    "7IQp44B+23DKlrxg=="
)
"""What mosquitto_passwd 2.0 made of the password "correct"."""
AUDIT = "user audit\ntopic read #\n"
PATIENCE = 60.0


def test_a_password_is_hashed_as_mosquitto_does() -> None:
    assert is_password("correct", MADE)
    assert not is_password("Correct", MADE)
    assert hash_password("correct") != hash_password("correct"), "each has a salt of its own"


def test_each_table_has_its_own_rules_and_what_others_wrote_stays(tmp_path: Path) -> None:
    (tmp_path / RULES).write_text(AUDIT)
    (tmp_path / PASSWORDS).write_text(f"audit:{MADE}\n")
    accounts = BrokerAccounts(tmp_path, FLOOR)
    own = accounts.make_own_login(tmp_path)
    assert accounts.make_own_login(tmp_path) == own, "it is kept"
    user, first = accounts.let_in(TABLE)
    accounts.let_in(OTHER)
    assert accounts.let_in(TABLE)[1] != first
    rules = (tmp_path / RULES).read_text()
    assert rules.startswith(f"{AUDIT}{MARK}\n")
    about = rules.partition(f"user {user}\n")[2].partition("user ")[0].splitlines()
    assert about == [
        f"topic write companion/{TABLE}/online",
        f"topic write companion/{TABLE}/state",
        f"topic write homeassistant/device/companion_{TABLE}/config",
    ]
    assert accounts.shut_out(TABLE)
    assert not accounts.shut_out(TABLE)
    logins = (tmp_path / PASSWORDS).read_text()
    assert [line.partition(":")[0] for line in logins.splitlines()] == [
        "audit", f"floor-{FLOOR}", f"table-{OTHER}",
    ]  # fmt: skip
    for text in (rules, logins):
        assert own[1] not in text
        assert first not in text
    assert (tmp_path / RULES).read_text().count(f"user {user}") == 0
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in (RULES, PASSWORDS)} == {0o640}
    assert (tmp_path / "broker-login").stat().st_mode & 0o777 == 0o600


def test_a_login_is_told_for_no_broker_that_others_overhear() -> None:
    assert make_broker(BrokerLogin("mqtt://127.0.0.1", "u", "p")).is_guarded
    assert make_broker(BrokerLogin("mqtts://floor.local", "u", "p")).is_guarded
    for told in (
        BrokerLogin("mqtt://floor.local", "u", "p"),
        BrokerLogin("mqtts://floor.local", "u", "p", "no certificate"),
        BrokerLogin("http://floor.local", "u", "p"),
    ):
        with pytest.raises(Malformed):
            make_broker(told)


class Guarded:
    """A broker with TLS that reads what a floor writes, and a unit that has it read that again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.plain = folder, free_port()
        self.certificate = make_certificate(folder, "broker")
        make_passwords(folder, "audit", "listens")
        (folder / RULES).write_text(AUDIT)
        key = self.certificate.with_suffix(".key")
        self.broker = Mosquitto(
            folder,
            f"certfile {self.certificate}\nkeyfile {key}\nallow_anonymous false\nuser root\n"
            f"password_file {folder / PASSWORDS}\nacl_file {folder / RULES}\n"
            f"listener {self.plain} 127.0.0.1",
        ).start()
        self._seen, self._stops = self._read_time(), threading.Event()
        self._unit = threading.Thread(target=self._reload_when_changed)
        self._unit.start()
        self.address = f"mqtts://127.0.0.1:{self.broker.port}"

    def _reload_when_changed(self) -> None:
        while not self._stops.wait(0.1):
            written = self._read_time()
            if written != self._seen and self.broker.process is not None:
                self._seen = written
                self.broker.process.send_signal(signal.SIGHUP)

    def _read_time(self) -> float:
        return (self.folder / PASSWORDS).stat().st_mtime

    def try_login(self, login: BrokerLogin) -> Client | None:
        """Connect with a login; None if the broker refuses it."""
        answered, reasons = threading.Event(), list[Any]()
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        client.username_pw_set(login.user, login.password)
        client.tls_set_context(ssl.create_default_context(cadata=login.certificates))

        def note_answer(
            _client: object, _data: object, _flags: object, reason: Any, _p: Any
        ) -> None:
            reasons.append(reason)
            answered.set()

        client.on_connect = note_answer
        client.connect("127.0.0.1", self.broker.port)
        client.loop_start()
        assert answered.wait(PATIENCE)
        if not reasons[0].is_failure:
            return client
        client.loop_stop()
        return None

    def close(self) -> None:
        self._stops.set()
        self._unit.join()
        self.broker.kill()


def is_published(client: Client, topic: str) -> bool:
    """Publish; return whether the broker took it."""
    answered, refused = threading.Event(), list[bool]()

    def note_answer(_client: object, _data: object, _id: int, reason: Any, _p: object) -> None:
        refused.append(reason.is_failure)
        answered.set()

    client.on_publish = note_answer
    client.publish(topic, b"0", qos=1)
    assert answered.wait(PATIENCE)
    return not refused[0]


def read_login(table: TableProgram) -> BrokerLogin:
    """Return what a table keeps of its broker, in a file for its owner alone."""
    (path,) = (table.folder / "floors").glob("[0-9a-f]*.json")
    assert path.stat().st_mode & 0o777 == 0o600
    login = msgspec.json.decode(path.read_bytes(), type=PairedFloor).broker
    assert login is not None
    return login


def read_all(folder: Path, but: str) -> bytes:
    """Return the bytes of every file of a folder, but of those below this one."""
    files = (path for path in folder.rglob("*") if path.is_file() and but not in path.parts)
    return b"\n".join(path.read_bytes() for path in files)


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    (tmp_path / "broker").mkdir()
    with closing(Guarded(tmp_path / "broker")) as running:
        yield running


@pytest.mark.wide
def test_a_paired_table_is_let_in_until_it_is_revoked(guarded: Guarded, tmp_path: Path) -> None:
    with ExitStack() as ending:
        one, two = (TableProgram(tmp_path / f"t{n}", f"Table {n}") for n in (1, 2))
        for table in (one, two):
            ending.callback(table.wire.close)
            ending.callback(table.end)
        floor = FloorProgram(
            tmp_path / "floor",
            ["--mqtt", guarded.address, "--mqtt-ca", str(guarded.certificate),
             "--mqtt-accounts", str(guarded.folder)],
        )  # fmt: skip
        ending.callback(floor.end)
        listener = Listener(guarded.broker, "audit", "listens", guarded.plain)
        ending.callback(listener.close)
        ids = [pair(floor, table) for table in (one, two)]
        for id in ids:
            until(lambda id=id: f"companion/{id}/state" in listener.newest, "its state")
        until(lambda: "Table 1" in floor.read("/") and "Table 2" in floor.read("/"), "both tiles")

        login, other = read_login(one), read_login(two)
        assert (login.user, login.password != other.password) == (f"table-{ids[0]}", True)
        client = guarded.try_login(login)
        assert client is not None
        assert is_published(client, f"companion/{ids[0]}/state")
        for topic in (f"companion/{ids[1]}/state", f"companion/{ids[0]}/more", "elsewhere"):
            assert not is_published(client, topic)
        assert client_hears(client) == set()
        look_for(login.password, floor, one, listener)
        assert "Remove the pairing" in floor.read(f"/table/{ids[0]}")
        floor.post(f"/table/{ids[0]}", act="unpair")
        until(lambda: not client.is_connected(), "that it is shut out")
        client.loop_stop()
        assert guarded.try_login(login) is None
        assert guarded.try_login(replace_password(other, "guessed")) is None

        heard = len(listener.heard)
        states = [f"companion/{id}/state" for id in ids]
        newly = lambda: {topic for topic, told in listener.heard[heard:] if told}  # noqa: E731
        until(lambda: states[1] in newly(), "that the other table goes on")
        assert states[0] not in newly()
        words = ["floors", "--data", str(two.folder), "--remove", login_floor(two)]
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=True
        )
        assert "nothing at this table any more" in done.stdout
        until(lambda: listener.newest[f"companion/{ids[1]}/online"] == b"0", "that it left")
        assert b"broker" not in read_all(two.folder / "floors", "-")


def replace_password(login: BrokerLogin, password: str) -> BrokerLogin:
    return msgspec.structs.replace(login, password=password)


def login_floor(table: TableProgram) -> str:
    (path,) = (table.folder / "floors").glob("[0-9a-f]*.json")
    return path.stem


def client_hears(client: Client) -> set[str]:
    """Return the topics that a table hears which asks for all of them."""
    heard, answered = set[str](), threading.Event()
    client.on_message = lambda _client, _data, told: heard.add(told.topic)
    client.on_subscribe = lambda *_: answered.set()
    client.subscribe("#", qos=1)
    assert answered.wait(PATIENCE)
    assert is_published(client, "companion/none") is False  # What came, came before.
    return heard


def look_for(secret: str, floor: FloorProgram, table: TableProgram, listener: Listener) -> None:
    """Check that a password is in no page, log, topic, request, journal or file but its own."""
    pages = "".join(floor.read(path) for path in ("/", "/all", "/pair", *tables_of(floor)))
    wire = b"".join(table.wire.requests) + b"".join(payload for _, payload in listener.heard)
    kept = read_all(table.folder, "floors") + read_all(floor.folder, "-")
    assert secret not in pages
    for where in (wire, kept, read_all(listener_folder(floor), "-")):
        assert secret.encode() not in where


def tables_of(floor: FloorProgram) -> list[str]:
    return [f"/table/{id}" for id in sorted(floor.list_tables())]


def listener_folder(floor: FloorProgram) -> Path:
    return floor.folder.with_name("broker")
