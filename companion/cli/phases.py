"""`companion phases [GAME]`: the phase tables, drawn from the rule books themselves."""

import argparse

from companion.cli.options import add_game_option
from companion.games import game_names, make_rulebook
from companion.games.phase_tables import format_markdown, format_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion phases`."""
    add_game_option(parser, required=False)
    parser.add_argument("--markdown", action="store_true", help="print Markdown with diagrams")


def run(options: argparse.Namespace) -> int:
    """Print the tables of one game, or of all."""
    books = [make_rulebook(game) for game in ([options.game] if options.game else game_names())]
    print(format_markdown(books) if options.markdown else "\n\n".join(map(format_text, books)))
    return 0
