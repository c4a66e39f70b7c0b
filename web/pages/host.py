"""The host's page: decisions about the whole table, for browsers that are a host's.

Law: it is built from the view of the table screen, from who sits where, and from the status lights:
the host sees no more of a game than any seat. Opening the page on which one becomes the host
changes nothing, as programs that preview links open pages too.
"""

from flask import Blueprint, Response, abort, make_response, redirect, request

from companion.games import find_game, game_names, make_rulebook
from companion.journal import Journal
from companion.table.view import View
from web.browsers import browser_id
from web.context import AppContext, current_context, require_host
from web.pages import correction
from web.pages.health import status_facts
from web.pages.join import ShownSeat, lobby, seat_names
from web.rendering import languages
from web.rendering.invite import wifi_invite
from web.rendering.screens import (
    Facts,
    Screen,
    is_denied,
    is_signed_out,
    provides_facts,
    render_screen,
    requested_screen,
)

blueprint = Blueprint("host", __name__, url_prefix="/host", template_folder="templates")


@blueprint.before_request
def check_host() -> None:
    """Send 404 if this app runs without a host."""
    require_host()


@blueprint.get("")
def show_host() -> Response:
    """Show the host's page to a signed-in host."""
    return render_screen(requested_screen("host"))


@blueprint.get("/people")
def show_people() -> Response:
    """Show the seats and the waiting guests to a signed-in host."""
    return render_screen(requested_screen("people"))


@blueprint.get("/table")
def show_surroundings() -> Response:
    """Show the settings that stay from game to game to a signed-in host."""
    return render_screen(requested_screen("surroundings"))


@blueprint.get("/care")
def show_care() -> Response:
    """Show health, backups and the machine, to a signed-in host."""
    return render_screen(requested_screen("care"))


@blueprint.get("/enter")
def show_login() -> Response:
    """Show the ways to become the host; the script answers the pass in the fragment of the
    address."""
    if current_context().browsers.is_host(browser_id()):
        return make_response(redirect("/host", 303))
    return render_screen(requested_screen("login"))


@blueprint.get("/correct/<int:at>")
def show_host_correction(at: int) -> Response:
    """Show the possible corrections of a moment."""
    screen = requested_screen("host")
    return render_screen(screen) if is_denied(screen) else correction.show_correction(screen, at)


@blueprint.get("/new/<game>")
def show_new_game(game: str) -> Response:
    """Show the form of a new game in this box."""
    if game not in game_names():
        abort(404)
    if not current_context().table.history.is_over:
        return make_response(redirect("/host", 303))
    return render_screen(requested_screen("new_game"))


@provides_facts("login")
def login_facts(_context: AppContext, _screen: Screen) -> Facts:
    """Return no facts of the table: the viewer is not signed in."""
    return {"view": None}


@provides_facts("host")
@provides_facts("people")
@provides_facts("surroundings")
@provides_facts("care")
def host_facts(context: AppContext, screen: Screen) -> Facts:
    """Return seats, unopened hands, lights and boxes; nothing for a host who signed out."""
    if context.host is None or is_signed_out(context, screen):
        return {"view": None, "signed_out": True}
    view = context.table.view()
    return {
        "requests_url": "/api/host/requests",
        "can_settle": True,
        "correction_url": "/host/correct",
        "over": context.table.history.is_over,
        "chairs": _seat_rows(context, screen),
        "guests": context.seats.waiting_guests(),
        "unopened": _unopened_seats(view),
        "languages": languages.language_names(),
        "spoken": context.settings.language,
        "settings": context.settings,
        "boxes": [make_rulebook(game).box for game in game_names()],
        **status_facts(context.host),
        "wifi": wifi_invite(context, screen.language),
        "checked": context.host.box_check(),
        "stickers": context.host.replaceable_pieces(),
        "last_replaced": context.host.last_replaced,
        "recorded": context.table.history.is_over
        and context.table.read_journal(Journal.newest_game) is not None,
        "pace": context.simulation.bots.pace if context.simulation else "",
        "backup_state": context.backups.status() if context.backups else None,
        "machine": context.machine.status,
        "names_days": context.names.days if context.names else 0,
        "can_set_up": context.setup is not None,
        "needs_setup": context.setup is not None and not context.setup.is_set_up,
    }


def _seat_rows(context: AppContext, screen: Screen) -> list[Facts]:
    """Return every seat that is played or held: its player's name, and whether a phone has it."""
    chairs, own = lobby(context, screen), context.seats.seats_of(screen.browser)
    beyond = [ShownSeat(n, "", phone=True) for n in context.seats.taken_seats() if n > len(chairs)]
    return [
        {
            "seat": chair.seat,
            "name": chair.name,
            "taken": chair.phone,
            "own": chair.seat in own,
            "offered": chair.seat in context.seats.handovers.offered,
            "played": chair.seat <= len(chairs),
        }
        for chair in [*chairs, *sorted(beyond, key=lambda chair: chair.seat)]
    ]


def _unopened_seats(view: View | None) -> tuple[int, ...]:
    """Return the seats whose hands have to open and have not."""
    if view is None or view.public.phase != "open" or view.table.ended:
        return ()
    return tuple(view.public.waiting)


@provides_facts("new_game")
def new_game_facts(context: AppContext, _screen: Screen) -> Facts:
    """Return the chosen box, its questions, and those who may play."""
    rules, names = make_rulebook(_chosen_game()), _known_players(context)
    fields, box = rules.start_event.__struct_fields__, rules.box
    most, banks = box.players.most, getattr(box, "banks", ())
    return {
        "box": box,
        "open_rules": find_game(box.game).rules.house_rules,
        "chosen": box.default_house_rules(),
        "lines": [*names, *[""] * most][:most],
        "players": max(sum(map(bool, names)), box.players.least),
        "has_junior": "junior" in fields,
        "fronts": banks if "front" in fields and isinstance(banks, int) else 0,
        "row": banks if "banks" in fields else (),
    }


def _chosen_game() -> str:
    game = str((request.view_args or {}).get("game", ""))
    return game if game in game_names() else next(iter(game_names()))


def _known_players(context: AppContext) -> list[str]:
    """Return the players of the last game, or those who have come by seat, then the guests."""
    names = seat_names(context)
    waiting = (guest.name for guest in context.seats.waiting_guests() if guest.name not in names)
    if context.table.state is None:
        return [name or next(waiting, "") for name in names]
    return names
