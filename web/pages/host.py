"""The host's page: what is decided about the whole table, by whoever knows its PIN.

Law: it is built from the view of the table screen, from who sits where, and from the lights of the
table's health: the host sees no more of a game than any seat. The digits of the PIN stand on no
page but the answer to whoever had them made.
"""

from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, request

from companion.core.cards import Box
from companion.games import RULEBOOKS, make_rulebook
from companion.games.rule_texts import rules_of
from companion.table.view import View
from web.context import AppContext, current_context, require_host
from web.pages import correction
from web.pages.health import glance
from web.pages.join import Chair, lobby
from web.rendering import templates
from web.rendering.invite import joining
from web.rendering.screens import Screen, adds, dismissed, lost, my_screen, show
from web.sessions import is_host

blueprint = Blueprint("host", __name__, url_prefix="/host", template_folder="templates")


@blueprint.before_request
def only_with_a_house() -> None:
    """There is nothing to decide where nobody is at home."""
    require_host()


@blueprint.get("")
def page() -> Response:
    """The host's page, for whoever is signed in."""
    return show(my_screen("host"))


@blueprint.get("/enter")
def enter() -> Response:
    """The place for the PIN."""
    if is_host(current_context().host_sessions):
        return make_response(redirect("/host", 303))
    return show(my_screen("login"))


@blueprint.get("/correct/<int:at>")
def correct(at: int) -> Response:
    """What may have happened at a moment instead."""
    screen = my_screen("host")
    return show(screen) if lost(screen) else correction.show(screen, at)


@blueprint.get("/new/<game>")
def new(game: str) -> Response:
    """The form of a new game in this box."""
    if game not in RULEBOOKS:
        abort(404)
    if not current_context().table.history.over:
        return make_response(redirect("/host", 303))
    return show(my_screen("new_game"))


@adds("login")
def nothing_yet(_here: AppContext, _screen: Screen) -> dict[str, Any]:
    """Nothing is told to whoever is not signed in."""
    return {"view": None, "stylesheet": "host"}


@adds("host")
def facts(here: AppContext, screen: Screen) -> dict[str, Any]:
    """Seats, hands that do not open, lights, boxes; nothing for a host who signed out."""
    if here.host is None or dismissed(here, screen):
        return {"view": None, "dismissed": True}
    view = here.table.view()
    return {
        "asks_at": "/api/host/requests",
        "settles": True,
        "corrects_at": "/host/correct",
        "over": here.table.history.over,
        "chairs": _chairs(here, screen),
        "guests": here.seats.guests(),
        "shut": _shut(view),
        "languages": templates.languages(),
        "spoken": here.language,
        "boxes": [make_rulebook(game).box for game in RULEBOOKS],
        **glance(here.host),
        "wifi": joining(here, screen.language),
        "checked": here.host.box_check(),
        "recorded": here.table.has_record(),
        "pace": here.pieces.pace if here.pieces else "",
        "safe": here.backups.inside() if here.backups else None,
        "sets_up": here.setup is not None,
        "fresh": here.setup is not None and not here.setup.set_up,
    }


def _chairs(here: AppContext, screen: Screen) -> list[dict[str, Any]]:
    """Every seat that is played from or held: who plays there, and through whose browser."""
    chairs, own = lobby(here), here.seats.of(screen.browser)
    beyond = [Chair(n, "", phone=True) for n in here.seats.taken() if n > len(chairs)]
    return [
        {
            "seat": chair.seat,
            "name": chair.name,
            "taken": chair.phone,
            "own": chair.seat in own,
            "played": chair.seat <= len(chairs),
        }
        for chair in [*chairs, *sorted(beyond, key=lambda chair: chair.seat)]
    ]


def _shut(view: View | None) -> tuple[int, ...]:
    """The seats whose hands are to open and have not."""
    if view is None or view.public.phase != "open" or view.table.ended:
        return ()
    return tuple(view.public.waiting)


@adds("new_game")
def wished(here: AppContext, _screen: Screen) -> dict[str, Any]:
    """The box that was chosen, its questions, and what was filled in before."""
    filled = request.form
    rules = make_rulebook(_chosen(filled.get("game", "")))
    names = filled.getlist("players[]") or _known(here)
    return {
        "stylesheet": "host",
        "box": rules.box,
        "open_rules": rules_of(rules.box).house_rules,
        "chosen": _answers(rules.box),
        "lines": _lines(names, rules.box.players.most),
        "first": filled.get("first", "1"),
        "has_junior": "junior" in rules.start_event.__struct_fields__,
        "junior": "junior" in filled,
    }


def _chosen(posted: str) -> str:
    """The game in the address, or in the form that was refused."""
    game = posted or str((request.view_args or {}).get("game", ""))
    return game if game in RULEBOOKS else next(iter(RULEBOOKS))


def _known(here: AppContext) -> list[str]:
    """Who played last, or who has come and where they sit; then whoever waits."""
    names = [chair.name for chair in lobby(here)]
    waiting = (guest.name for guest in here.seats.guests() if guest.name not in names)
    if here.table.state is None:
        return [name or next(waiting, "") for name in names]
    return names


def _lines(names: list[str], most: int) -> list[str]:
    return [*names, *[""] * most][:most]


def _answers(box: Box) -> dict[str, str]:
    """The answer to each question: the one that was given, or the default."""
    default = box.default_house_rules()
    return {name: request.form.get(f"house_rules.{name}", default[name]) for name in default}
