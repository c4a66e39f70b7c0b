"""The options that many commands share: a game, the data folder, and JSON for programs.

Law: a game that is not here, or cannot be used, is explained in one sentence.
"""

import argparse
import sys
from pathlib import Path

import msgspec

from companion.cli import terminal_language
from companion.core.errors import show_safely
from companion.core.i18n import N_, get_language, message
from companion.games import explain_missing, game_names

GOES_WITH, EXCLUDES = N_("{field} goes with {other}."), N_("{field} does not go with {other}.")


def add_game_option(
    parser: argparse.ArgumentParser, *, default: str | None = None, required: bool = True
) -> None:
    """Add the option of a game; the help says which there are, and which is the default."""
    times = None if required else "?"
    told = ", ".join(game_names()) + (f" (default: {default})" if default else "")
    parser.add_argument("game", nargs=times, type=parse_game, metavar="GAME", help=told)


def parse_game(text: str) -> str:
    """Return the name of a game that can be played; ArgumentTypeError says why it cannot."""
    if text in game_names():
        return text
    missing = explain_missing(text)
    if missing is not None:
        raise argparse.ArgumentTypeError(get_language(terminal_language())(missing))
    told = message("There is no game “{name}” here; these are: {options}.",
                   name=show_safely(text), options=", ".join(game_names()))  # fmt: skip
    raise argparse.ArgumentTypeError(get_language(terminal_language())(told))


def add_data_option(
    parser: argparse._ActionsContainer, use: str = "the data folder with journal and decks"
) -> None:
    """Add the option --data."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=use)


def add_json_option(parser: argparse._ActionsContainer) -> None:
    """Add the option --json: then only JSON goes to the standard output, one object or one line
    each, with numbers and names that are the same in every language."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def print_json(value: object) -> None:
    """Print a struct or a list as one line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.flush()
