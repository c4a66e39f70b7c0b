"""`companion check-game GAME`: ask a game the laws that every game keeps."""

import argparse

from companion.app.game_checks import check_everything
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import broken_games, find_game, game_names

MARKS = {"holds": "ok ", "broken": "NO ", "open": "-- "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion check-game`."""
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(game_names())}")
    parser.add_argument("--games", type=int, default=40, metavar="N",
                        help="how many games are played at random for each law (40)")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print each law with what breaks it; return 1 if anything does."""
    for broken in broken_games():
        if broken.name == options.game:
            raise Malformed(options.game, broken.say.text, **broken.say.facts)
    if options.game not in game_names():
        text = N_("There is no game “{field}”; there are {options}.")
        raise Malformed(options.game, text, options=", ".join(game_names()))
    answers = set[str]()
    for law, answer, finding in check_everything(find_game(options.game), options.games):
        answers.add(answer)
        print(f"{MARKS[answer]} {law}{f': {finding}' if finding else ''}")
    return 1 if "broken" in answers else 0
