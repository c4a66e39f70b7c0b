"""The address of a broker and the login there, as the config or a paired floor says them.

Laws: a password stands in a file of its own, never in an address: addresses are logged and shown.
Over a network that others use, the broker is spoken to through TLS (`mqtts`): a login that a floor
made is sent to no broker elsewhere without.
"""

import ssl
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_

PORTS = {"mqtt": 1883, "mqtts": 8883}
NO_CERTIFICATE = N_("{field} holds no certificate that can be read.")
HERE = ("localhost", "127.0.0.1", "::1")


class Broker(msgspec.Struct, frozen=True):
    """Where a broker is, and how one is let in."""

    host: str
    port: int
    uses_tls: bool = False
    user: str = ""
    password: str = ""
    authority: str = ""
    """The file with the certificate that signed the broker's; empty for those of this machine."""
    certificates: str = ""
    """That certificate itself, as text, where a floor told it."""

    @property
    def is_guarded(self) -> bool:
        """Return whether no one in the network hears what is told to this broker."""
        return self.uses_tls or self.host in HERE


class BrokerLogin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a floor tells a table of its broker: the address, the table's own login, and the
    certificate that signed the broker's."""

    address: str
    user: str
    password: str
    certificates: str = ""


def make_broker(told: BrokerLogin) -> Broker:
    """Return the broker that a floor told; Malformed if it is none, or not guarded by TLS."""
    broker = msgspec.structs.replace(
        parse_broker(told.address), user=told.user, password=told.password,
        certificates=told.certificates,
    )  # fmt: skip
    make_tls_context(broker)
    return check_guarded(broker, told.address)


def check_guarded(broker: Broker, address: str) -> Broker:
    """Return the broker; Malformed if others in the network would hear the login."""
    if not broker.is_guarded:
        text = N_("Logins are made only for a broker with TLS, so not for {field}: write mqtts://")
        raise Malformed(address, text)
    return broker


class ClosedWhenRefused(ssl.SSLSocket):
    """A TLS socket that closes itself when its handshake fails; the MQTT library leaves it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def make_tls_context(broker: Broker) -> ssl.SSLContext:
    """Return whom to believe at this broker; Malformed if its certificate cannot be read."""
    try:
        context = ssl.create_default_context(
            cafile=broker.authority or None, cadata=broker.certificates or None
        )
    except (OSError, ValueError):
        raise Malformed(broker.authority or broker.host, NO_CERTIFICATE) from None
    context.sslsocket_class = ClosedWhenRefused
    return context


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
