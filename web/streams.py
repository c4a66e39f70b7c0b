"""Streams: check who may watch which screen. Their contents are the server's
(web/server/broadcast.py)."""

from typing import NamedTuple

from flask import Blueprint, Response, abort, request, session

from web.browsers import Client, browser_id
from web.context import AppContext, current_context
from web.rendering.scene import Screen
from web.rendering.screens import (
    PAGES,
    UNSTREAMED_PAGES,
    came_as_known,
    has_page,
    is_denied,
    requested_place,
    requested_screen,
)
from web.responses import permission_response
from web.security import accepts_gzip, stream_flaw

ADMITTED = "companion.admitted"
"""The key in the WSGI environment for the admission of a viewer."""
DATA_PAGE = "data"
"""The screen that is no page: the view of a seat, or of the table, as JSON."""

blueprint = Blueprint("streams", __name__)


class Admission(NamedTuple):
    """A viewer that may watch a screen: whom it counts for, the browser that asked (`owner`),
    whether it is on the Pi itself, whether it was signed, and the number of this start if it was
    signed for another."""

    screen: Screen
    client: Client
    owner: str
    is_here: bool
    is_signed: bool
    takes_gzip: bool
    new_start: str

    def still_counts(self, context: AppContext) -> bool:
        """Return whether the viewer is still the host or has the seat that its screen is for, and
        still knows the names on it."""
        screen, seat = self.screen, self.screen.seat
        who = PAGES.get(screen.page, "seat" if seat else "everyone")
        if seat > context.table.seats > 0 or context.browsers.find_denial(who, self.owner, seat):
            return False
        shows_names = screen.came_known and not (seat or screen.browser)
        return not shows_names or self.is_here or context.may_see_names(self.owner)


@blueprint.get("/stream/<page>")
@blueprint.get("/stream/<page>/<int:seat>")
def open_page(page: str, seat: int = 0) -> Response:
    """Admit the asking browser to a page, by its cookie."""
    if not has_page(page) or page in UNSTREAMED_PAGES:
        abort(404)
    screen = requested_screen(page, seat)
    if is_denied(screen):
        abort(404)
    return _admit(screen)


@blueprint.get("/api/stream/table")
def open_table_view() -> Response:
    """Admit anyone to the view of the table as JSON, for pages that others write."""
    return _admit(Screen(DATA_PAGE, 0, "", came_known=came_as_known()))


@blueprint.get("/api/stream/seats/<int:seat>")
def open_seat_view(seat: int) -> Response:
    """Admit the browser of a seat to the view of its seat as JSON."""
    context = current_context()
    if not context.seats.holds_seat(browser_id(), seat) or seat > context.table.seats > 0:
        return permission_response("not_your_seat")
    return _admit(Screen(DATA_PAGE, seat, "", came_known=came_as_known()))


def _admit(screen: Screen) -> Response:
    """Return the head of a stream, and admit the asking browser to it. It sets no cookie."""
    browsers, owner, flaw = current_context().browsers, browser_id(), stream_flaw()
    request.environ[ADMITTED] = Admission(
        screen,
        client=browsers.find_client(owner, request.remote_addr or ""),
        owner=owner,
        is_here=requested_place() == "machine",
        is_signed=not flaw,
        takes_gzip=accepts_gzip(),
        new_start=browsers.attempts.start if flaw == "other_start" else "",
    )
    session.modified = False
    response = Response(content_type="text/event-stream")
    response.vary.add("Accept-Encoding")
    if accepts_gzip():
        response.content_encoding = "gzip"
    return response
