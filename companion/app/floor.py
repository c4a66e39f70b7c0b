"""A table at a broker: its address and login, and the documents the table publishes there.

Laws: a password stands in a file of its own, never in an address: addresses are logged and shown.
Publishing is a step of the event loop, which never waits for a broker, nor for a table that writes.
While a document is on its way no other is: nothing queues. After every connection all three
documents are published anew, and the state every HEARTBEAT seconds, so that a floor knows how old
its knowledge is.
"""

import logging
import secrets
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from companion import floor
from companion.app.settings import Options
from companion.core.durable_files import write_file
from companion.core.errors import Malformed, NotWritten, not_read
from companion.core.i18n import N_
from companion.core.log_lines import log_line
from companion.table.table import Table

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessageInfo

KEEPALIVE = 15
"""Seconds without a sign after which a broker gives a client up, once half as many have passed."""
CONNECT_TIMEOUT, LONGEST_WAIT, FAREWELL = 5.0, 12, 0.5
PORTS = {"mqtt": 1883, "mqtts": 8883}
ID_FILE = "floor-id"
LOG = logging.getLogger("companion.floor")


class Broker(msgspec.Struct, frozen=True):
    """Address and login of a broker."""

    host: str
    port: int
    uses_tls: bool = False
    user: str = ""
    password: str = ""
    authority: str = ""
    """The file with the certificate that signed the broker's; empty for those of this machine."""


def parse_broker(address: str, login: str = "", authority: str = "") -> Broker:
    """Return the broker of this address; Malformed if it is none, or if the login is not read."""
    try:
        parts = urlsplit(address)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    if not (parts.hostname and port) or parts.username or parts.path or parts.query:
        text = N_("{field} is no address of a broker; write mqtts://HOST or mqtt://HOST:PORT.")
        raise Malformed(address.rpartition("@")[2], text)
    user, password = _read_login(Path(login)) if login else ("", "")
    return Broker(parts.hostname, port, parts.scheme == "mqtts", user, password, authority)


def _read_login(path: Path) -> tuple[str, str]:
    try:
        user, colon, password = path.read_text("utf-8", "replace").strip().partition(":")
    except OSError as error:
        raise not_read(path, error) from None
    if not (user and colon):
        raise Malformed(str(path), N_("{field} has to hold one line: USER:PASSWORD"))
    return user, password


def make_client(broker: Broker, name: str = "") -> "Client":
    """Return an MQTT client that connects, and comes back by itself, once its loop is started.

    Raise Malformed if the certificate cannot be read, or the library is missing.
    """
    try:  # A table without a broker need not carry the library, nor have it.
        from paho.mqtt.client import Client  # noqa: PLC0415
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415
    except ImportError:
        text = N_("To speak to {field} the library paho-mqtt is needed: install {package}.")
        raise Malformed(broker.host, text, package="python3-paho-mqtt") from None
    client = Client(CallbackAPIVersion.VERSION2, name)
    client.connect_timeout = CONNECT_TIMEOUT
    client.reconnect_delay_set(1, LONGEST_WAIT)
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.uses_tls:
        try:
            context = ssl.create_default_context(cafile=broker.authority or None)
        except (OSError, ValueError):
            text = N_("{field} holds no certificate that can be read.")
            raise Malformed(broker.authority or broker.host, text) from None
        context.sslsocket_class = ClosedWhenRefused
        client.tls_set_context(context)
    client.connect_async(broker.host, broker.port, KEEPALIVE)
    return client


