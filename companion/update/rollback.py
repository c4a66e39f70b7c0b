"""`companion rollback`: go back to the version before, or forth again."""

import argparse

from companion.update.commands import require_root, roll_back
from companion.update.installed import find_installer
from companion.update.outcome import print_outcome, run_aloud, run_aside


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion rollback`."""
    parser.add_argument("--now", action="store_true", help="also while a game is under way")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> int:
    """Go back; return the exit status."""
    installer = find_installer()
    require_root()
    words = ["--now"] if options.now else []
    outcome = roll_back(installer, words, run_aside if options.json else run_aloud)
    if options.json:
        print_outcome(outcome)
    return outcome.status
