"""`companion check-game GAME`: ask a game the laws that every game keeps."""

import argparse

from companion.app.game_checks import check_everything
from companion.cli.options import add_game_option
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waited
from companion.core.i18n import get_language
from companion.games import find_game

MARKS = {"holds": "ok ", "broken": "NO ", "open": "-- "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion check-game`."""
    add_game_option(parser)
    parser.add_argument("--games", type=int, default=40, metavar="N",
                        help="how many games are played at random for each law "
                        "(default: %(default)s)")  # fmt: skip
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print each law with what breaks it; return 1 if anything does."""
    answers = set[str]()
    checked = check_everything(find_game(options.game), options.games)
    for law, answer, finding in waited(checked, get_language(options.lang)):
        answers.add(answer)
        if options.json:
            print_json({"law": law, "answer": answer, "finding": finding})
        else:
            print(f"{MARKS[answer]} {law}{f': {finding}' if finding else ''}")
    return 1 if "broken" in answers else 0
