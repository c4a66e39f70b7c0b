"""The registry of the games, found by the entry points of the packages that are installed.

Law: no game is named here. A package brings one with an entry point of the group
`table_companion.games` that leads to a `Game`. One that cannot be used is left out and explained in
one sentence, and the others play on.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from companion.core.cards import Box
from companion.core.errors import ExplainedError
from companion.core.house_rules import find_sentence
from companion.core.i18n import LANGUAGES, N_, Message, get_language, install_game_texts
from companion.core.safe_text import show_safely
from companion.games.any_judge import derive_judge
from companion.games.game import API, Game
from companion.games.own_code import find_package_line
from companion.games.rulebook import AnyRulebook
from companion.judge.fields import NO_CASES

T = TypeVar("T")

GROUP = "table_companion.games"
OWN_PACKAGE = "table-companion"
LONGEST_REASON, LONGEST_TEXT = 120, 400
GAME_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

NOT_LOADED = N_("The game {name} of the package {package} cannot be loaded: {use}.")
NOT_LOADED_EXPLAINED = N_("The game {name} of the package {package} cannot be loaded. {use}")
NOT_LISTED = N_("The package {package} lists its games in a form that cannot be read: {use}.")
BAD_NAME = N_("its name is not made of small letters, digits and underscores")
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
    """A package that brings games, as it is installed."""

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
    for entry in sorted(_find_entries(broken), key=_order):
        package = _package_of(entry)
        try:
            _check_name(entry.name, packages)
            games[entry.name] = _load_game(entry)
            packages[entry.name] = package
        except _Unusable as why:
            name, brings = show_safely(entry.name), show_safely(package.name)
            facts = {"name": name, "package": brings, "use": why.say}
            text = NOT_LOADED_EXPLAINED if why.is_sentence else NOT_LOADED
            broken.append(BrokenGame(name, Message(text, facts)))
    found = games.values()
    install_game_texts((game.all_texts() for game in found), (game.catalogue for game in found))
    return Registry(games, packages, tuple(broken))


class _Unusable(ExplainedError):
    """Why a game cannot be used; half a sentence, or a whole one."""

    def __init__(self, say: Message, *, is_sentence: bool = False) -> None:
        self.is_sentence = is_sentence
        super().__init__(say)


def _find_entries(broken: list[BrokenGame]) -> list[EntryPoint]:
    """Return the entry points of all packages; one whose list cannot be read costs no other."""
    try:
        return list(entry_points(group=GROUP))
    except Exception:  # noqa: BLE001 -- Any file of any package may be damaged.
        return list(_find_entries_one_by_one(broken))


def _find_entries_one_by_one(broken: list[BrokenGame]) -> Iterator[EntryPoint]:
    seen = set[str]()
    for package in distributions():
        name = _read_package(package).name
        if name in seen:  # As Python does: the first on the path.
            continue
        seen.add(name)
        try:
            yield from _run_foreign_code(partial(_list_entries, package))
        except _Unusable as why:
            facts = {"package": show_safely(name), "use": why.say}
            broken.append(BrokenGame(show_safely(name), Message(NOT_LISTED, facts)))


def _list_entries(package: Distribution) -> list[EntryPoint]:
    return list(package.entry_points.select(group=GROUP))


def _check_name(name: str, packages: Mapping[str, Package]) -> None:
    """Raise _Unusable unless a name is free and can be part of a path, an address and a page."""
    if not GAME_NAME.fullmatch(name):
        raise _Unusable(Message(BAD_NAME))
    if name in packages:
        raise _Unusable(Message(DOUBLE, {"other": show_safely(packages[name].name)}))


def _load_game(entry: EntryPoint) -> Game:
    """Import the game of an entry point, and check all that can be checked before it is played."""
    run = partial(_run_foreign_code, package=entry.module.partition(".")[0])
    game = run(entry.load)
    if not isinstance(game, Game):
        raise _Unusable(Message(NOT_A_GAME))
    if game.api != API:
        raise _Unusable(Message(OTHER_API, {"other": show_safely(game.api), "n": API}))
    box = run(game.standard_box)
    for name in (game.name, box.game):
        if name != entry.name:
            raise _Unusable(Message(OTHER_NAME, {"other": show_safely(name)}))
    run(game.make_rulebook)
    run(partial(_say_texts, game))
    for code in LANGUAGES:
        run(partial(game.catalogue.read, code))
    return _with_judge(game)


def _with_judge(game: Game) -> Game:
    """Return the game; one that brings no judge with the one that follows from its rules."""
    if game.judge is not NO_CASES:
        return game
    return msgspec.structs.replace(game, judge=derive_judge(game.make_rulebook()))


def _say_texts(game: Game) -> None:
    """Say every house rule once in English, and read the words of the box."""
    texts = game.all_texts()
    dict(texts.words)
    for name, answer in texts.house_rules:
        get_language("en")(find_sentence(texts, name, answer))


def _run_foreign_code(call: Callable[[], T], package: str = "") -> T:
    """Return what a game's own code returns; raise _Unusable for whatever goes wrong in it, with
    the line of its package."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _explain_error(error, package) from error


def _explain_error(error: BaseException, package: str) -> _Unusable:
    """Return the sentence of an error of ours; of any other its class, its first line, and the line
    of the package from which it came."""
    if isinstance(error, ExplainedError) and _is_plain(error.say):
        return _Unusable(error.say, is_sentence=True)
    kind = show_safely(type(error).__name__)
    told = show_safely(error, LONGEST_TEXT).partition("\\n")[0]
    line = None if isinstance(error, SyntaxError) else find_package_line(package, error)
    place = f" ({show_safely(Path(line.filename).name)}, line {line.lineno})" if line else ""
    text = show_safely(f"{kind}: {told}" if told else kind, LONGEST_REASON) + place
    return _Unusable(Message(AS_PYTHON_SAYS, {"reason": text}))


def _is_plain(say: Message) -> bool:
    """Check whether a sentence can be said in every language; in English, on one line."""
    try:
        english, *_ = [get_language(code)(say) for code in LANGUAGES]
    except Exception:  # noqa: BLE001 -- A package may raise our errors with any facts.
        return False
    return english.isprintable() and len(english) <= LONGEST_TEXT  # French has other spaces.


def _order(entry: EntryPoint) -> tuple[bool, str, str]:
    """Return where an entry point stands: the companion's own games come first."""
    package = _package_of(entry).name
    return package != OWN_PACKAGE, entry.name, package


def _package_of(entry: EntryPoint) -> Package:
    return NO_PACKAGE if entry.dist is None else _read_package(entry.dist)


def _read_package(package: Distribution) -> Package:
    """Return how a package is called; its files may be damaged, or missing."""
    try:
        told = package.metadata
        return Package(*(str(told[key]) if key in told else "" for key in ("Name", "Version")))
    except Exception:  # noqa: BLE001 -- Any file of any package may be damaged.
        return NO_PACKAGE
