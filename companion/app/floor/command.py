"""The options of `companion floor`."""

import argparse
from pathlib import Path

from companion.app import settings
from companion.app.floor.finding import can_find, require_library
from companion.app.floor.service import FloorOptions
from companion.floor.broker import parse_broker


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion floor`."""
    add = parser.add_argument
    add("--mqtt", metavar="ADDRESS", help="hear the tables at this broker: mqtts://HOST")
    add("--mqtt-login", metavar="FILE", default="", help="a file with USER:PASSWORD for the broker")
    add("--mqtt-ca", metavar="FILE", default="", help="the certificate that signed the broker's")
    add("--pull", metavar="ADDRESS", nargs="*",
        help="ask these tables without a broker: http://table-1.local:8000 …; without an address "
        "find them in the network")  # fmt: skip
    add("--address", default="127.0.0.1", help="serve the page here (default: 127.0.0.1)")
    add("--port", type=int, default=8100, help="this or the next free port (default: 8100)")
    add("--league", type=Path, metavar="FOLDER",
        help="the folder of the league (default: in that of the floor)")  # fmt: skip
    add("--data", type=Path, metavar="FOLDER", help="where the floor keeps what it knows")


def read_options(parsed: argparse.Namespace) -> FloorOptions:
    """Return what was asked for; Malformed if the folder or the broker's files cannot be used."""
    folder: Path = parsed.data or settings.data_folder() / "floor"
    settings.make_folder(folder)
    broker = parse_broker(parsed.mqtt, parsed.mqtt_login, parsed.mqtt_ca) if parsed.mqtt else None
    tables = tuple(parsed.pull or ())
    if parsed.pull == []:
        require_library()
    finds = not tables and (parsed.pull is not None or broker is None) and can_find()
    return FloorOptions(folder, parsed.address, parsed.port, broker, tables, finds, parsed.league)
