"""Templates of games: a file in a game's folder, or the one that stands in for it.

Law: the templates of a game are called “games/NAME/file”, so those of two packages never meet. What
a game does not bring is drawn by the file of the same name in `default/`.
"""

from functools import cache

from jinja2 import BaseLoader

from companion.games import find_game, list_games
from companion.games.screens import Screens
from web.rendering.compiled_templates import GAMES, TEMPLATES, load_folders

DEFAULT = "default"
FOLDER = "templates"
"""The folder of the templates in the folder of a game."""


def make_loader() -> BaseLoader:
    """Return the loader of the templates of all pages and of all installed games."""
    return load_folders(TEMPLATES, {game.name: game.folder / FOLDER for game in list_games()})


@cache
def screens_of(game: str) -> Screens:
    """Return the screens of a game; looked up once."""
    return find_game(game).screens


@cache
def find_template(game: str, file: str) -> str:
    """Return the name of a template of a game, or of what stands in for it."""
    own = find_game(game).folder / FOLDER / file
    return f"{GAMES}/{game}/{file}" if own.is_file() else f"{DEFAULT}/{file}"
