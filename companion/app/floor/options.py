"""The options by which a table is on a floor, as the command line and the config spell them."""

import argparse
from typing import Any

from companion.core.i18n import N_

FLOOR_OPTIONS = {
    "name": (N_("NAME"), N_("what the staff calls this table; without a name it is on no floor")),
    "place": (N_("PLACE"), N_("where in the room it stands")),
    "mqtt": (
        N_("ADDRESS"),
        N_("publish the table's state at this broker: mqtts://HOST, mqtt://HOST:PORT"),
    ),
    "mqtt_login": (N_("FILE"), N_("a file with one line, USER:PASSWORD, for the broker")),
    "mqtt_ca": (N_("FILE"), N_("the certificate that signed the broker's, where it is not known")),
}


def add_floor_options(parser: argparse.ArgumentParser) -> None:
    """Add the options by which a table is on a floor."""
    for name, (value, says) in FLOOR_OPTIONS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar=value, help=says, default="")


def floor_options(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of Options that `add_floor_options` has added."""
    return {name: getattr(parsed, name) for name in FLOOR_OPTIONS}
