"""The games that this package brings: tests play them alone, whatever else is installed."""

from companion.games import list_games
from companion.games.game import Game
from tests.worlds.paths import ROOT


def list_own_games() -> tuple[Game, ...]:
    """Return our games, as the registry orders them."""
    folder = ROOT / "companion/games"
    return tuple(game for game in list_games() if game.folder.is_relative_to(folder))


def own_games() -> tuple[str, ...]:
    """Return the names of our games."""
    return tuple(game.name for game in list_own_games())
