"""A correction: the page on which the table says what happened at a moment instead.

Law: only what could have happened is offered, each as one choice; whoever sends it says so through
the door of the table, as for everything else. Phone and host share it.
"""

from flask import Response, make_response, render_template

from companion.table.activity_log import log_entries
from companion.table.corrections import correction_options
from web.context import current_context
from web.rendering.screens import Screen, template_facts


def show_correction(screen: Screen, at: int) -> Response:
    """The choices for this moment, for a page that may ask for a correction."""
    context = current_context()
    history = context.table.history
    facts = template_facts(context, screen) | {
        "moment": next((one for one in log_entries(history) if one.at == at), None),
        "ways": [{"target": at, "instead": way} for way in correction_options(history, at)],
        "stylesheet": "phone",
        "back": f"/{screen.page}/{screen.seat}" if screen.seat else f"/{screen.page}",
    }
    return make_response(render_template("shared/correction.html", **facts))
