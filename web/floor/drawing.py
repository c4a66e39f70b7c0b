"""Draw the page and the tiles of a floor in one language.

Laws: a tile is drawn from what its table sent, escaped; a colour never stands alone, each look has
a word. Ages are sent as seconds, and the page counts on from there.
"""

from functools import cache

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.core.i18n import N_
from companion.floor.tiles import FRESH, FloorTiles, Look, Tile
from web.rendering import languages
from web.static_files import STATIC, install

LOOKS: dict[Look, str] = {
    "call": N_("Staff, please"),
    "judge": N_("Judge called"),
    "gone": N_("Switched off or cut off"),
    "old": N_("No news"),
    "red": N_("Needs a hand at once"),
    "amber": N_("Needs a look"),
    "playing": N_("Game under way"),
    "free": N_("Free"),
}
"""The word of each look."""


class DrawnTile(msgspec.Struct, frozen=True):
    """A tile as it is sent to a page: its place in the order, and its HTML."""

    table: str
    order: str
    html: str


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(STATIC.parent / "templates"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    install(environment)
    return environment


def draw_tile(tiles: FloorTiles, tile: Tile, language: str) -> DrawnTile:
    """Return a tile in this language."""
    words, look, age = languages.plain_words(language), tiles.look_of(tile), tiles.age_of(tile)
    html = (
        _environment()
        .get_template("floor/tile.html")
        .render(
            **words,
            table=tile.table,
            state=tile.state,
            spot=tiles.spots.get(tile.table),
            look=look,
            look_word=words["_"](LOOKS[look]),
            old_word=words["_"](LOOKS["old"]),
            age=-1 if age is None else int(age),
            heard=int(age or 0),
        )
    )
    not_called, call_age, name, table = tiles.order_of(tile)
    order = f"{int(not_called)}{10**9 + (call_age if not not_called else 0):010d}{name} {table}"
    return DrawnTile(tile.table, order, html)


def draw_page(tiles: FloorTiles, language: str, *, is_here: bool = False) -> str:
    """Return the whole page of the floor; the machine itself leads to the PIN for phones."""
    drawn = [draw_tile(tiles, tile, language) for tile in tiles.list_tiles()]
    return draw_floor_page("page", language, tiles=drawn, fresh=int(FRESH), is_here=is_here)


def draw_login(language: str) -> str:
    """Return the page that asks for the PIN of the floor."""
    return draw_floor_page("login", language)


def draw_floor_page(name: str, language: str, **facts: object) -> str:
    """Return a page of the floor by its template."""
    words = languages.plain_words(language)
    return _environment().get_template(f"floor/{name}.html").render(**words, **facts)
