"""`companion phases [GAME]`: the phase tables, drawn from the rule books themselves."""

import argparse

from companion.cli.options import add_game_option
from companion.cli.output import add_json_option, print_json
from companion.games import game_names, make_rulebook
from companion.games.phase_tables import format_markdown, format_text, list_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion phases`."""
    add_game_option(parser, required=False)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--markdown", action="store_true", help="print Markdown with diagrams")
    add_json_option(how)


def run(options: argparse.Namespace) -> int:
    """Print the tables of one game, or of all."""
    books = [make_rulebook(game) for game in ([options.game] if options.game else game_names())]
    if options.json:
        print_json([{"game": book.box.game, "rows": list_rows(book)} for book in books])
        return 0
    print(format_markdown(books) if options.markdown else "\n\n".join(map(format_text, books)))
    return 0
