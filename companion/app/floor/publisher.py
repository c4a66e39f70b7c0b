"""Publish the state of one table at a broker: online, state, and what Home Assistant asks for.

Laws: the table only sets a flag; a thread of its own works out the state and hands it to the
client. There is one slot: while a document is on its way no other is, and then the newest follows.
Whatever the broker does, nothing waits for it and nothing queues. After every connection all three
documents are published anew. What has not changed is told again every HEARTBEAT seconds, so that a
floor knows how old its knowledge is.
"""

import logging
import threading
import time
from collections.abc import Callable

import msgspec
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.app.floor.client import make_client, start_client, stop_client
from companion.core.log_lines import log_line
from companion.floor.broker import Broker
from companion.floor.table_state import TableState
from companion.floor.topics import (
    GONE,
    ONLINE,
    discovery_document,
    discovery_topic,
    online_topic,
    state_topic,
)

HEARTBEAT = 10.0
IDLE = 1.0
"""Seconds after which a slot is looked at again, although nothing was said."""
TAKEN_OVER = 0x8E
"""Another client came with the same id; not every broker says so."""
SHORT, TOO_MANY = 15.0, 3
"""Seconds of a connection that was hardly there, and how many of them in a row mean the same."""
LOG = logging.getLogger("companion.floor")
_encode = msgspec.json.Encoder().encode


class TablePublisher:
    """Publishes one table; `new_id` gives it another id when two tables have the same."""

    def __init__(
        self,
        broker: Broker,
        table: str,
        read_state: Callable[[], TableState],
        new_id: Callable[[], str],
    ) -> None:
        """Make the client; Malformed if its certificate cannot be read."""
        self._broker, self._table, self._new_id = broker, table, new_id
        self._read_state = read_state
        self._changed = threading.Event()
        self._stops = self._is_connected = self._is_fresh = self._is_doubled = False
        self._on_its_way = 0
        self._told: TableState | None = None
        self._told_at = self._connected_at = 0.0
        self._short_lives = 0
        self._client = self._make_client()
        self._thread = threading.Thread(target=self._run, name="floor publisher", daemon=True)

    def start(self) -> None:
        """Connect, and publish from now on."""
        start_client(self._client, self._broker)
        self._thread.start()

    def note_change(self) -> None:
        """Let the newest state be published; this takes microseconds and never waits."""
        self._changed.set()

    def close(self) -> None:
        """Say that the table is gone, if the broker listens, and stop."""
        self._stops = True
        self._changed.set()
        self._thread.join(IDLE)
        if self._is_connected:
            self._client.publish(online_topic(self._table), GONE, retain=True)
        stop_client(self._client)

    def _make_client(self) -> Client:
        client = make_client(self._broker, f"companion-{self._table}")
        client.will_set(online_topic(self._table), GONE, qos=1, retain=True)
        client.on_connect = self._note_connected
        client.on_disconnect = self._note_disconnected
        client.on_publish = self._note_sent
        return client

    # In the thread of the client.

    def _note_connected(
        self, client: Client, _data: object, _flags: ConnectFlags, reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:  # fmt: skip
        if client is not self._client:
            return
        if reason.is_failure:
            LOG.warning(log_line("floor_refused", reason=str(reason)))
            return
        self._connected_at = time.monotonic()
        self._is_connected, self._is_fresh, self._on_its_way = True, True, 0
        self._changed.set()

    def _note_disconnected(
        self, client: Client, _data: object, _flags: DisconnectFlags, reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:  # fmt: skip
        if client is not self._client:
            return
        LOG.info(log_line("floor_lost", reason=str(reason)))
        if not self._is_connected:
            return
        self._is_connected = False
        lived = time.monotonic() - self._connected_at
        self._short_lives = self._short_lives + 1 if lived < SHORT else 0
        if reason.value == TAKEN_OVER or self._short_lives == TOO_MANY:
            self._is_doubled = True
            self._changed.set()

    def _note_sent(self, client: Client, *_sent: object) -> None:
        if client is self._client:
            self._on_its_way -= 1
            if self._on_its_way <= 0:
                self._changed.set()

    # In the thread of the publisher.

    def _run(self) -> None:
        while not self._stops:
            self._changed.wait(IDLE)
            self._changed.clear()
            try:
                self._publish_if_due()
            except Exception:  # A game of another maker may fail in its view; the table goes on.
                LOG.exception(log_line("floor_state_failed"))

    def _publish_if_due(self) -> None:
        if self._is_doubled:
            self._draw_new_id()
        if self._stops or not self._is_connected or self._on_its_way > 0:
            return
        state, now = self._read_state(), time.monotonic()
        if not state.name:
            self._leave_floor()
            return
        is_known = self._told is not None and self._told.without_ages() == state.without_ages()
        if is_known and not self._is_fresh and now - self._told_at < HEARTBEAT:
            return
        renames = self._told is None or (self._told.name, self._told.place) != (
            state.name,
            state.place,
        )
        is_fresh, self._is_fresh = self._is_fresh, False
        if is_fresh or renames:
            document = discovery_document(self._table, state)
            self._publish_topic(discovery_topic(self._table), _encode(document))
        if is_fresh:
            self._publish_topic(online_topic(self._table), ONLINE)
        self._publish_topic(state_topic(self._table), _encode(state))
        self._told, self._told_at = state, now

    def _leave_floor(self) -> None:
        """Take everything back that the broker kept: the table has no name any more."""
        if self._told is not None:
            for topic in (discovery_topic, online_topic, state_topic):
                self._publish_topic(topic(self._table), b"")
            self._told, self._is_fresh = None, True

    def _publish_topic(self, topic: str, payload: bytes) -> None:
        self._on_its_way += 1
        self._client.publish(topic, payload, retain=True)

    def _draw_new_id(self) -> None:
        """Go on as another table: a copy of this one's data folder is connected under its id."""
        self._is_doubled, self._short_lives = False, 0
        LOG.warning(log_line("floor_id_doubled"))
        old, self._table = self._client, self._new_id()
        self._client = self._make_client()
        stop_client(old)
        start_client(self._client, self._broker)
