"""The registry of the games, found by the entry points of the packages that are installed.

Law: no game is named here. A package brings one with an entry point of the group
`table_companion.games` that leads to a `Game`. One that cannot be used is left out and explained in
one sentence, and the others play on.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple, TypeVar

from companion.core.cards import Box
from companion.core.errors import ExplainedError
from companion.core.i18n import LANGUAGES, N_, Message, install_game_texts
from companion.games.game import API, Game
from companion.games.rulebook import AnyRulebook

T = TypeVar("T")

GROUP = "table_companion.games"
OWN_PACKAGE = "table-companion"
LONGEST_REASON = 120

NOT_LOADED = N_("The game {name} of the package {package} cannot be loaded: {use}.")
NOT_A_GAME = N_("its entry point does not lead to a game")
OTHER_NAME = N_("it calls itself {other}")
OTHER_API = N_("it was made for version {other} of the companion’s games, and this is version {n}")
AS_PYTHON_SAYS = "{reason}"
DOUBLE = N_("the package {other} brings a game of the same name")


class BrokenGame(NamedTuple):
    """A game that is installed and cannot be used, and why."""

    name: str
    say: Message


class Package(NamedTuple):
    """A package that brings games, as the installer knows it."""

    name: str
    version: str


NO_PACKAGE = Package("", "")


class Registry(NamedTuple):
    """The games that can be played, the packages that bring them, and what cannot be played."""

    games: Mapping[str, Game]
    packages: Mapping[str, Package]
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


def find_package(name: str) -> Package:
    """Return the package that brings a game; one without a name if no package does."""
    return load_games().packages.get(name, NO_PACKAGE)


def explain_missing(name: str) -> Message | None:
    """Return why an installed game cannot be used; None if no package brings it."""
    return next((broken.say for broken in broken_games() if broken.name == name), None)


def make_rulebook(name: str, box: Box | None = None) -> AnyRulebook:
    """Make the rule book of a game, for the box as it is sold or for another one."""
    return find_game(name).make_rulebook(box)


@cache
def load_games() -> Registry:
    """Load every installed game, and install their texts."""
    games, packages, broken = dict[str, Game](), dict[str, Package](), list[BrokenGame]()
    for entry in sorted(entry_points(group=GROUP), key=_order):
        package = _package_of(entry)
        try:
            _check_double(entry.name, packages)
            games[entry.name] = _load_game(entry)
            packages[entry.name] = package
        except _Unusable as why:
            facts = {"name": entry.name, "package": package.name, "use": why.say}
            broken.append(BrokenGame(entry.name, Message(NOT_LOADED, facts)))
    found = games.values()
    install_game_texts((game.all_texts() for game in found), (game.catalogue for game in found))
    return Registry(games, packages, tuple(broken))


class _Unusable(ExplainedError):
    """Why a game cannot be used; a half sentence."""


def _check_double(name: str, packages: Mapping[str, Package]) -> None:
    if name in packages:
        raise _Unusable(Message(DOUBLE, {"other": packages[name].name}))


def _load_game(entry: EntryPoint) -> Game:
    """Import the game of an entry point, and check all that can be checked before it is played."""
    game = _run_foreign_code(entry.load)
    if not isinstance(game, Game):
        raise _Unusable(Message(NOT_A_GAME))
    if game.api != API:
        raise _Unusable(Message(OTHER_API, {"other": game.api, "n": API}))
    box = _run_foreign_code(game.standard_box)
    for name in (game.name, box.game):
        if name != entry.name:
            raise _Unusable(Message(OTHER_NAME, {"other": name}))
    _run_foreign_code(game.make_rulebook)
    for code in LANGUAGES:
        _run_foreign_code(partial(game.catalogue.read, code))
    return game


def _run_foreign_code(call: Callable[[], T]) -> T:
    """Return what a game's own code returns; raise _Unusable for whatever goes wrong in it."""
    try:
        return call()
    except ExplainedError as error:
        raise _Unusable(error.say) from error
    except (Exception, SystemExit) as error:
        first_line = next(iter(str(error).splitlines()), "")[:LONGEST_REASON]
        text = f"{type(error).__name__}: {first_line}" if first_line else type(error).__name__
        raise _Unusable(Message(AS_PYTHON_SAYS, {"reason": text})) from error


def _order(entry: EntryPoint) -> tuple[bool, str, str]:
    """Return where an entry point stands: the companion's own games come first."""
    package = _package_of(entry).name
    return package != OWN_PACKAGE, entry.name, package


def _package_of(entry: EntryPoint) -> Package:
    return NO_PACKAGE if entry.dist is None else Package(entry.dist.name, entry.dist.version)
