"""A correction: the page on which the table says what happened at a moment instead.

Law: only what could have happened is offered, each as one choice; whoever sends it says so through
the door of the table, as for everything else. Phone and host share it.
"""

from flask import Response, make_response, render_template

from companion.table.activity_log import told
from companion.table.corrections import alternatives
from web.context import current_context
from web.rendering.screens import Screen, facts_of


def show(screen: Screen, at: int) -> Response:
    """The choices for this moment, for a page that may ask for a correction."""
    here = current_context()
    history = here.table.history
    facts = facts_of(here, screen) | {
        "moment": next((one for one in told(history) if one.at == at), None),
        "ways": [{"target": at, "instead": way} for way in alternatives(history, at)],
        "stylesheet": "phone",
        "back": f"/{screen.page}/{screen.seat}" if screen.seat else f"/{screen.page}",
    }
    return make_response(render_template("shared/correction.html", **facts))
