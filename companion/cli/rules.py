"""`companion rules [GAME]`: the rules by id, and the house rules with their defaults."""

import argparse

from companion.cli.options import add_game_option, add_json_option, print_json
from companion.core.i18n import get_language
from companion.games import find_game, game_names
from companion.games.printed_rules import describe_game, describe_sealing, list_rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion rules`."""
    add_game_option(parser, required=False)
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print the rules of one game, or of all."""
    words = get_language(options.lang)
    games = [options.game] if options.game else list(game_names())
    if options.json:
        print_json([list_rules(find_game(game).standard_box(), words) for game in games])
        return 0
    pages = (describe_game(find_game(game).standard_box(), words) for game in games)
    print("\n\n".join("\n".join(page) for page in (*pages, describe_sealing(words))))
    return 0
