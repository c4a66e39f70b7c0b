"""At once: the one answer that waits for no other, on the loop itself.

Law: whoever looks after the table hears of it as long as the loop goes round, even while every
thread that paints pages is busy; else a hundred phones that come back together would look like a
table that is dead. It is the answer of the operation of the same name, with the same limits.
"""

import msgspec
from flask import Flask

from web.api.glance import seen
from web.context import ROOM, Room
from web.server.handlers import Door


class AtOnce(Door):
    """How the table is, in one glance."""

    def initialize(self, app: Flask) -> None:
        super().initialize(app)
        self._room: Room = app.extensions[ROOM]

    def get(self) -> None:
        """The lights as they were seen a moment ago."""
        wait, at_home = self.patience.reading(self.address), self._room.house
        if wait:
            self.refuse(429, wait=wait)
        elif at_home is None:
            self.refuse(404)
        else:
            found, status = seen(at_home)
            self.set_status(status)
            self.set_header("Content-Type", "application/json")
            self.set_header("Cache-Control", "no-store")
            self.finish(msgspec.json.encode(found))

    head = get
