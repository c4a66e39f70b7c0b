"""The broker that tables publish at: where it is, how one is let in, and a client of it.

Law: a password stands in a file of its own, never in an address: addresses are logged and shown.
"""

import ssl
import threading
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_

if TYPE_CHECKING:
    from paho.mqtt.client import Client

KEEPALIVE = 15
"""Seconds without a sign after which a broker gives a client up, once half as many have passed."""
CONNECT_TIMEOUT, LONGEST_WAIT, FAREWELL = 5.0, 12, 0.5
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


def make_client(broker: Broker, name: str = "") -> "Client":
    """Return an MQTT client that connects, and comes back by itself, once its loop is started.

    Raise Malformed if the certificate cannot be read, or the library is missing.
    """
    try:  # A table without a broker need not carry the library, nor have it.
        from paho.mqtt.client import Client  # noqa: PLC0415
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415
    except ImportError:
        text = N_("To speak to {field} the library paho-mqtt is needed: install {package}.")
        raise Malformed(broker.host, text, package="python3-paho-mqtt") from None
    client = Client(CallbackAPIVersion.VERSION2, name)
    client.connect_timeout = CONNECT_TIMEOUT
    client.reconnect_delay_set(1, LONGEST_WAIT)
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.uses_tls:
        try:
            context = ssl.create_default_context(cafile=broker.authority or None)
        except (OSError, ValueError):
            text = N_("{field} holds no certificate that can be read.")
            raise Malformed(broker.authority or broker.host, text) from None
        context.sslsocket_class = ClosedWhenRefused
        client.tls_set_context(context)
    client.connect_async(broker.host, broker.port, KEEPALIVE)
    return client


class ClosedWhenRefused(ssl.SSLSocket):
    """A TLS socket that closes itself when its handshake fails; the MQTT library leaves it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def stop_client(client: "Client") -> None:
    """Disconnect; a broker that does not answer is left alone after half a second."""
    client.disconnect()
    ending = threading.Thread(target=client.loop_stop, daemon=True)
    ending.start()
    ending.join(FAREWELL)