class ClosedWhenRefused(ssl.SSLSocket):
    """A TLS socket that closes itself when its handshake fails; the MQTT library leaves it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def stop_client(client: "Client") -> None:
    """Disconnect; a broker that does not answer is left alone after half a second."""
    client.disconnect()
    ending = threading.Thread(target=client.loop_stop, daemon=True)
    ending.start()
    ending.join(FAREWELL)


# What a table publishes.


def publish_table(
    options: Options, table: Table, on_floor: floor.TableOnFloor, running: ExitStack
) -> Callable[[], object]:
    """Return the step that publishes the table where the options name a broker; the stack ends it.

    Raise Malformed if address, login or certificate cannot be read, or the library is missing.
    """
    if not options.mqtt:
        return lambda: None

    def read_state() -> floor.TableState | None:
        return None if table.is_busy else on_floor.read_state(table)

    broker = parse_broker(options.mqtt, options.mqtt_login, options.mqtt_ca)
    publisher = TablePublisher(broker, load_table_id(options.folder), read_state)
    table.watch(publisher.note_change)
    running.callback(publisher.close)
    return publisher.publish_when_due


def load_table_id(folder: Path) -> str:
    """Return the random id in this table's topics: that of its data folder, else a new one, kept in
    memory if the disk is full."""
    with suppress(OSError, UnicodeDecodeError):
        kept = (folder / ID_FILE).read_text("ascii").strip()
        if len(kept) == 12 and set(kept) <= set("0123456789abcdef"):
            return kept
    drawn = secrets.token_hex(6)
    with suppress(NotWritten):
        write_file(folder / ID_FILE, drawn.encode())
    return drawn


class TablePublisher:
    """Publishes one table under its id."""

    def __init__(
        self, broker: Broker, table: str, read_state: Callable[[], floor.TableState | None]
    ) -> None:
        """Begin to connect; Malformed if that cannot be. `read_state` returns None while the table
        writes."""
        self._table, self._read_state = table, read_state
        self._changed = True
        self._told: floor.TableState | None = None
        """The newest state that was published over this connection."""
        self._told_at = 0.0
        self._sent: MQTTMessageInfo | None = None
        self._client = make_client(broker, f"companion-{table}")
        self._client.will_set(floor.online_topic(table), floor.GONE, qos=1, retain=True)
        self._client.on_connect = self._note_connected
        self._client.on_disconnect = self._note_lost
        self._client.loop_start()

    def note_change(self) -> None:
        """Let the newest state be published; this takes microseconds and never waits."""
        self._changed = True

    def close(self) -> None:
        """Publish that the table is gone, if the broker listens, and stop."""
        if self._client.is_connected() and self._told is not None and self._told.name:
            self._client.publish(floor.online_topic(self._table), floor.GONE, retain=True)
        stop_client(self._client)

    def _note_connected(self, _client: object, _data: object, _flags: object, *told: Any) -> None:
        if told[0].is_failure:
            LOG.warning(log_line("floor_refused", reason=str(told[0])))

    def _note_lost(self, *told: object) -> None:
        LOG.info(log_line("floor_lost", reason=str(told[3])))

    def publish_when_due(self) -> None:
        """Publish the newest state if it changed or is due, and the last one has been written."""
        if not self._client.is_connected():
            self._told = self._sent = None
            return
        before, now = self._told, time.monotonic()
        is_due = before is None or now - self._told_at >= floor.HEARTBEAT
        if not (self._changed or is_due) or self._is_on_its_way():
            return
        state = self._read_state()
        if state is None:
            return
        self._changed = False
        is_new = before is None or before.without_ages() != state.without_ages()
        if not is_new and not (is_due and state.name):
            return
        self._told, self._told_at = state, now
        if before is None or _describe(before) != _describe(state):
            document = msgspec.json.encode(floor.discovery_document(self._table, state))
            self._publish(floor.discovery_topic(self._table), document, state)
        self._publish(floor.online_topic(self._table), floor.ONLINE, state)
        self._sent = self._publish(
            floor.state_topic(self._table), msgspec.json.encode(state), state
        )

    def _is_on_its_way(self) -> bool:
        """Check whether the last state waits to be written; one of a lost connection does not."""
        with suppress(RuntimeError, ValueError):
            return self._sent is not None and not self._sent.is_published()
        return False

    def _publish(self, topic: str, payload: bytes, state: floor.TableState) -> "MQTTMessageInfo":
        """Publish a document; a table without a name deletes its retained documents instead."""
        return self._client.publish(topic, payload if state.name else b"", retain=True)


def _describe(state: floor.TableState) -> tuple[str, ...]:
    """Return the table's description for Home Assistant."""
    return state.name, state.place, state.companion, state.address
