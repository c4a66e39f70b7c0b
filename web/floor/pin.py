"""The PIN of the floor: made in the browser, and typed on the phones that it lets in.

Laws: it is made and shown only on the machine of the floor, and only once; every phone that signed
in with another one has to sign in again. It is typed on a page without TLS, and therefore sealed
before it is sent. Who signs in is the browser whose key signed that: its cookie alone writes
nothing.
"""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec
from tornado.web import HTTPError

from companion.core.errors import NotWritten
from companion.core.i18n import N_, get_language, message
from companion.host.fair_threads import CrowdedError
from companion.identity.browser_keys import body_digest
from web.floor.drawing import draw_floor_page
from web.floor.refusals import SaidError
from web.floor.server import BROWSER, KEPT_SECONDS, FloorHandler, FloorPages, FloorRoute

ELSEWHERE = N_(
    "Make the PIN on the machine of the floor itself: its page there has a button for it."
)
MADE = N_("The PIN of the floor is {use}. It is shown only now: write it down.")
THERE = N_("Open {address} on each phone, and type the PIN once.")
WRONG = N_("That is not the PIN of the floor.")


def pin_routes(pages: FloorPages) -> Sequence[FloorRoute]:
    """Return who answers for the PIN, and for the keys of browsers."""
    facts: dict[str, object] = {"pages": pages}
    return [
        (r"/api/browser/key", KeyHandler, facts),
        (r"/enter", EnterHandler, facts),
        (r"/pin", PinHandler, facts),
    ]


class OfferedKey(msgspec.Struct, frozen=True):
    """The public key with which a browser is going to sign: Ed25519, in hexadecimal."""

    public_key: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class KeyHandler(FloorHandler):
    """Register the key of a browser, which has signed this very request, as at a table."""

    is_open = True

    async def post(self) -> None:
        """Name the browser in its cookie, and the counter that it can sign with next."""
        body = self.request.body
        try:
            offered = msgspec.json.decode(body, type=OfferedKey)
        except msgspec.DecodeError:
            raise HTTPError(400) from None
        browser, counter = await self.pages.browsers.register_key(
            bytes.fromhex(offered.public_key),
            self.signed_request(body_digest(body)),
            self.signature,
            self.source,
        )
        self.set_cookie(BROWSER, browser, httponly=True, samesite="Lax", max_age=KEPT_SECONDS)
        self.finish({"next_counter": counter + 1})


class EnterHandler(FloorHandler):
    """Take the PIN."""

    def get(self) -> None:
        """Send the key for which it is to be sealed."""
        self.finish(self.pages.pin_seal.public_key)

    async def post(self) -> None:
        """Sign this browser in, for as long as that PIN counts."""
        browsers, browser, source = self.pages.browsers, self.browser, self.source
        sealed = self.get_body_argument("sealed", "")
        typed = self.pages.pin_seal.open_pin(sealed, browsers.public_key(browser))
        try:
            refused = await asyncio.to_thread(browsers.sessions.sign_in, browser, typed, source)
        except CrowdedError:
            raise HTTPError(503) from None
        except NotWritten as failed:
            raise SaidError(503, failed.say) from None
        if refused is not None:
            say = message(WRONG) if refused.code == "wrong_pin" else refused.say
            raise SaidError(401, say)
        self.redirect("/", status=303)


class PinHandler(FloorHandler):
    """Ask whether a new PIN is to be made; make it, and show it once."""

    async def prepare(self) -> None:
        """Refuse browsers elsewhere, as well as what every page refuses."""
        await super().prepare()
        if not self.is_here:
            raise SaidError(403, message(ELSEWHERE))

    def get(self) -> None:
        self.finish(draw_floor_page("pin", self.language))

    async def post(self) -> None:
        try:
            digits = await asyncio.to_thread(self.pages.pin.renew_pin)
        except NotWritten as failed:
            raise SaidError(503, failed.say) from None
        words = get_language(self.language)
        there = words.render(THERE, {"address": self._find_address()})
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(words.render(MADE, {"use": digits}) + "\n" + there)

    def _find_address(self) -> str:
        """Return an address at which phones find the floor, else the one that was asked."""
        outside = (host for host in self.pages.list_hosts() if not host.startswith("127."))
        host = next((host for host in outside if host[0].isdigit()), self.request.host_name)
        port = self.request.host.rpartition(":")[2]
        return f"http://{host}:{port}" if port.isdecimal() else f"http://{host}"
