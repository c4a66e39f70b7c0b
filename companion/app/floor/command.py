"""The options of `companion floor`."""

import argparse
from pathlib import Path

from companion.app import settings
from companion.app.floor.finding import can_find, require_library
from companion.app.floor.inviting import Invitation
from companion.app.floor.service import FloorOptions
from companion.core.errors import Malformed
from companion.floor.broker import NO_CERTIFICATE, check_guarded, parse_broker


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion floor`."""
    add = parser.add_argument
    add("--mqtt", metavar="ADDRESS", help="hear the tables at this broker: mqtts://HOST")
    add("--mqtt-login", metavar="FILE", default="", help="a file with USER:PASSWORD for the broker")
    add("--mqtt-ca", metavar="FILE", default="", help="the certificate that signed the broker's")
    add(
        "--mqtt-accounts",
        type=Path,
        metavar="FOLDER",
        help="make the floor and each paired table a login, in the files passwords and acl there",
    )
    add("--mqtt-tables", metavar="ADDRESS", default="",
        help="with --mqtt-accounts: where the tables find the broker, if not where the floor does",
    )  # fmt: skip
    add("--pull", metavar="ADDRESS", nargs="*",
        help="ask these tables without a broker: http://table-1.local:8000 …; without an address "
        "find them in the network")  # fmt: skip
    add(
        "--address",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="serve the page here (default: 127.0.0.1)",
    )
    add(
        "--port",
        type=int,
        default=8100,
        metavar="PORT",
        help="this or the next free port (default: 8100)",
    )
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
    return FloorOptions(
        folder, parsed.address, parsed.port, broker, tables, finds,
        invitation=_read_invitation(parsed),
    )  # fmt: skip


def _read_invitation(parsed: argparse.Namespace) -> Invitation | None:
    """Return what the tables are told of the broker, if the floor makes their logins."""
    if parsed.mqtt_accounts is None:
        return None
    told: str = parsed.mqtt_tables or parsed.mqtt or ""
    check_guarded(parse_broker(told), told)
    try:
        certificates = Path(parsed.mqtt_ca).read_text("ascii") if parsed.mqtt_ca else ""
    except (OSError, UnicodeDecodeError):
        raise Malformed(parsed.mqtt_ca, NO_CERTIFICATE) from None
    return Invitation(parsed.mqtt_accounts, told, certificates)
