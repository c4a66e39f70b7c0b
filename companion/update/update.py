"""`companion update`: install another version, from a release, a USB stick or a clone."""

import argparse
from functools import partial
from pathlib import Path

from companion.core.i18n import get_language
from companion.update.commands import add_language_option, require_root, run_command, update
from companion.update.installed import find_installer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion update`."""
    add = parser.add_argument
    add("place", type=Path, nargs="?", metavar="PLACE",
        help="a release: its .tar.gz, its folder, a device, a clone (default: a stick)",
    )  # fmt: skip
    add("--now", action="store_true", help="also while a game is under way; it goes on")
    add("--agree", action="store_true", help="also if it judges games anew, as its release says")
    add_language_option(parser)


def run(options: argparse.Namespace) -> int:
    """Install it; return the exit status of its installer."""
    chosen = [f"--{name}" for name in ("now", "agree") if getattr(options, name)]
    find_installer()
    require_root()
    say = partial(print, flush=True)
    return update(options.place, chosen, get_language(options.lang), say, run_command)
