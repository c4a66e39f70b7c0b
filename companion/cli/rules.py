"""`companion rules [GAME]`: the rules by id, and the house rules with their defaults."""

import argparse
import textwrap
from collections.abc import Iterator

from companion.cli.options import add_game_option, add_json_option, print_json
from companion.core.cards import Box
from companion.core.i18n import Language, get_language, message
from companion.games import find_game, game_names
from companion.games.rule_texts import SEALING, TABLE, Rules

WIDTH = 96


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


def describe_game(box: Box, words: Language) -> Iterator[str]:
    """Yield the lines of the rules of one game, with its house rules and rulings."""
    rules = find_game(box.game).rules
    yield f"{box.title} ({box.author}, {box.publisher} {box.year})"
    for id, rule in rules.rules.items():
        yield ""
        yield f"{id}  ({rule.section})"
        yield _wrap_indented(words(message(rule.text)))
    yield from _describe_house_rules(box, rules, words)
    yield ""
    yield words(message("Rulings, where the booklets are silent:"))
    for id, ruling in rules.rulings.items():
        yield _wrap_indented(f"{id}: {words(message(ruling))}", "  - ")


def list_rules(box: Box, words: Language) -> dict[str, object]:
    """Return the rules of one game by their ids, its house rules and rulings; the names in it are
    the same in every language, the texts are in this one."""
    rules, defaults = find_game(box.game).rules, box.default_house_rules()
    return {
        "game": box.game,
        "title": box.title,
        "rules": {
            id: {"section": rule.section, "text": words(message(rule.text))}
            for id, rule in rules.rules.items()
        },
        "house_rules": {
            name: {
                "question": words(message(open_.question)),
                "answers": {of: words(message(says)) for of, says in open_.answers.items()},
                "default": defaults[name],
            }
            for name, open_ in rules.house_rules.items()
        },
        "rulings": {id: words(message(ruling)) for id, ruling in rules.rulings.items()},
    }


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


def describe_sealing(words: Language) -> Iterator[str]:
    """Yield the lines of the rules that every game has."""
    yield words(message("Sealed choices, in every game"))
    for id, rule in (SEALING | TABLE).items():
        yield ""
        yield id
        yield _wrap_indented(words(message(rule.text)))


def _wrap_indented(text: str, first: str = "    ") -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first),
        break_on_hyphens=False,
    )  # fmt: skip
