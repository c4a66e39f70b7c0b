"""The decks of the boxes that are kept in a data folder."""

from contextlib import suppress
from pathlib import Path

from companion.app.settings import deck_path
from companion.core.deck import Deck
from companion.core.errors import Malformed
from companion.games import find_game, game_names
from companion.setup.deck_file import load_deck


def load_other_decks(game: str, folder: Path | None) -> dict[str, Deck]:
    """Return the decks of all boxes but this one that can be read, by their titles."""
    found = dict[str, Deck]()
    for name in game_names():
        box = find_game(name).standard_box()
        if name != game:
            with suppress(Malformed):
                found[box.title] = load_deck(deck_path(name, folder), box)
    return found
