"""Corrections: the page on which a phone or a host says what happened at a moment instead.

Law: only what everyone could have seen is offered; it is requested of the table like any other
event. While the game goes on, nothing is looked up here that is to be remembered.
"""

from flask import Response, make_response, redirect, render_template

from companion.core.i18n import Message
from companion.table.activity_log import log_entries
from companion.table.alternatives import PuttingRight, put_right
from companion.table.look_back import check_moment
from web.browsers import browser_id
from web.context import current_context
from web.rendering.game_templates import screens_of
from web.rendering.screens import Facts, Screen, template_facts


def show_correction(screen: Screen, at: int) -> Response:
    """Return the page with the choices for this moment."""
    context = current_context()
    history = context.table.history
    moment = next((one for one in log_entries(history) if one.at == at), None)
    refused = check_moment(history, at) if moment is not None else None
    is_hosts = bool(screen.seat) and context.browsers.is_host(browser_id())
    found = PuttingRight(at) if refused or moment is None else put_right(history, at)
    facts: Facts = {
        "moment": None if refused else moment,
        "refusal": refused.say if refused else None,
        "alternatives": [
            {"fields": {"target": found.at, "instead": one.instead}, "label": one.label}
            for one in found.options
        ],
        "hand": found.hand,
        "noted_card": found.named,
        "as_host": f"/host/correct/{at}" if is_hosts else "",
    }
    return _draw("shared/correction.html", screen, facts)


def show_count(screen: Screen) -> Response:
    """Return the page on which a seat says what it counted, beside what it owns as far as the
    newest verdict is told."""
    table = current_context().table
    told = table.telling.told_history(table.history).state
    owned = table.rules.corrections.count_own(told, screen.seat) if told else {}
    called = [(name, one, _name_counted(name)) for name, one in owned.items()]
    return _draw("shared/count.html", screen, {"owned": called})


def _name_counted(name: str) -> Message:
    """Return the name of a counted thing; an amount is that of a card."""
    text = screens_of(current_context().game).count_labels.get(name)
    card = int(name) if name.isdecimal() else name
    return Message(text) if text else Message("{card}", {"card": card})


def _draw(template: str, screen: Screen, facts: Facts) -> Response:
    back = f"/{screen.page}/{screen.seat}" if screen.seat else f"/{screen.page}"
    shared = {"back": back}
    known = template_facts(current_context(), screen)
    return make_response(render_template(template, **known | facts | shared))


def redirect_to_own_page(path: str) -> Response:
    """Redirect to this page of the host, if something is corrected on the host's browser; else of
    the seat that it holds, else to where one takes a seat."""
    context = current_context()
    if path.startswith("correct") and context.browsers.is_host(browser_id()):
        return make_response(redirect(f"/host/{path}", 303))
    own = [seat for seat in context.seats.seats_of(browser_id()) if seat <= context.table.seats]
    if own:
        return make_response(redirect(f"/phone/{own[0]}/{path}", 303))
    return make_response(redirect("/phone/elsewhere", 303))
