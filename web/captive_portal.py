"""Captive portal: answer the connectivity probes of phones on the table's own Wi-Fi.

On that network the names of the phone makers lead to this server. Laws: only such a name, at the
very path that its maker probes, is answered, and only where the table has a network of its own; the
answer redirects to our page until a person there chooses to stay, and is from then on the reply
that the phone expects. No cookie and no page goes out under a foreign name.
"""

from collections.abc import Mapping

from flask import Blueprint, Flask, Response, current_app, make_response, redirect, request

from companion.hotspot.addresses import TABLE_ADDRESS
from web import responses
from web.context import current_context

MAX_PHONES = 254
"""As many phones as such a network has addresses for."""
STAYING_PHONES = "staying"

APPLE = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
FIREFOX = (
    '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
)
ANDROID = (
    "connectivitycheck.gstatic.com", "connectivitycheck.android.com", "clients3.google.com",
    "play.googleapis.com", "connectivitycheck.platform.hicloud.com", "connect.rom.miui.com",
)  # fmt: skip
PROBE_REPLIES: Mapping[tuple[str, str], str] = {
    **{(name, path): "" for name in ANDROID for path in ("/generate_204", "/gen_204")},
    ("captive.apple.com", "/"): APPLE,
    ("captive.apple.com", "/hotspot-detect.html"): APPLE,
    ("www.apple.com", "/library/test/success.html"): APPLE,
    ("www.msftconnecttest.com", "/connecttest.txt"): "Microsoft Connect Test",
    ("www.msftncsi.com", "/ncsi.txt"): "Microsoft NCSI",
    ("detectportal.firefox.com", "/success.txt"): "success\n",
    ("detectportal.firefox.com", "/canonical.html"): FIREFOX,
}
"""The reply that phones expect, by the name and path that they probe; an empty one is a 204."""

blueprint = Blueprint("no_internet", __name__)


def install(app: Flask) -> None:
    """Give the app an empty set of staying phones, the first to come first."""
    app.extensions[STAYING_PHONES] = dict[str, None]()


@blueprint.get("/no-internet")
def show_no_internet() -> Response:
    """Show that this Wi-Fi has no internet, and how to go on."""
    return responses.page_response(
        "captive_portal.html",
        stays=_phone_address() in _staying_phones(),
        address=_portal_address(),
    )


@blueprint.get("/no-internet/stay")
def keep_phone() -> Response:
    """Remember that this phone stays. A GET, since it does no harm and the page needs no form."""
    phones = _staying_phones()
    phones[_phone_address()] = None
    if len(phones) > MAX_PHONES:
        phones.pop(next(iter(phones)))
    return make_response(redirect("/no-internet", 303))


def captive_portal_response() -> Response | None:
    """Reply to a phone's connectivity probe; None for any other request."""
    name = request.environ.get("HTTP_HOST", "").lower().removesuffix(":80")
    reply = PROBE_REPLIES.get((name, request.path))
    has_network = TABLE_ADDRESS in current_context().machine.hosts
    if reply is None or not has_network or request.method not in ("GET", "HEAD"):
        return None
    if _phone_address() not in _staying_phones():
        return make_response(redirect(f"{_portal_address()}no-internet", 302))
    return Response(reply, 200 if reply else 204, content_type="text/html; charset=utf-8")


def _portal_address() -> str:
    """Return the address of the table in its own network, at the port it is served on."""
    return f"http://{TABLE_ADDRESS}:{current_context().machine.port}/"


def _staying_phones() -> dict[str, None]:
    staying: dict[str, None] = current_app.extensions[STAYING_PHONES]
    return staying


def _phone_address() -> str:
    return request.remote_addr or ""
