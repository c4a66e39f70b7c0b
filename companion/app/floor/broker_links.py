"""Publish a table at the brokers of the floors that it is paired with, from when they tell theirs
until they are revoked.

Laws: a thread of its own begins and ends what publishes, so no request waits for a broker. A floor
that another program revoked is noticed within LOOKED seconds. Of two floors at one broker the table
is there once.
"""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.log_lines import log_line
from companion.floor.broker import Broker, BrokerLogin, make_broker
from companion.floor.paired_floors import PairedFloors

if TYPE_CHECKING:
    from companion.app.floor.publisher import TablePublisher

LOOKED = 3.0
LOG = logging.getLogger("companion.floor")


class BrokerLinks:
    """Keeps one publisher for each broker that a paired floor told."""

    def __init__(
        self, floors: PairedFloors, make_publisher: "Callable[[Broker], TablePublisher]"
    ) -> None:
        self._floors, self._make_publisher = floors, make_publisher
        self._running: dict[BrokerLogin, TablePublisher] = {}
        self._refused: set[BrokerLogin] = set()
        self._wake, self._stops = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="floor brokers", daemon=True)
        floors.on_broker = self._wake.set

    def start(self) -> None:
        """Publish from now on."""
        self._thread.start()

    def note_change(self) -> None:
        """Let the newest state be published everywhere; this never waits."""
        for publisher in [*self._running.values()]:
            publisher.note_change()

    def close(self) -> None:
        """Say at each broker that the table is gone, and stop."""
        self._stops = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stops:
            self._follow_floors(self._floors.list_brokers())
            self._wake.wait(LOOKED)
            self._wake.clear()
        self._follow_floors([])

    def _follow_floors(self, told: list[BrokerLogin]) -> None:
        """End what no floor tells any more, and begin what is new."""
        for login in self._running.keys() - set(told):
            self._running.pop(login).close()
        for login in told:
            if login in self._running or login in self._refused:
                continue
            try:
                publisher = self._make_publisher(make_broker(login))
            except Malformed:
                self._refused.add(login)
                LOG.warning(log_line("floor_login_unusable"))
                continue
            publisher.start()
            self._running[login] = publisher
