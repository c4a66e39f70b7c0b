"""A real Mosquitto on a port of its own: started, killed, held still, and asked what it keeps."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from bench.floor_demo import find_mosquitto
from tests.worlds.ports import free_port

PATIENCE = 120.0


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
        found = find_mosquitto()
        if found is None:
            say = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
            say("Mosquitto is missing: apt-get install mosquitto")
        self.port = free_port()
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {self.port} 127.0.0.1\n{lines}\n", "utf-8")
        self._command = [str(found), "-c", str(config)]
        self.start()

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(self._command, stdout=quiet, stderr=quiet)
        until(lambda: is_open(self.port), "the port of Mosquitto")

    def hold(self) -> None:
        """Let it be there and answer nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def release(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Listener:
    """A client that hears everything, and knows the newest of each topic."""

    def __init__(self, broker: Mosquitto, user: str = "", password: str = "") -> None:
        self.newest: dict[str, bytes] = {}
        self.heard: list[tuple[str, bytes]] = []
        subscribed = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect = lambda client, *_: client.subscribe("#")
        self._client.on_subscribe = lambda *_: subscribed.set()
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        assert subscribed.wait(PATIENCE)

    def _hear(self, _client: Any, _data: Any, told: MQTTMessage) -> None:
        self.newest[told.topic] = bytes(told.payload)
        self.heard.append((told.topic, bytes(told.payload)))

    def publish(self, topic: str, payload: bytes) -> None:
        self._client.publish(topic, payload, qos=1, retain=True)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class FloorProgram:
    """The program; its page is there once this is made."""

    def __init__(self, broker: Mosquitto) -> None:
        command = ["companion", "floor", "--mqtt", broker.address, "--port", str(free_port())]
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        (self.address,) = re.findall(r"http://\S+/", self._process.stdout.readline())

    def hold(self) -> None:
        """Let it be there and answer nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def close(self) -> None:
        self._process.send_signal(signal.SIGCONT)
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate()


class Viewer:
    """Reads the stream of a page as its script does: the newest drawing of each table."""

    def __init__(self, address: str) -> None:
        self.tiles: dict[str, str] = {}
        self.order: list[str] = []
        self._stream = urllib.request.urlopen(f"{address}stream?lang=en", timeout=PATIENCE)
        threading.Thread(target=self._read, daemon=True).start()

    def look(self, table: str) -> str:
        """Return a table's look; empty while it is unknown."""
        found = re.search(r'class="paper tile (\w+)"', self.tiles.get(table, ""))
        return found[1] if found else ""

    def close(self) -> None:
        self._stream.close()

    def _read(self) -> None:
        with suppress(OSError, ValueError, AttributeError):  # It is closed meanwhile.
            for line in self._stream:
                if line.startswith(b"data: "):
                    self._take(json.loads(line[6:]))

    def _take(self, news: dict[str, Any]) -> None:
        self.tiles |= news["drawn"]
        self.order = news["order"]
