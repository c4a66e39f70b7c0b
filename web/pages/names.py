"""The page about names: what is kept of people, for how long, and how it is erased.

Law: everyone reads the same about what is kept; a browser is told of the names that came from it,
and only a signed-in host which games have names.
"""

from flask import Blueprint, Response, abort

from companion.games import find_game, game_names
from companion.host.name_keeping import KeptGame, NameKeeping
from companion.journal import Journal, StoredGame
from web.context import AppContext, current_context
from web.rendering.screens import Facts, Screen, provides_facts, render_screen, requested_screen

blueprint = Blueprint("names", __name__, url_prefix="/names", template_folder="templates")


@blueprint.get("")
def show_names() -> Response:
    """Show the data kept of people, and the way to erase it; 404 where nothing is kept apart."""
    if current_context().names is None:
        abort(404)
    return render_screen(requested_screen("names"))


@provides_facts("names")
def names_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the kept data and its days, the names of this browser, and for a host all of them."""
    is_host = context.browsers.is_host(screen.browser)
    if context.names is None:
        return {"view": None, "own_games": (), "kept_games": (), "is_host": False, "days": 0}
    return {
        "view": None,
        "days": context.names.days,
        "own_games": _own_games(context.names, screen.browser),
        "kept_games": _all_games(context) if is_host else (),
        "is_host": is_host,
        "shows_names": context.settings.saved.shows_names,
        "hosted": context.host is not None,
        "own_seats": context.seats.seats_of(screen.browser),
    }


def _own_games(names: NameKeeping, browser: str) -> list[KeptGame]:
    return [game for game in names.list_games(browser) if game.own_seats]


def _all_games(context: AppContext) -> list[tuple[str, KeptGame]]:
    """Return every game of which names are kept, with the title of its box."""
    if context.names is None or context.host is None:
        return []
    stored = {game.id: game for game in context.table.read_journal(Journal.list_games)}
    return [(_title(stored.get(game.id)), game) for game in context.names.list_games()]


def _title(stored: StoredGame | None) -> str:
    if stored is None or stored.game not in game_names():
        return ""
    return find_game(stored.game).standard_box().title
