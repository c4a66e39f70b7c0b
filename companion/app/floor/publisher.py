"""Publish the state of one table at a broker: online, state, and what Home Assistant asks for.

Laws: the table only sets a flag; a thread of its own works out the state and hands it to the
client. There is one slot: while a document is on its way no other is, and then the newest follows.
Whatever the broker does, nothing waits for it and nothing queues. After every connection all three
documents are published anew, and then every ANEW seconds, because someone may have the broker
forget a table that is there. The state is told every HEARTBEAT seconds, so that a floor knows how
old its knowledge is. What the broker keeps of a table that never comes back expires.
"""

import logging
import threading
import time
from collections.abc import Callable

import msgspec
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.app.floor.client import make_client, start_client, stop_client
from companion.app.floor.takeover import GRACE, TakeoverWatch
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

HEARTBEAT, ANEW = 10.0, 60.0
KEPT = 14 * 86_400
"""Seconds for which a broker keeps what a table told: longer than holidays."""
IDLE = 1.0
"""Seconds after which a slot is looked at again, although nothing was said."""
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
        *,
        heartbeat: float = HEARTBEAT,
        anew: float = ANEW,
    ) -> None:
        """Make the client; Malformed if its certificate cannot be read."""
        self._heartbeat, self._anew = heartbeat, anew
        self._broker, self._table, self._new_id = broker, table, new_id
        self._read_state = read_state
        self._changed = threading.Event()
        self._stops = self._is_connected = self._is_fresh = False
        self._on_its_way = 0
        self._told: TableState | None = None
        self._told_at = self._all_told_at = 0.0
        self._watch = TakeoverWatch(broker, self._client_name)
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
            self._send(online_topic(self._table), GONE)
        self._watch.close()
        stop_client(self._client)

    @property
    def _client_name(self) -> str:
        return f"companion-{self._table}"

    def _make_client(self) -> Client:
        client = make_client(self._broker, self._client_name)
        expiry = _expire(PacketTypes.WILLMESSAGE)
        client.will_set(online_topic(self._table), GONE, qos=1, retain=True, properties=expiry)
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
        self._watch.note_connected()
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
        self._watch.note_lost(reason)
        self._changed.set()

    def _note_sent(self, client: Client, *_sent: object) -> None:
        if client is self._client:
            self._on_its_way -= 1
            if self._on_its_way <= 0:
                self._changed.set()

    # In the thread of the publisher.

    def _run(self) -> None:
        while not self._stops:
            soon = GRACE / 2 if self._watch.is_suspicious else IDLE
            self._changed.wait(min(soon, self._heartbeat))
            self._changed.clear()
            try:
                self._publish_if_due()
            except Exception:  # A game of another maker may fail in its view; the table goes on.
                LOG.exception(log_line("floor_state_failed"))

    def _publish_if_due(self) -> None:
        if self._watch.is_taken_over():
            self._draw_new_id()
        if self._stops or not self._is_connected or self._on_its_way > 0:
            return
        state, now = self._read_state(), time.monotonic()
        if not state.name:
            self._leave_floor()
            return
        is_known = self._told is not None and self._told.without_ages() == state.without_ages()
        if is_known and not self._is_fresh and now - self._told_at < self._heartbeat:
            return
        renames = self._told is None or (self._told.name, self._told.place) != (
            state.name,
            state.place,
        )
        is_due = self._is_fresh or now - self._all_told_at >= self._anew
        self._is_fresh = False
        if is_due or renames:
            document = discovery_document(self._table, state)
            self._publish_topic(discovery_topic(self._table), _encode(document))
        if is_due:
            self._publish_topic(online_topic(self._table), ONLINE)
            self._all_told_at = now
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
        self._send(topic, payload)

    def _send(self, topic: str, payload: bytes) -> None:
        expiry = _expire(PacketTypes.PUBLISH) if payload else None
        self._client.publish(topic, payload, retain=True, properties=expiry)

    def _draw_new_id(self) -> None:
        """Go on as another table: a copy of this one's data folder is connected under its id."""
        LOG.warning(log_line("floor_id_doubled"))
        self._watch.close()
        old, self._table = self._client, self._new_id()
        self._watch = TakeoverWatch(self._broker, self._client_name)
        self._client = self._make_client()
        stop_client(old)
        start_client(self._client, self._broker)


def _expire(packet: int) -> Properties:
    """Return what has a broker forget a message some time later."""
    properties = Properties(packet)  # type: ignore[no-untyped-call]
    properties.MessageExpiryInterval = KEPT
    return properties
