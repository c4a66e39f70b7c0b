"""`companion rules [GAME]`: the rules by id, and the house rules with their defaults."""

import argparse
import textwrap
from collections.abc import Iterator

from companion.cli import add_language_option
from companion.cli.options import add_game_option
from companion.core.cards import Box
from companion.core.i18n import Language, get_language, message
from companion.games import find_game, game_names
from companion.games.rule_texts import SEALING, TABLE, Rules

WIDTH = 96


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion rules`."""
    add_game_option(parser, required=False)
    add_language_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print the rules of one game, or of all."""
    words = get_language(options.lang)
    games = [options.game] if options.game else list(game_names())
    pages = (_describe_game(find_game(game).standard_box(), words) for game in games)
    print("\n\n".join("\n".join(page) for page in (*pages, _describe_sealing(words))))
    return 0


def _describe_sealing(words: Language) -> Iterator[str]:
    yield words(message("Sealed choices, in every game"))
    for id, rule in (SEALING | TABLE).items():
        yield ""
        yield id
        yield _wrap_indented(words(message(rule.text)))


def _describe_game(box: Box, words: Language) -> Iterator[str]:
    rules = find_game(box.game).rules
    yield f"{box.title} ({box.author}, {box.publisher} {box.year})"
    for id, rule in rules.rules.items():
        yield ""
        yield f"{id}  ({rule.section})"
        yield _wrap_indented(words(message(rule.text)))
    yield from _describe_house_rules(box, rules, words)
    yield ""
    yield words(message("Rulings, where the booklets are silent:"))
    for ruling in rules.rulings:
        yield _wrap_indented(words(message(ruling)), "  - ")


def _describe_house_rules(box: Box, rules: Rules, words: Language) -> Iterator[str]:
    if not rules.house_rules:
        return
    yield ""
    yield words(message("House rules, chosen at set-up:"))
    for name, open_ in rules.house_rules.items():
        yield _wrap_indented(f"{name}: {words(message(open_.question))}", "  ")
        for answer, meaning in open_.answers.items():
            default = (
                words(message(" (default)")) if answer == box.default_house_rules()[name] else ""
            )
            yield _wrap_indented(f"{answer}: {words(message(meaning))}{default}", "    - ")


def _wrap_indented(text: str, first: str = "    ") -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first),
        break_on_hyphens=False,
    )  # fmt: skip
