"""The invitation: the address of this table as a QR code, and in words.

Law: the code says the address as a number, because not every phone knows names that end in
`.local`; nothing secret is in it. A table that only its own machine can reach has no code to scan.
"""

from collections.abc import Sequence
from functools import cache
from ipaddress import ip_address

import msgspec
import segno
from markupsafe import Markup

from companion.texts import N_, language

QUIET = 4
"""Modules of light around the code, without which some cameras do not find it."""
TITLE = N_("QR code of {address}")


class Invite(msgspec.Struct, frozen=True):
    """How phones come in: what to scan, and what to type, the number first."""

    svg: Markup
    addresses: tuple[str, ...]


class Invites:
    """The addresses of this table: its hosts, and the port once the server listens."""

    def __init__(self, hosts: Sequence[str] = ()) -> None:
        self._hosts = tuple(hosts)
        self.port = 0

    def shown(self, code: str) -> Invite | None:
        """The invitation in a language; None while nobody serves."""
        if not (self.port and self._hosts):
            return None
        addresses = tuple(f"http://{_host(host)}:{self.port}/" for host in self._hosts)
        far = [a for a, host in zip(addresses, self._hosts, strict=True) if not _near(host)]
        return Invite(drawn(far[0], code) if far else Markup(), addresses)


@cache
def drawn(address: str, code: str) -> Markup:
    """The code of an address as an SVG that grows with its place."""
    title = language(code).render(TITLE, {"address": address})
    made = segno.make(address, error="m", micro=False)
    svg = made.svg_inline(
        border=QUIET, omitsize=True, svgclass="qr", lineclass="qr-ink", light="#fff", title=title
    )
    return Markup(svg.replace("<svg", '<svg role="img"', 1))


def _near(host: str) -> bool:
    """Whether only this machine gets there."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host(host: str) -> str:
    return f"[{host}]" if ":" in host else host
