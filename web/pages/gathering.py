"""Gathering: the boxes with which bots wait to play, where the table is simulated.

Law: on a table with real cards, and while a game is under way, nobody is offered this.
"""

from companion.games import RULEBOOKS, rulebook
from web.context import Room


def starts(here: Room) -> dict[str, str]:
    """The title of each box."""
    if here.pieces is None or not here.table.history.over:
        return {}
    return {game: rulebook(game).box.title for game in RULEBOOKS}
