"""The page about names: the stored ones, their days, and how to erase them.

Law: everyone reads the same about what is kept; a browser is told of the names that came from it,
and only a signed-in host which games have names.
"""

from collections.abc import Sequence

from flask import Blueprint, Response

from companion.host.name_keeping import KeptGame, NameKeeping
from companion.journal import Journal
from web.pages.join import box_titles
from web.rendering.blocks import Block, Layout, lay_out
from web.rendering.scene import Facts, Scene, of
from web.rendering.screens import render_screen, requested_screen

blueprint = Blueprint("names", __name__, url_prefix="/names")


@blueprint.get("")
def show_names() -> Response:
    """Show the data kept of people, and the way to erase it."""
    return render_screen(requested_screen("names"))


def _kept(scene: Scene) -> NameKeeping:
    assert scene.context.names is not None
    return scene.context.names


def _is_hosts(scene: Scene) -> bool:
    return scene.context.browsers.is_host(scene.screen.browser)


def _all_games(scene: Scene) -> list[tuple[str, KeptGame]]:
    """Return every game with stored names, and the title of its box."""
    stored = scene.context.table.read_journal(Journal.list_games)
    titles = {game.id: box_titles().get(game.game, "") for game in stored}
    return [(titles.get(game.id, ""), game) for game in _kept(scene).list_games()]


class KeptNames(Facts, frozen=True):
    """Days until names are erased, the names of this browser, and for a host all of them."""

    days: int = of(lambda s: _kept(s).days)
    own_games: Sequence[KeptGame] = of(
        lambda s: [game for game in _kept(s).list_games(s.screen.browser) if game.own_seats]
    )
    kept_games: Sequence[tuple[str, KeptGame]] = of(lambda s: _all_games(s) if _is_hosts(s) else ())
    is_host: bool = of(_is_hosts)
    shows_names: bool = of(lambda s: s.context.settings.saved.shows_names)
    own_seats: Sequence[int] = of(lambda s: s.context.seats.seats_of(s.screen.browser))


lay_out("names", Layout(Block("names/page.html"), Block("names/live.html", KeptNames.find)))
