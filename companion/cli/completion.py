"""`companion completion bash`: what a shell needs to complete the commands, with all their options.

Law: it is made from the parsers themselves, so no command and no option is forgotten.
"""

import argparse

import shtab

from companion.cli import COMMANDS, exit_codes, make_parser
from companion.cli.language import spoken_by_argparse
from companion.cli.progress import waiting
from companion.core.i18n import get_language


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
    script: str = shtab.complete(make_parser(*COMMANDS), shell)
    return script
