"""Corrections: the page on which a phone or a host says what happened at a moment instead.

Law: only what could have happened is offered, each as one choice; it is requested of the table like
any other event.
"""

from flask import Response, make_response, render_template

from companion.table.activity_log import log_entries
from companion.table.corrections import correction_options
from web.context import current_context
from web.rendering.screens import Screen, template_facts


def show_correction(screen: Screen, at: int) -> Response:
    """Return the page with the choices for this moment."""
    context = current_context()
    history = context.table.history
    facts = template_facts(context, screen) | {
        "moment": next((one for one in log_entries(history) if one.at == at), None),
        "ways": [{"target": at, "instead": way} for way in correction_options(history, at)],
        "stylesheet": "phone",
        "back": f"/{screen.page}/{screen.seat}" if screen.seat else f"/{screen.page}",
    }
    return make_response(render_template("shared/correction.html", **facts))
