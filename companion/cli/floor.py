"""`companion floor`: the page of all tables that publish at a broker."""

import argparse
import asyncio
from collections.abc import Sequence

from companion.app.floor import parse_broker
from companion.app.floor_page import serve_floor
from companion.app.process import set_up_logging
from companion.cli.greeting import address_lines
from companion.core.i18n import get_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion floor`."""
    add = parser.add_argument
    add("--mqtt", metavar="ADDRESS", default="mqtt://localhost",
        help="hear the tables at this broker (default: mqtt://localhost)")  # fmt: skip
    add("--mqtt-login", metavar="FILE", default="",
        help="a file with one line, USER:PASSWORD, for the broker")  # fmt: skip
    add("--mqtt-ca", metavar="FILE", default="",
        help="the certificate that signed the broker's, where it is not known")  # fmt: skip
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
