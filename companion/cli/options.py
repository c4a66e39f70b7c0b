"""The option of a game, which many commands share.

Law: a game that is not here, or cannot be used, is explained in one sentence.
"""

import argparse

from companion.core.i18n import get_language
from companion.core.safe_text import show_safely
from companion.games import explain_missing, game_names


def add_game_option(
    parser: argparse.ArgumentParser, *, default: str | None = None, required: bool = True
) -> None:
    """Add the option of a game; the help says which there are, and which is the default."""
    known = ", ".join(game_names())
    told = f"one of {known}" if default is None else f"{known} (default: {default})"
    times = None if required else "?"
    parser.add_argument("game", nargs=times, type=parse_game, metavar="GAME", help=told)


def parse_game(text: str) -> str:
    """Return the name of a game that can be played; ArgumentTypeError says why it cannot."""
    if text in game_names():
        return text
    missing = explain_missing(text)
    if missing is not None:
        raise argparse.ArgumentTypeError(get_language("en")(missing))
    told = f"There is no game “{show_safely(text)}” here; these are: {', '.join(game_names())}."
    raise argparse.ArgumentTypeError(told)
