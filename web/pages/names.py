"""The page about names: the stored ones, their days, and how to erase them.

Law: everyone reads the same about what is kept; a browser is told of the names that came from it,
and only a signed-in host which games have names.
"""

from collections.abc import Sequence

from flask import Blueprint, Response, abort

from companion.host.name_keeping import KeptGame
from companion.journal import Journal
from web.context import AppContext, current_context
from web.pages.join import box_titles
from web.rendering.blocks import Block, Layout, lay_out
from web.rendering.scene import Facts, Scene, of
from web.rendering.screens import render_screen, requested_screen

blueprint = Blueprint("names", __name__, url_prefix="/names")


@blueprint.get("")
def show_names() -> Response:
    """Show the data kept of people, and the way to erase it; 404 where nothing is kept apart."""
    if current_context().names is None:
        abort(404)
    return render_screen(requested_screen("names"))


class KeptNames(Facts, frozen=True):
    """Days until names are erased, the names of this browser, and for a host all of them."""

    days: int
    own_games: Sequence[KeptGame]
    kept_games: Sequence[tuple[str, KeptGame]]
    is_host: bool
    shows_names: bool
    hosted: bool
    own_seats: Sequence[int]


def kept_names(scene: Scene) -> KeptNames:
    """Return the names kept of people."""
    context, browser = scene.context, scene.screen.browser
    if context.names is None:
        return KeptNames(0, (), (), False, False, False, ())
    is_host = context.browsers.is_host(browser)
    return KeptNames(
        context.names.days,
        [game for game in context.names.list_games(browser) if game.own_seats],
        _all_games(context) if is_host else [],
        is_host,
        context.settings.saved.shows_names,
        context.host is not None,
        context.seats.seats_of(browser),
    )


class NamesPage(Facts, frozen=True):
    """Facts around the live part of the page."""

    hosted: bool = of(lambda s: s.context.host is not None)


lay_out(
    "names", Layout(Block("names/page.html", NamesPage.find), Block("names/live.html", kept_names))
)


def _all_games(context: AppContext) -> list[tuple[str, KeptGame]]:
    """Return every game with stored names, and the title of its box."""
    if context.names is None or context.host is None:
        return []
    stored = context.table.read_journal(Journal.list_games)
    titles = {game.id: box_titles().get(game.game, "") for game in stored}
    return [(titles.get(game.id, ""), game) for game in context.names.list_games()]
