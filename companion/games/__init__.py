"""The registry of the games, found by the entry points of the packages that are installed.

Law: no game is named here. A package brings one with an entry point of the group
`table_companion.games` that leads to a `Game`. One that cannot be used is left out and explained in
one sentence, and the others play on.
"""

import re
import traceback
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import NamedTuple

from companion.core.cards import Box
from companion.core.errors import ExplainedError, Malformed, show_safely
from companion.core.i18n import LANGUAGES, N_, Message, install_game_texts
from companion.games.game import API, Game
from companion.games.rulebook import AnyRulebook

GROUP = "table_companion.games"
LONGEST_REASON = 120
GAME_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

NOT_LOADED = N_("The game {name} of the package {package} cannot be loaded. {use}")
BAD_NAME = N_("Its name is not made of small letters, digits and underscores.")
NOT_A_GAME = N_("Its entry point does not lead to a game.")
OTHER_NAME = N_("It calls itself {other}.")
OTHER_API = N_("It was made for version {other} of the companion’s games, and this is version {n}.")
DOUBLE = N_("The package {other} brings a game of the same name.")


class BrokenGame(NamedTuple):
    """A game that is installed and cannot be used, and why."""

    name: str
    say: Message


class Registry(NamedTuple):
    """The games that can be played, and the packages that cannot, with reasons."""

    games: Mapping[str, Game]
    broken: tuple[BrokenGame, ...]


class UnknownGame(KeyError):
    """No installed package brings a game of this name."""


def find_game(name: str) -> Game:
    """Return a game by its name; raise UnknownGame."""
    try:
        return load_games().games[name]
    except KeyError:
        raise UnknownGame(name) from None


def game_names() -> tuple[str, ...]:
    """Return the names of the games that can be played; the first is played if none is chosen."""
    return tuple(load_games().games)


def list_games() -> tuple[Game, ...]:
    """Return the games that can be played."""
    return tuple(load_games().games.values())


def broken_games() -> tuple[BrokenGame, ...]:
    """Return the games that are installed and cannot be used."""
    return load_games().broken


def explain_missing(name: str) -> Message | None:
    """Return the reason an installed game cannot be used; None if no package brings it."""
    return next((broken.say for broken in broken_games() if broken.name == name), None)


def make_rulebook(name: str, box: Box | None = None) -> AnyRulebook:
    """Make the rule book of a game, for the box as it is sold or for another one."""
    return find_game(name).make_rulebook(box)


@cache
def load_games() -> Registry:
    """Load every installed game, and install their texts."""
    games, entries, broken = dict[str, Game](), dict[str, EntryPoint](), list[BrokenGame]()
    for entry in sorted(entry_points(group=GROUP), key=_order):
        try:
            if entry.name in entries:
                raise Malformed(entry.name, DOUBLE, other=_package_of(entries[entry.name]))
            games[entry.name] = _load_game(entry)
            entries[entry.name] = entry
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- Its own code may raise anything.
            name, brings = show_safely(entry.name), show_safely(_package_of(entry))
            facts = {"name": name, "package": brings, "use": _explain(error)}
            broken.append(BrokenGame(name, Message(NOT_LOADED, facts)))
    found = games.values()
    install_game_texts((game.all_texts() for game in found), (game.catalogue for game in found))
    return Registry(games, tuple(broken))


def _load_game(entry: EntryPoint) -> Game:
    """Import the game of an entry point, and check it before play."""
    if not GAME_NAME.fullmatch(entry.name):
        raise Malformed(entry.name, BAD_NAME)
    game = entry.load()
    if not isinstance(game, Game):
        raise Malformed(entry.name, NOT_A_GAME)
    if game.api != API:
        raise Malformed(entry.name, OTHER_API, other=show_safely(game.api), n=API)
    rules = game.make_rulebook()
    for name in (game.name, rules.box.game):
        if name != entry.name:
            raise Malformed(entry.name, OTHER_NAME, other=show_safely(name))
    game.all_texts()
    for code in () if _is_own(entry) else LANGUAGES:
        game.catalogue.read(code)
    len(game.kinds)
    return game


def _explain(error: BaseException) -> Message | str:
    """Return the sentence of our own error; of another error Python's message, and its line."""
    if isinstance(error, ExplainedError):
        return error.say
    told = show_safely(f"{type(error).__name__}: {error}", LONGEST_REASON)
    line = traceback.extract_tb(error.__traceback__)[-1]
    return f"{told} ({Path(line.filename).name}, line {line.lineno})."


def _order(entry: EntryPoint) -> tuple[bool, str, str]:
    """Return the sort key of an entry point: the companion's own games come first."""
    return not _is_own(entry), entry.name, entry.value


def _is_own(entry: EntryPoint) -> bool:
    return entry.module.split(".")[0] == __name__.split(".")[0]


def _package_of(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else ""
