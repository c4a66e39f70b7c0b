"""How a floor hears its tables: from a broker, or by asking each table without one.

Laws: what is heard reaches the tiles on the thread of the event loop. A table that is asked and
does not answer is gone, and is asked again; all are asked at once, so that a silent one holds up
no other.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from companion.app.floor.client import make_client, start_client, stop_client
from companion.floor.broker import Broker
from companion.floor.tiles import MOST_TABLES, FloorTiles
from companion.floor.topics import (
    ALL_TABLES,
    ONLINE,
    TOPIC,
    discovery_topic,
    online_topic,
    state_topic,
)

EVERY = 2.0
"""Seconds between two questions to a table, unless there are very many of them."""
MOST_A_SECOND = 60
"""Questions a second, to all tables; so a thousand tables are still asked before they are old."""
TIMEOUT = 3.0


class BrokerEar:
    """Hears every table at a broker; make it on the thread of the loop."""

    def __init__(self, broker: Broker, tiles: FloorTiles, name: str) -> None:
        self._broker, self._tiles = broker, tiles
        self._loop = asyncio.get_running_loop()
        self.is_connected = False
        self._online: dict[str, bool] = {}
        self._client = make_client(broker, name)
        self._client.on_connect = self._subscribe
        self._client.on_disconnect = self._note_lost
        self._client.on_message = self._pass_on

    def start(self) -> None:
        start_client(self._client, self._broker)

    def close(self) -> None:
        stop_client(self._client)

    def forget_table(self, table: str) -> None:
        """Have the broker forget a table as well."""
        for topic in (state_topic, online_topic, discovery_topic):
            self._client.publish(topic(table), b"", retain=True)

    def _subscribe(
        self, client: Client, _data: object, _flags: object, reason: Any, _p: object
    ) -> None:
        if not reason.is_failure:
            self.is_connected = True
            client.subscribe([(topic, 0) for topic in ALL_TABLES])

    def _note_lost(self, *_lost: object) -> None:
        self.is_connected = False

    def _pass_on(self, _client: Client, _data: object, told: MQTTMessage) -> None:
        found = TOPIC.fullmatch(told.topic)
        if found is not None:
            with suppress(RuntimeError):  # The loop is closed: the floor ends.
                self._loop.call_soon_threadsafe(
                    self._take_message, found["id"], found["part"], bytes(told.payload), told.retain
                )

    def _take_message(self, table: str, part: str, payload: bytes, is_kept: bool) -> None:
        if (
            part == "online" and not payload
        ):  # Forgotten; what comes next tells whether it is there.
            self._online.pop(table, None)
            return
        if part == "online":
            self._online[table] = payload == ONLINE
        elif not self._tiles.hear_state(table, payload, is_kept=is_kept):
            return
        self._tiles.note_online(table, self._online.get(table, not is_kept))


def id_of_address(address: str) -> str:
    """Return the id by which a table is known that is asked at this address, or found by this
    name."""
    return hashlib.sha256(address.encode()).hexdigest()[:12]


class TableAsker:
    """Asks each table for its state, again and again, without a broker."""

    def __init__(self, addresses: Sequence[str], tiles: FloorTiles) -> None:
        self._named, self._tiles = [each.rstrip("/") for each in addresses], tiles
        self._client = AsyncHTTPClient(force_instance=True, max_clients=200)
        self._addresses: dict[str, str] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        for address in self._named:
            self.ask(id_of_address(address), address)

    def ask(self, table: str, address: str) -> None:
        """Ask a table from now on; one that is asked already, at this address."""
        self._addresses[table] = address
        if table not in self._asking and len(self._asking) < MOST_TABLES:
            self._asking[table] = asyncio.create_task(self._keep_asking(table))

    def close(self) -> None:
        for task in self._asking.values():
            task.cancel()
        self._client.close()

    def forget_table(self, _table: str) -> None:
        """A table that is asked comes again as long as it answers."""

    async def _keep_asking(self, table: str) -> None:
        while True:
            address = self._addresses[table]
            try:
                answer = await self._client.fetch(
                    f"{address}/api/floor", request_timeout=TIMEOUT, connect_timeout=TIMEOUT
                )
                self._tiles.note_online(table, self._tiles.hear_state(table, answer.body))
            except (TimeoutError, OSError, HTTPClientError):
                self._tiles.note_online(table, False)
            await asyncio.sleep(max(EVERY, len(self._asking) / MOST_A_SECOND))
