"""The picture card of an evening, under a link that only this group knows.

Laws: there is nothing of it before the game has ended, and nothing any more once the link has died
or an undo has opened the game again. No cache may keep it: a phone may be handed on, and the link
is to die with the group. It is drawn elsewhere; a browser that comes too early is asked to come
again.
"""

from concurrent.futures import CancelledError
from subprocess import SubprocessError

from flask import Blueprint, Response, abort, current_app, make_response, render_template
from markupsafe import Markup

from companion.core.i18n import N_, message
from companion.hotspot.wifi import visible_addresses
from companion.table.evening import Evening
from web import responses, security
from web.context import AppContext, current_context
from web.rendering import templates
from web.rendering.evening_card import card_composer
from web.rendering.invite import Invite, create_invite
from web.rendering.screens import Facts, Screen, provides_facts

blueprint = Blueprint("evening", __name__, url_prefix="/evening", template_folder="templates")

WAIT = 1.5
"""Seconds for which a thread waits for a drawing: most are done by then."""
COME_AGAIN = 2
BEING_DRAWN = N_("The picture is being drawn. It appears here in a moment.")


@blueprint.get("/<link>.png")
def show_picture(link: str) -> Response:
    """Send the picture card in the language of the table."""
    security.limit_pictures()
    context = current_context()
    if not _is_over(context, context.pictures.evening_of(link)):
        abort(404)
    drawing = context.pictures.picture(link, context.language, card_composer(current_app))
    try:
        png = drawing.result(WAIT) if drawing is not None else abort(404)
    except TimeoutError:
        return _ask_to_come_again()
    except (OSError, SubprocessError, CancelledError):
        abort(404)
    return Response(png, mimetype="image/png", headers={"Content-Disposition": "inline"})


def _is_over(context: AppContext, evening: Evening | None) -> bool:
    """Check that this evening is still the end of its game."""
    view = context.table.view()
    if evening is None or view is None or view.public.id != evening.id:
        return evening is not None
    return view.table.evening == evening


def _ask_to_come_again() -> Response:
    words = templates.template_words(responses.request_language())
    page = render_template("error.html", **words, saying=message(BEING_DRAWN))
    response = make_response(page, 503)
    response.headers["Retry-After"] = response.headers["Refresh"] = str(COME_AGAIN)
    return response


@provides_facts("table", at_end=True)
@provides_facts("phone", at_end=True)
@provides_facts("play", at_end=True)
@provides_facts("share", at_end=True)
def picture_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the way to the picture card: for the table screen a code too, None without one."""
    link = _picture_link(context) if screen.sees_names(context) else ""
    if not link:
        return {"picture": None}
    path = f"/evening/{link}.png"
    if screen.page != "table":
        return {"picture": Invite(Markup(), (path,))}
    addresses = visible_addresses(context.addresses(), screen.is_local)[:1]
    absolute = tuple(f"{address.rstrip('/')}{path}" for address in addresses)
    found = create_invite(absolute, screen.language)
    return {"picture": Invite(found.svg if found else Markup(), (path,))}


def _picture_link(context: AppContext) -> str:
    """Return the link of the game that was played to its end; "" if it was not."""
    view = context.table.view()
    if view is None or not view.shows_end or view.table.evening is None:
        return ""
    return context.pictures.find_link(view.table.evening)


@provides_facts("table", at_end=True)
@provides_facts("phone", at_end=True)
@provides_facts("play", at_end=True)
@provides_facts("share", at_end=True)
def end_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the line with which the game ended, and whether this page signs it: only the page of
    a phone that plays for one seat."""
    own = context.seats.seats_of(context.seats.holder_of(screen.seat)) if screen.seat else ()
    end = context.table.played.end_line()
    return {"end_line": end, "signs_end": screen.page == "phone" and len(own) == 1}


@provides_facts("phone")
@provides_facts("play")
def next_game_facts(context: AppContext, screen: Screen) -> Facts:
    """Return whether the browser of this seat is signed in as the host, who may begin a game."""
    sessions, holder = context.host_sessions, context.seats.holder_of(screen.seat)
    return {"may_begin": bool(sessions and holder and sessions.is_signed_in(holder))}
