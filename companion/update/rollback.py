"""`companion rollback`: go back to the version before, or forth again."""

import argparse

from companion.update.commands import require_root, roll_back, run_command
from companion.update.installed import find_installer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion rollback`."""
    parser.add_argument("--now", action="store_true", help="also while a game is under way")


def run(options: argparse.Namespace) -> int:
    """Go back; return the exit status of the installer."""
    installer = find_installer()
    require_root()
    return roll_back(installer, ["--now"] if options.now else [], run_command)
