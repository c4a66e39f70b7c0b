"""Find the tables of a network by mDNS, as Avahi announces them, and have each of them asked.

Laws: the library that listens is loaded only where a floor looks for its tables. What is announced
is believed as an address to ask, and as nothing else: a table is what answers there as one. A table
that is no longer announced is still asked, so it is shown as gone, and comes back by itself.
"""

import asyncio
import importlib.util
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.installation import pip_command

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

KIND = "_http._tcp.local."
ANNOUNCED = "Table companion on "
"""How the name begins under which systemd/companion.avahi.service announces a table."""
PATIENCE_MS = 3000
LIBRARY = "zeroconf"


def can_find() -> bool:
    """Return whether the library is installed that listens."""
    return importlib.util.find_spec(LIBRARY) is not None


def require_library() -> None:
    """Raise Malformed with what to type, if the library is missing."""
    if not can_find():
        text = N_("To find tables by itself, the floor needs the package {field}; type: {command}")
        raise Malformed(LIBRARY, text, command=pip_command(LIBRARY))


class TableFinder:
    """Listens for announcements; `ask` is called with the name and the address of each table."""

    def __init__(
        self, ask: Callable[[str, str], None], interfaces: Sequence[str] | None = None
    ) -> None:
        """Listen at the networks of these addresses of ours, by default at all."""
        self._ask, self._interfaces = ask, interfaces
        self._network: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._looking = set[asyncio.Task[None]]()

    def start(self) -> None:
        from zeroconf import InterfaceChoice, IPVersion  # noqa: PLC0415
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf  # noqa: PLC0415

        self._network = AsyncZeroconf(
            interfaces=self._interfaces or InterfaceChoice.All, ip_version=IPVersion.V4Only
        )
        self._browser = AsyncServiceBrowser(
            self._network.zeroconf, KIND, handlers=[self._note_announcement]
        )

    def close(self) -> None:
        """Stop listening; the sockets close when the loop next comes round to it."""
        for task in [*self._looking]:
            task.cancel()
        if self._network is not None:
            closing = asyncio.ensure_future(self._network.async_close())
            self._looking.add(closing)
            closing.add_done_callback(self._looking.discard)

    def forget_table(self, _table: str) -> None:
        """A table that is announced comes again as long as it answers."""

    def _note_announcement(
        self, *, name: str, state_change: "ServiceStateChange", **_network: object
    ) -> None:
        if name.startswith(ANNOUNCED) and state_change.name != "Removed":
            task = asyncio.ensure_future(self._look_up(name))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look_up(self, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415

        found = AsyncServiceInfo(KIND, name)
        network = self._network
        if network and await found.async_request(network.zeroconf, PATIENCE_MS):
            addresses = found.parsed_addresses()
            if addresses and found.port:
                self._ask(name, f"http://{addresses[0]}:{found.port}")
