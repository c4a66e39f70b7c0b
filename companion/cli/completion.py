"""`companion completion bash`: what a shell needs to complete the commands, with all their options.

Law: it is made from the parsers themselves, so no command and no option is forgotten.
"""

import argparse
from collections.abc import Iterator
from gettext import gettext

import shtab

from companion.cli import COMMANDS, exit_codes, make_parser
from companion.cli.language import spoken_by_argparse
from companion.cli.options import parse_game
from companion.cli.progress import waiting
from companion.core.i18n import get_language
from companion.games import game_names
from hardware.wiring import profile_names

FILES, FOLDERS = ("FILE", "PLACE", "RECORD", "TO"), ("FOLDER",)
"""What an argument is called that is a path."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `companion completion`."""
    parser.add_argument(
        "shell",
        choices=("bash", "zsh"),
        help='the shell, such as: eval "$(companion completion bash)"',
    )


def run(options: argparse.Namespace) -> int:
    """Print the script; return the exit status."""
    with waiting(get_language(options.lang)), spoken_by_argparse(options.lang):
        script = complete(options.shell)
    print(script)
    return exit_codes.DONE


def complete(shell: str) -> str:
    """Return the script for a shell, in the language that argparse speaks."""
    parser = make_parser(*COMMANDS)
    for each in list_parsers(parser):
        for action in each._actions:
            _offer_values(action)
    script: str = shtab.complete(parser, shell)
    return script


def list_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser, those of its commands, and those of their parts."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from list_parsers(each)


def _offer_values(action: argparse.Action) -> None:
    """Say what may stand there, where the parser reads it with a function of its own."""
    if action.type is parse_game or action.metavar == gettext("BOX"):
        action.choices = game_names()
    elif action.metavar == gettext("PROFILE"):
        action.choices = profile_names()
    elif action.metavar in [gettext(name) for name in FILES]:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif action.metavar in [gettext(name) for name in FOLDERS]:
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
