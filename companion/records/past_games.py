"""Past games as a list shows them: what the journal says of each, and who played it.

Law: nothing is folded for a list. Whether a game is over was written with its last line.
"""

from collections.abc import Callable, Iterator

import msgspec

from companion.core.i18n import Language, message, seat_keys
from companion.games import find_game, game_names
from companion.journal import Journal


class ListedGame(msgspec.Struct, frozen=True):
    """A past game as it is listed for people and for programs; `at` is in seconds since 1970.

    `players` counts them; None where no game has begun in its lines, or none that this companion
    knows. `names` are theirs by seat, "" for one that is not known.
    """

    id: str
    game: str
    title: str
    at: float
    lines: int
    players: int | None
    names: tuple[str, ...]
    is_over: bool
    has_box: bool
    """Whether its box is installed and can be used."""


class GameList(msgspec.Struct, frozen=True):
    """The past games of a journal, the oldest first."""

    games: tuple[ListedGame, ...]


class _Started(msgspec.Struct):
    """What a list shows of the first event of a game."""

    players: int | None = None


FindNames = Callable[[str], tuple[str, ...]]
"""Returns the names of a game by seat."""


def list_past_games(journal: Journal, names_of: FindNames) -> Iterator[ListedGame]:
    """Yield every game of the journal, the oldest first."""
    first_events, installed = journal.first_events(), {name: _title(name) for name in game_names()}
    for game in journal.list_games():
        has_box = game.game in installed
        players = _read_players(first_events.get(game.id, "")) if has_box else None
        yield ListedGame(
            game.id,
            game.game,
            installed.get(game.game, game.game),
            game.at,
            game.lines,
            players,
            names_of(game.id),
            game.is_over,
            has_box,
        )


def describe_columns(game: ListedGame, when: str, words: Language) -> Iterator[str]:
    """Yield the columns of one game in a list: id, title, time, moments, players, and its state."""
    yield game.id
    yield game.title
    yield when
    yield words(message("{moments}", moments=game.lines))
    if game.players is not None:
        yield words.with_names(game.names).render_players(seat_keys(game.players))
        yield words(message("finished") if game.is_over else message("not finished"))
    if not game.has_box:
        yield words(message("the box is not installed"))


def _title(game: str) -> str:
    return find_game(game).standard_box().title


def _read_players(event: str) -> int | None:
    try:
        return msgspec.json.decode(event, type=_Started).players
    except msgspec.DecodeError:
        return None
