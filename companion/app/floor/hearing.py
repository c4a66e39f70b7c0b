"""How a floor hears its tables: from a broker, or by asking each table without one.

Laws: what is heard reaches the tiles on the thread of the event loop. A table that is asked and
does not answer is gone, and is asked again; all are asked at once, so that a silent one holds up
no other. A table is known by its own id, whichever way and at whatever address it is heard: one
that moves stays the same, and one that is heard twice is there once.
"""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from companion.app.floor.client import make_client, start_client, stop_client
from companion.core.log_lines import log_line
from companion.floor.broker import Broker
from companion.floor.table_state import TableState
from companion.floor.tiles import MOST_TABLES, FloorTiles, parse_state
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
CLASHES = 3
"""Answers in a row under the id of a table that is heard elsewhere, and has another address, after
which two tables have that id; one such answer may be that of a table that has just moved."""
BROKER = "broker"
LOG = logging.getLogger("companion.floor")


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
        if part == "online" and not payload:
            self._online.pop(table, None)  # Forgotten: what it says next tells whether it is there.
            return
        if part == "online":
            self._online[table] = payload == ONLINE
        elif not self._tiles.hear_state(table, payload, is_kept=is_kept, ear=BROKER):
            return
        self._tiles.note_online(table, self._online.get(table, not is_kept), ear=BROKER)


def id_of_address(address: str) -> str:
    """Return by what a place is told apart at which a table is asked: an address, or the name under
    which it was found."""
    return hashlib.sha256(address.encode()).hexdigest()[:12]


class TableAsker:
    """Asks each table for its state, again and again, without a broker."""

    def __init__(self, addresses: Sequence[str], tiles: FloorTiles, every: float = EVERY) -> None:
        self._named, self._tiles = [each.rstrip("/") for each in addresses], tiles
        self._every = every
        self._client = AsyncHTTPClient(force_instance=True, max_clients=200)
        self._addresses: dict[str, str] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._answered: dict[str, str] = {}
        """Which table answered last, by the place."""
        self._clashes = Counter[str]()
        self._failed = set[str]()

    def start(self) -> None:
        for address in self._named:
            self.ask(id_of_address(address), address)

    def ask(self, place: str, address: str) -> None:
        """Ask the table of a place from now on; one that is asked already, at this address."""
        self._addresses[place] = address
        if place not in self._asking and len(self._asking) < MOST_TABLES:
            self._asking[place] = asyncio.create_task(self._keep_asking(place))

    def close(self) -> None:
        for task in self._asking.values():
            task.cancel()
        self._client.close()

    def forget_table(self, _table: str) -> None:
        """A table that is asked comes again as long as it answers."""

    async def _keep_asking(self, place: str) -> None:
        while True:
            try:
                self._take_answer(place, await self._ask_once(place))
                self._failed.discard(place)
            except (TimeoutError, OSError, HTTPClientError):
                self._note_gone(place)
            except Exception:  # Such as an address that is none.
                self._note_gone(place)
                if place not in self._failed:
                    self._failed.add(place)
                    LOG.exception(log_line("floor_ask_failed", place=place))
            await asyncio.sleep(max(self._every, len(self._asking) / MOST_A_SECOND))

    async def _ask_once(self, place: str) -> bytes:
        answer = await self._client.fetch(
            f"{self._addresses[place]}/api/floor", request_timeout=TIMEOUT, connect_timeout=TIMEOUT
        )
        return answer.body

    def _take_answer(self, place: str, answer: bytes) -> None:
        state = parse_state(answer)
        if state is None:
            self._note_gone(place)
            return
        table = self._choose_id(place, state)
        if self._answered.get(place) != table:
            self._note_gone(place)
        if self._answered.get(place) == place != table:
            self._tiles.forget_table(place)  # It has its own id again.
        self._answered[place] = table
        self._tiles.hear_state(table, answer, ear=place)

    def _choose_id(self, place: str, state: TableState) -> str:
        """Return by which id the table of a place is known: its own, or that of the place if it has
        none, or if another table with the same one is there."""
        own = state.table or place
        if not self._tiles.is_heard_elsewhere(own, place):
            self._clashes.pop(place, None)
            return own
        if self._tiles[own].state.address == state.address:
            return own  # The same table, by another way.
        self._clashes[place] += 1
        return own if self._clashes[place] < CLASHES else place

    def _note_gone(self, place: str) -> None:
        """Take that the table is not there any more that answered last from a place."""
        table = self._answered.get(place, place)
        self._tiles.note_online(table, False, ear=place)
