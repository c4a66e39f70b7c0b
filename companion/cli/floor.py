"""`companion floor`: the page of all tables that publish at a broker.

Laws: the floor only watches, and can do nothing at a table. It keeps nothing: the broker does, and
the tables speak again every few seconds. What is heard reaches the tiles on the thread of the loop.
"""

import argparse
import asyncio
import logging
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tornado.httpserver import HTTPServer

from companion.app.floor import Broker, make_client, parse_broker, stop_client
from companion.app.process import set_up_logging
from companion.cli.greeting import address_lines
from companion.core.i18n import get_language
from companion.core.log_lines import log_line
from companion.floor import ALL_TABLES, ONLINE, TOPIC, FloorTiles
from companion.hotspot.addresses import own_addresses, page_addresses
from web.floor import FloorPage
from web.server.sockets import open_sockets

if TYPE_CHECKING:
    from paho.mqtt.client import Client

LOG = logging.getLogger("companion.floor")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion floor`."""
    add = parser.add_argument
    add("--mqtt", metavar="ADDRESS", default="mqtt://localhost",
        help="listen for tables at this broker (default: mqtt://localhost)")  # fmt: skip
    add("--mqtt-login", metavar="FILE", default="",
        help="a file with one line, USER:PASSWORD, for the broker")  # fmt: skip
    add("--mqtt-ca", metavar="FILE", default="",
        help="the CA certificate of the broker, if the system does not know it")  # fmt: skip
    add("--address", default="127.0.0.1", metavar="ADDRESS",
        help="serve the page here (default: 127.0.0.1)")  # fmt: skip
    add("--port", type=int, default=8100, metavar="PORT",
        help="this or the next free port (default: 8100)")  # fmt: skip


def run(parsed: argparse.Namespace) -> int:
    """Serve the floor until it is stopped."""
    set_up_logging("info")
    words = get_language(parsed.lang)
    broker = parse_broker(parsed.mqtt, parsed.mqtt_login, parsed.mqtt_ca)

    def greet(addresses: Sequence[str]) -> None:
        print(*address_lines(addresses, words), sep="\n", flush=True)

    asyncio.run(serve_floor(broker, parsed.address, parsed.port, greet))
    return 0


def hear_tables(broker: Broker, page: FloorPage) -> "Client":
    """Hear every table at a broker from now on, on the thread of this loop; Malformed if that
    cannot be."""
    client, loop = make_client(broker), asyncio.get_running_loop()

    def call(function: Callable[..., None], *facts: object) -> None:
        with suppress(RuntimeError):  # The loop is closed: the floor ends.
            loop.call_soon_threadsafe(function, *facts)

    def subscribe(_client: "Client", _data: object, _flags: object, *told: Any) -> None:
        if told[0].is_failure:
            LOG.warning(log_line("floor_refused", reason=str(told[0])))
        else:
            client.subscribe([(topic, 0) for topic in ALL_TABLES])
            call(page.note_broker, True)

    def take(topic: str, payload: bytes, is_kept: bool) -> None:
        found = TOPIC.fullmatch(topic)
        if found is None:
            return
        if found["part"] == "online":
            page.tiles.hear_online(found["id"], payload == ONLINE)
        else:
            page.tiles.hear_state(found["id"], payload, is_kept)
        page.wake_viewers()

    client.on_connect = subscribe
    client.on_disconnect = lambda *_lost: call(page.note_broker, False)
    client.on_message = lambda _client, _data, told: call(
        take, told.topic, bytes(told.payload), told.retain
    )
    client.loop_start()
    return client


async def serve_floor(
    broker: Broker, address: str, port: int, greet: Callable[[Sequence[str]], None]
) -> None:
    """Serve the floor until it is stopped by a signal.

    Raise Malformed if the address or the broker's certificate cannot be used.
    """
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    sockets = open_sockets(port, address)
    page = FloorPage(FloorTiles(time.monotonic))
    client = hear_tables(broker, page)
    server = HTTPServer(page.make_application(), max_body_size=0, idle_connection_timeout=30)
    server.add_sockets(sockets)
    greet(page_addresses(address, sockets[0].getsockname()[1], own_addresses()))
    await stopped.wait()
    server.stop()
    await server.close_all_connections()
    stop_client(client)
