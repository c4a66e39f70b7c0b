"""Take where a table stands in the plan of the room, as it was dragged there on the page.

Law: a place is kept on disk before it counts, and every viewer sees the table move.
"""

from collections.abc import Callable

from tornado.web import HTTPError

from companion.core.errors import NotWritten
from companion.floor.tiles import RoomSpot
from web.floor.refusals import SaidError
from web.floor.server import FloorHandler, FloorPages, FloorRoute

KeepSpot = Callable[[str, RoomSpot], None]


def plan_routes(pages: FloorPages, keep_spot: KeepSpot) -> list[FloorRoute]:
    """Return who answers for the plan of the room; `keep_spot` may raise NotWritten."""
    return [(r"/move", MoveHandler, {"pages": pages, "keep_spot": keep_spot})]


class MoveHandler(FloorHandler):
    """Move a table in the plan."""

    def initialize(
        self, pages: FloorPages, keep_spot: KeepSpot = lambda _table, _spot: None
    ) -> None:
        super().initialize(pages)
        self.keep_spot = keep_spot

    def post(self) -> None:
        """Take `x` and `y`, both from 0 to 1."""
        self.require_pin()
        tiles, table = self.pages.tiles, self.get_body_argument("table", "")
        if table not in tiles:
            raise HTTPError(404)
        spot = RoomSpot(self._read_share("x"), self._read_share("y"))
        try:
            self.keep_spot(table, spot)
        except NotWritten as failed:
            raise SaidError(503, failed.say) from None
        tiles.move_table(table, spot)
        self.set_status(204)

    def _read_share(self, name: str) -> float:
        try:
            share = float(self.get_body_argument(name, ""))
        except ValueError:
            raise HTTPError(400) from None
        if not 0 <= share <= 1:
            raise HTTPError(400)
        return round(share, 4)
