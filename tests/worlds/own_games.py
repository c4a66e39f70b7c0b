"""The games that this package brings: tests play them alone, whatever else is installed."""

from companion.games import OWN_PACKAGE, find_package, game_names


def own_games() -> tuple[str, ...]:
    """Return the names of our games, as the registry orders them."""
    return tuple(name for name in game_names() if find_package(name).name == OWN_PACKAGE)
