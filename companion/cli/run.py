"""`companion run`: the companion as a service, on a Pi or at a simulated table.

Law: a game that is under way goes on, and one begins only where that was asked for.
"""

import argparse
import os

from companion.app import settings
from companion.cli import table_options
from companion.cli.greeting import print_addresses
from companion.cli.options import add_data_option
from hardware.wiring import DEFAULT

FLOOR_OPTIONS = {
    "name": ("NAME", "the table's name on the floor; without one it is not there"),
    "place": ("PLACE", "its place in the room"),
    "mqtt": (
        "ADDRESS",
        "publish the table's state at this broker: mqtts://HOST, mqtt://HOST:PORT",
    ),
    "mqtt_login": ("FILE", "a file with one line, USER:PASSWORD, for the broker"),
    "mqtt_ca": ("FILE", "the CA certificate of the broker, if the system does not know it"),
}
"""The options that put a table on a floor."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion run`."""
    add = parser.add_argument
    table_options.add_table_options(parser, "127.0.0.1", "the one last played")
    add("--players", type=lambda typed: tuple(name.strip() for name in typed.split(",")),
        default=(), metavar="NAME,NAME…",
        help="start a game with these players, clockwise, if none is in progress")  # fmt: skip
    add("--config", action=table_options.ConfigAction, metavar="FILE",
        help="read options from this file; options after it take precedence")  # fmt: skip
    add_data_option(parser)
    add("--profile", metavar="PROFILE",
        help="the wiring of the table (default: as assigned on the set-up page, else "
             f"{DEFAULT})")  # fmt: skip
    for name, (value, says) in FLOOR_OPTIONS.items():
        add(f"--{name.replace('_', '-')}", metavar=value, help=says, default="")
    add("--names-days", type=int, metavar="N", help="days until names of players are erased")
    add("--sim", action="store_true", help="use a simulated table; bots play in free seats")


def run(parsed: argparse.Namespace) -> int:
    """Run until stopped. Under systemd the table stands without its wires if need be: a message
    why it does not start would not be read."""
    parsed.data = parsed.data or settings.data_folder()
    asked = table_options.make_options(
        parsed,
        kind="simulated" if parsed.sim else "physical",
        folder=parsed.data,
        patient=bool(os.environ.get("NOTIFY_SOCKET")),
        begins_game="if_asked",
    )
    return table_options.start_companion(parsed.command, asked, print_addresses)
