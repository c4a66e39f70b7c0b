"""Corrections: the page on which a phone or a host says what happened at a moment instead.

Law: only what everyone could have seen is offered; it is requested of the table like any other
event. While the game goes on, nothing is looked up here that is to be remembered.
"""

from flask import Response, make_response, redirect

from companion.core.i18n import Message
from companion.games.counting import Countable
from companion.table.look_back import check_moment
from companion.table.putting_right import PuttingRight, put_right
from companion.table.view import LogEntry, log_entries
from web.browsers import browser_id
from web.context import current_context
from web.rendering.game_words import screens_of
from web.rendering.scene import Facts, GameScene, Screen, make_scene
from web.rendering.screens import draw_template


class Correction(Facts, frozen=True):
    """What may have happened at a moment instead, or why it may not be asked."""

    at: int
    back: str
    requests_url: str
    players: tuple[str, ...]
    moment: LogEntry | None
    refusal: Message | None
    found: PuttingRight
    as_host: str
    """Where the same is said as the host, if this browser is the host's as well."""


def show_correction(screen: Screen, at: int) -> Response:
    """Return the page with the choices for this moment."""
    context = current_context()
    scene, history = make_scene(context, screen), context.table.history
    moment = next((one for one in log_entries(history) if one.at == at), None)
    refused = check_moment(history, at) if moment is not None else None
    found = PuttingRight(at) if refused or moment is None else put_right(history, at)
    facts = Correction(
        scene.version,
        _way_back(screen),
        scene.requests_url,
        scene.players if isinstance(scene, GameScene) else (),
        None if refused else moment,
        refused.say if refused else None,
        found,
        f"/host/correct/{at}" if screen.seat and context.browsers.is_host(browser_id()) else "",
    )
    return draw_template("shared/correction.html", scene, facts)


class Count(Facts, frozen=True):
    """What a seat owns by the log, to be counted."""

    at: int
    back: str
    requests_url: str
    owned: list[tuple[str, Countable, Message]]


def show_count(screen: Screen) -> Response:
    """Return the page on which a seat says what it counted, beside what it owns as far as the
    newest verdict is told."""
    context = current_context()
    scene, table = make_scene(context, screen), context.table
    told = table.telling.told_history(table.history).state
    owned = table.rules.corrections.count_own(told, screen.seat) if told else {}
    called = [(name, one, _name_counted(name)) for name, one in owned.items()]
    facts = Count(scene.version, _way_back(screen), scene.requests_url, called)
    return draw_template("shared/count.html", scene, facts)


def _name_counted(name: str) -> Message:
    """Return the name of a counted thing; an amount is that of a card."""
    text = screens_of(current_context().game).count_labels.get(name)
    card = int(name) if name.isdecimal() else name
    return Message(text) if text else Message("{card}", {"card": card})


def _way_back(screen: Screen) -> str:
    """Return the address of the page that led here."""
    return f"/{screen.page}/{screen.seat}" if screen.seat else f"/{screen.page}"


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
