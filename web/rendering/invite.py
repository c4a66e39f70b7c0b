"""Invitations: the address of this table as a QR code and in words, and the way into its Wi-Fi.

Laws: the code holds the address as a number, as not every phone resolves names that end in
`.local`; nothing secret is in it. A table that only its own machine can reach has no code to scan.
The Wi-Fi and the pass of the host have other codes, and only a page that asks for one explicitly
gets it. The word of a pass is in the fragment of its address, which no browser sends and no log
has. A table is new until it was set up, played at, or has a host who is signed in; the screen of
the Pi itself offers the pass of the host then, which is worth nothing from then on.
"""

from functools import lru_cache
from urllib.parse import urlsplit

import msgspec
from markupsafe import Markup

from companion.host.host_pass import NEW_TABLE, ShownPass, pass_address
from companion.hotspot.addresses import LOCALHOST_NAMES, is_on_air, visible_addresses
from web.context import AppContext

QUIET_ZONE = 4
"""Light modules around the code, without which some cameras do not find it."""


class Invite(msgspec.Struct, frozen=True):
    """Ways for phones to the table: a QR code ("": none), and the addresses to type."""

    svg: Markup
    addresses: tuple[str, ...]


class WifiInvite(msgspec.Struct, frozen=True):
    """Ways into the table's own Wi-Fi: a QR code, or name and password to type."""

    svg: Markup
    name: str
    password: str


def wifi_invite(context: AppContext) -> WifiInvite | None:
    """Return the invitation to the table's own Wi-Fi; None unless it is on the air."""
    wifi = context.machine.wifi
    if wifi is None or not is_on_air(context.machine.addresses):
        return None
    return WifiInvite(qr_svg(wifi.qr_text), wifi.name, wifi.password)


@lru_cache(maxsize=16)
def join_invite(addresses: tuple[str, ...], inside: bool) -> Invite | None:
    """Return the invitation for phones, by the addresses that the viewer's network reaches first;
    None as long as the table has no address."""
    visible = visible_addresses(addresses, inside)
    if not visible:
        return None
    return Invite(Markup() if _is_loopback(visible[0]) else qr_svg(visible[0]), visible)


def pass_invite(addresses: tuple[str, ...], word: str) -> Invite | None:
    """Return the way in for the host with the word of a pass: a code, or the address where no phone
    reaches the table."""
    if not addresses:
        return None
    address = pass_address(addresses[0], word)
    if _is_loopback(address):
        return Invite(Markup(), (address,))
    return Invite(_draw_qr(address), ())


def is_new_table(context: AppContext) -> bool:
    """Return whether this table was just installed."""
    if context.setup is None or context.setup.is_set_up or context.host is None:
        return False
    return not context.host.sessions.has_host() and context.host.journal.newest_game() is None


def end_stale_offer(context: AppContext) -> None:
    """End the pass that a new table offered, if it is no longer new."""
    if context.host is not None and not is_new_table(context):
        context.host.host_pass.withdraw_offer()


def find_shown_pass(context: AppContext, is_tables_own: bool) -> ShownPass | None:
    """Return the pass that a screen shows; at a new table the screen of the Pi makes one."""
    if context.host is None:
        return None
    end_stale_offer(context)
    shown = context.host.host_pass.shown_pass()
    if shown is None and is_tables_own and is_new_table(context):
        shown = context.host.host_pass.offer_pass()
    is_hidden = shown is not None and shown.seat == NEW_TABLE and not is_tables_own
    return None if is_hidden else shown


@lru_cache(maxsize=16)
def qr_svg(address: str) -> Markup:
    """Return a QR code as SVG, and remember it: the same code is on many screens."""
    return _draw_qr(address)


def _draw_qr(address: str) -> Markup:
    """Return a QR code as SVG that fills its container, coloured by CSS classes; the page says in
    words what it is."""
    import segno  # noqa: PLC0415  A megabyte, for a table that shows a code.

    code = segno.make(address, error="l", micro=False)  # A screen has no scratches: larger modules.
    return Markup(
        code.svg_inline(border=QUIET_ZONE, omitsize=True, svgclass="qr", lineclass="qr-line")
    )


def _is_loopback(address: str) -> bool:
    """Return whether only this machine reaches an address."""
    return LOCALHOST_NAMES.fullmatch(urlsplit(address).netloc) is not None
