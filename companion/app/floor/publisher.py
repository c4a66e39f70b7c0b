"""Publish the state of one table at a broker: online, state, and what Home Assistant asks for.

Laws: the table only sets a flag; a thread of its own works out the newest state and hands it to the
client. While a document is on its way no other is: nothing queues, and nothing waits for a broker.
After every connection all three documents are published anew, and the state every HEARTBEAT
seconds, so that a floor knows how old its knowledge is.
"""

import logging
import secrets
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.app.settings import Options
from companion.core.durable_files import write_file
from companion.core.errors import Malformed, NotWritten
from companion.core.i18n import N_
from companion.core.log_lines import log_line
from companion.floor.broker import Broker, parse_broker
from companion.floor.table_on_floor import TableOnFloor
from companion.floor.table_state import TableState
from companion.floor.topics import (
    GONE,
    HEARTBEAT,
    ONLINE,
    discovery_document,
    discovery_topic,
    online_topic,
    state_topic,
)
from companion.table.table import Table

if TYPE_CHECKING:
    from paho.mqtt.client import Client

KEEPALIVE = 15
"""Seconds without a sign after which a broker gives a client up, once half as many have passed."""
CONNECT_TIMEOUT, LONGEST_WAIT, FAREWELL = 5.0, 12, 0.5
ID_FILE = "floor-id"
LOG = logging.getLogger("companion.floor")


def publish_table(
    options: Options, table: Table, on_floor: TableOnFloor, running: ExitStack
) -> None:
    """Publish the table from now on, where the options name a broker; the stack ends it.

    Raise Malformed if address, login or certificate cannot be read, or the library is missing.
    """
    if not options.mqtt:
        return
    publisher = TablePublisher(
        parse_broker(options.mqtt, options.mqtt_login, options.mqtt_ca),
        load_table_id(options.folder),
        partial(on_floor.read_state, table),
    )
    table.watch(publisher.note_change)
    publisher.start()
    running.callback(publisher.close)


def load_table_id(folder: Path) -> str:
    """Return the random id by which the topics of this table are told apart: that of its data
    folder, else a new one, which a full disk keeps until the end of this program."""
    with suppress(OSError, UnicodeDecodeError):
        kept = (folder / ID_FILE).read_text("ascii").strip()
        if len(kept) == 12 and set(kept) <= set("0123456789abcdef"):
            return kept
    drawn = secrets.token_hex(6)
    with suppress(NotWritten):
        write_file(folder / ID_FILE, drawn.encode())
    return drawn


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


class TablePublisher:
    """Publishes one table under its id."""

    def __init__(self, broker: Broker, table: str, read_state: Callable[[], TableState]) -> None:
        """Make the client; Malformed if that cannot be."""
        self._table, self._read_state = table, read_state
        self._changed = threading.Event()
        self._stops = False
        self._connections, self._told_in = 0, 0
        self._told: TableState | None = None
        self._told_at = 0.0
        self._client = make_client(broker, f"companion-{table}")
        self._client.will_set(online_topic(table), GONE, qos=1, retain=True)
        self._client.on_connect = self._note_connected
        self._client.on_disconnect = self._note_lost
        self._thread = threading.Thread(target=self._run, name="floor publisher", daemon=True)

    def start(self) -> None:
        """Connect, and publish from now on."""
        self._client.loop_start()
        self._thread.start()

    def note_change(self) -> None:
        """Let the newest state be published; this takes microseconds and never waits."""
        self._changed.set()

    def close(self) -> None:
        """Publish that the table is gone, if the broker listens, and stop."""
        self._stops = True
        self._changed.set()
        self._thread.join(FAREWELL)
        if self._client.is_connected() and self._told is not None and self._told.name:
            self._client.publish(online_topic(self._table), GONE, retain=True)
        stop_client(self._client)

    def _note_connected(self, _client: object, _data: object, _flags: object, *told: Any) -> None:
        if told[0].is_failure:
            LOG.warning(log_line("floor_refused", reason=str(told[0])))
        else:
            self._connections += 1
            self._changed.set()

    def _note_lost(self, *told: object) -> None:
        LOG.info(log_line("floor_lost", reason=str(told[3])))

    def _run(self) -> None:
        while not self._stops:
            self._changed.wait(max(1.0, self._told_at + HEARTBEAT - time.monotonic()))
            self._changed.clear()
            try:
                self._publish_newest()
            except Exception:  # A game of another maker may fail in its view; the table goes on.
                LOG.exception(log_line("floor_state_failed"))

    def _publish_newest(self) -> None:
        """Publish the newest state if it changed or is due; then wait until the client has written
        it."""
        connections, before = self._connections, self._told
        if self._stops or connections == 0 or not self._client.is_connected():
            return
        state, now = self._read_state(), time.monotonic()
        is_fresh = before is None or connections != self._told_in
        is_new = before is None or before.without_ages() != state.without_ages()
        if not (is_fresh or is_new) and (now - self._told_at < HEARTBEAT or not state.name):
            return
        self._told, self._told_at, self._told_in = state, now, connections
        if is_fresh or before is None or _describe(before) != _describe(state):
            document = msgspec.json.encode(discovery_document(self._table, state))
            self._publish(discovery_topic(self._table), document, state)
        self._publish(online_topic(self._table), ONLINE, state)
        sent = self._publish(state_topic(self._table), msgspec.json.encode(state), state)
        with suppress(RuntimeError):  # The connection is lost: all is published anew with the next.
            while not (self._stops or sent.is_published()):
                sent.wait_for_publish(1.0)

    def _publish(self, topic: str, payload: bytes, state: TableState) -> Any:
        """Publish a document; a table without a name takes back what the broker kept."""
        return self._client.publish(topic, payload if state.name else b"", retain=True)


def _describe(state: TableState) -> tuple[str, ...]:
    """Return the table's description for Home Assistant."""
    return state.name, state.place, state.companion, state.address
