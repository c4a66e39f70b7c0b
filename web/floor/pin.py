"""The PIN of the floor, made in the browser: how staff let their phones in on the first evening.

Law: it is made and shown only on the machine of the floor, and only once; every phone that signed
in with another one has to sign in again.
"""

import asyncio
from collections.abc import Sequence

from companion.core.errors import NotWritten
from companion.core.i18n import N_, get_language, message
from web.floor.drawing import draw_floor_page
from web.floor.server import FloorHandler, FloorPages, SaidError

ELSEWHERE = N_(
    "Make the PIN on the machine of the floor itself: its page there has a button for it."
)
MADE = N_("The PIN of the floor is {use}. It is shown only now: write it down.")
THERE = N_("Open {address} on each phone, and type the PIN once.")


def pin_routes(pages: FloorPages) -> Sequence[tuple[str, type[FloorHandler], dict[str, object]]]:
    """Return who answers the address of the PIN."""
    return [(r"/pin", PinHandler, {"pages": pages})]


class PinHandler(FloorHandler):
    """Ask whether a new PIN is to be made; make it, and show it once."""

    def prepare(self) -> None:
        """Refuse browsers elsewhere, as well as what every page refuses."""
        super().prepare()
        if not self.is_here:
            raise SaidError(403, message(ELSEWHERE))

    def get(self) -> None:
        self.finish(draw_floor_page("pin", self.language, told=()))

    async def post(self) -> None:
        make_pin = self.pages.pin.renew_pin
        try:
            digits = await asyncio.get_running_loop().run_in_executor(None, make_pin)
        except NotWritten as failed:
            raise SaidError(503, failed.say) from None
        words = get_language(self.language)
        told = (
            words.render(MADE, {"use": digits}),
            words.render(THERE, {"address": self._find_address()}),
        )
        self.finish(draw_floor_page("pin", self.language, told=told))

    def _find_address(self) -> str:
        """Return an address at which phones find the floor, else the one that was asked."""
        outside = (host for host in self.pages.list_hosts() if not host.startswith("127."))
        host = next((host for host in outside if host[0].isdigit()), self.request.host_name)
        port = self.request.host.rpartition(":")[2]
        return f"http://{host}:{port}" if port.isdecimal() else f"http://{host}"
