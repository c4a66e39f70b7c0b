"""`companion check-game GAME`: ask a game the laws that every game keeps."""

import argparse
from collections.abc import Iterator

from companion.cli.options import add_game_option
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waited
from companion.core.i18n import get_language
from companion.games import find_game
from companion.games.game import Game
from companion.testing.laws import LAWS, first_finding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion check-game`."""
    add_game_option(parser)
    parser.add_argument("--games", type=int, default=40, metavar="N",
                        help="how many games are played at random for each law "
                        "(default: %(default)s)")  # fmt: skip
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print each law with what breaks it; return 1 if anything does."""
    is_broken = False
    found = _ask_laws(find_game(options.game), options.games)
    for law, finding in waited(found, get_language(options.lang)):
        is_broken = is_broken or finding is not None
        if options.json:
            print_json({"law": law, "holds": finding is None, "finding": finding or ""})
        else:
            print(f"ok  {law}" if finding is None else f"NO  {law}: {finding}")
    return int(is_broken)


def _ask_laws(game: Game, games: int) -> Iterator[tuple[str, str | None]]:
    for law in LAWS:
        yield law, first_finding(game, law, range(games))
