"""The address of a broker and the login there, as the config says them.

Law: a password stands in a file of its own, never in an address: addresses are logged and shown.
"""

from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_

PORTS = {"mqtt": 1883, "mqtts": 8883}


class Broker(msgspec.Struct, frozen=True):
    """Where a broker is, and how one is let in."""

    host: str
    port: int
    uses_tls: bool = False
    user: str = ""
    password: str = ""
    authority: str = ""
    """The file with the certificate that signed the broker's; empty for those of this machine."""


def parse_broker(address: str, login: str = "", authority: str = "") -> Broker:
    """Return the broker of this address; Malformed if it is none, or if the login is not read."""
    try:
        parts = urlsplit(address)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    if not (parts.hostname and port) or parts.username or parts.path or parts.query:
        text = N_("{field} is no address of a broker; write mqtts://HOST or mqtt://HOST:PORT.")
        raise Malformed(address.rpartition("@")[2], text)
    user, password = _read_login(Path(login)) if login else ("", "")
    return Broker(parts.hostname, port, parts.scheme == "mqtts", user, password, authority)


def _read_login(path: Path) -> tuple[str, str]:
    try:
        user, colon, password = path.read_text("utf-8", "replace").strip().partition(":")
    except OSError as error:
        raise not_read(path, error) from None
    if not (user and colon):
        raise Malformed(str(path), N_("{field} has to hold one line: USER:PASSWORD"))
    return user, password
