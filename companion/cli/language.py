"""The language of what a command prints: that of --lang, else that of the terminal.

Laws: the terminal's is read as gettext reads it ($LANGUAGE, $LC_ALL, $LC_MESSAGES, $LANG); one that
we do not speak is English. The words of argparse, which prints help and mistakes, are in our
catalogue too.
"""

import argparse
import gettext
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from companion.core.catalogues import COMPANION
from companion.core.i18n import LANGUAGES, N_, N_n

SAID = "--lang"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

PARSER_WORDS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("unrecognized arguments: %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("unexpected option string: %s"),
    N_("the following arguments are required: %s"),
    N_("one of the arguments %s is required"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("can't open '%(filename)s': %(error)s"),
)
"""What argparse says to the one who types; its other words are for programmers."""
COUNTED_PARSER_WORDS = (N_n("expected %s argument", "expected %s arguments"),)


def terminal_language() -> str:
    """Return the code of the language of this terminal, or of --lang while words are parsed."""
    told = next((told for name in VARIABLES if (told := os.environ.get(name))), "")
    codes = (each[:2].lower() for each in told.split(":"))
    return next((code for code in codes if code in LANGUAGES), LANGUAGES[0])


def find_language(words: Sequence[str]) -> str:
    """Return the language that these words ask for, else that of the terminal."""
    asked = [
        value if equals else after
        for word, after in zip(words, [*words[1:], ""], strict=False)
        for name, equals, value in [word.partition("=")]
        if name == SAID
    ]
    return asked[-1] if asked and asked[-1] in LANGUAGES else terminal_language()


@contextmanager
def spoken_by_argparse(language: str) -> Iterator[None]:
    """Have argparse, and whatever is asked for its texts meanwhile, speak this language."""
    gettext.bindtextdomain(COMPANION.name, COMPANION.folder)
    domain, before = gettext.textdomain(), os.environ.get(VARIABLES[0])
    gettext.textdomain(COMPANION.name)
    os.environ[VARIABLES[0]] = language
    try:
        yield
    finally:
        gettext.textdomain(domain)
        os.environ.pop(VARIABLES[0])
        if before is not None:
            os.environ[VARIABLES[0]] = before


def translate_help(parser: argparse.ArgumentParser) -> None:
    """Translate the sentence and the name of each argument of this parser."""
    for action in parser._actions:
        if action.help not in (None, argparse.SUPPRESS):
            action.help = gettext.gettext(action.help or "")
        if isinstance(action.metavar, tuple):
            action.metavar = tuple(map(gettext.gettext, action.metavar))
        elif action.metavar:
            action.metavar = gettext.gettext(action.metavar)


def fill_help(action: argparse.Action, **facts: object) -> None:
    """Give an argument the facts that its help names, as %(name)s."""
    vars(action).update(facts)
