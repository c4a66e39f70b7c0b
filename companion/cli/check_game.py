"""`companion check-game GAME`: check a game against the laws of every game."""

import argparse

from companion.cli.options import add_game_option, add_json_option, print_json
from companion.games import find_game
from companion.testing.laws import LAWS, check_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion check-game`."""
    add_game_option(parser)
    parser.add_argument(
        "--games", type=int, default=40, metavar="N",
        help="games to play at random (default: %(default)s)",
    )  # fmt: skip
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print each law and its violations; return 1 if there are any."""
    broken = check_game(find_game(options.game), range(options.games))
    for law in {**LAWS, **broken}:
        finding = broken.get(law, "")
        if options.json:
            print_json({"law": law, "holds": not finding, "finding": finding})
        else:
            print(f"NO  {law}: {finding}" if finding else f"ok  {law}")
    return int(bool(broken))
