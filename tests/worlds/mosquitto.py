"""A real Mosquitto on a port of its own: started, killed, held still, and asked what it keeps."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.worlds.ports import free_port

PATIENCE = 60.0
AUTHORITY = """[ca]
default_ca = own
[own]
database = {folder}/index
new_certs_dir = {folder}
serial = {folder}/serial
default_md = sha256
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
subjectAltName = IP:127.0.0.1
"""


def find_mosquitto() -> str | None:
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def require_mosquitto() -> None:
    """Skip the test where there is no broker, but never in CI."""
    if find_mosquitto() is None:
        say = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        say("Mosquitto is missing: apt-get install mosquitto")


def until(is_so: Callable[[], object], what: str = "") -> None:
    """Wait until something is so; fail loudly where it never comes."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.02)


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class Mosquitto:
    """The broker, without persistence: killed, it has forgotten everything."""

    def __init__(self, folder: Path, lines: str = "allow_anonymous true") -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(f"listener {self.port} 127.0.0.1\n{lines}\n", "utf-8")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> "Mosquitto":
        found = find_mosquitto()
        assert found, "apt-get install mosquitto"
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([found, "-c", self._config], stdout=quiet, stderr=quiet)
        until(lambda: is_open(self.port), "the port of Mosquitto")
        return self

    def hold(self) -> None:
        """Let it be there and answer nothing."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def release(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class Listener:
    """A client that hears everything, and knows the newest of each topic."""

    def __init__(
        self, broker: Mosquitto, user: str = "", password: str = "", port: int = 0
    ) -> None:
        self.newest: dict[str, bytes] = {}
        self.heard: list[tuple[str, bytes]] = []
        self.expiries: dict[str, int] = {}
        """How many seconds longer the broker keeps the newest, where its table limited that."""
        self._subscribed = threading.Event()
        version = MQTTProtocolVersion.MQTTv5
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=version)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect = lambda client, *_: client.subscribe("#")
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.on_message = self._hear
        until(lambda: is_open(port or broker.port), "the port of Mosquitto")
        self._client.connect("127.0.0.1", port or broker.port)
        self._client.loop_start()
        assert self._subscribed.wait(PATIENCE)

    def _hear(self, _client: Any, _data: Any, told: MQTTMessage) -> None:
        seconds = getattr(told.properties, "MessageExpiryInterval", None)
        if seconds is not None:
            self.expiries[told.topic] = seconds
        self.newest[told.topic] = bytes(told.payload)
        self.heard.append((told.topic, bytes(told.payload)))

    def publish(self, topic: str, payload: bytes) -> None:
        self._client.publish(topic, payload, qos=1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def make_certificate(folder: Path, name: str) -> Path:
    """Make a key and a certificate that signs itself, for 127.0.0.1."""
    path = folder / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path.with_suffix(".key"),
         "-out", path],
        check=True, capture_output=True,
    )  # fmt: skip
    path.with_suffix(".key").chmod(0o644)
    return path


def make_expired_certificate(folder: Path) -> Path:
    """Make a key and a certificate that signs itself, which was good for the year 2020 alone."""
    path, key = folder / "expired.pem", folder / "expired.key"
    config = folder / "authority.conf"
    config.write_text(AUTHORITY.format(folder=folder), "utf-8")
    (folder / "index").touch()
    (folder / "serial").write_text("01", "ascii")
    request = folder / "expired.csr"
    for words in (
        ["req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1",
         "-keyout", key, "-out", request],
        ["ca", "-batch", "-config", config, "-selfsign", "-keyfile", key, "-in", request,
         "-out", path, "-startdate", "20200101000000Z", "-enddate", "20210101000000Z"],
    ):  # fmt: skip
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    key.chmod(0o644)
    return path


def make_passwords(folder: Path, user: str, password: str) -> Path:
    """Make a file of passwords with this one login."""
    path = folder / "passwords"
    tool = shutil.which("mosquitto_passwd")
    assert tool, "apt-get install mosquitto"
    subprocess.run([tool, "-b", "-c", path, user, password], check=True)
    path.chmod(0o644)
    return path
