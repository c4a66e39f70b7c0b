"""`companion pin`: make a new PIN for the host, for users of this machine who lost the old one.

Laws: the digits are printed here, once, and on a terminal alone, so that no log has them; only
their hash is saved, readable by the owner of the data folder. A user who may not write there cannot
make a PIN.
"""

import argparse
import sys

from companion.app.settings import data_folder
from companion.app.state_files import make_new_pin
from companion.cli import add_data_option
from companion.cli.greeting import print_pin
from companion.cli.progress import waiting
from companion.core.i18n import N_, get_language

RUNS = N_("The companion is running: the PIN counts from now on.")
NO_TERMINAL = N_(
    "The PIN is shown on a terminal only, so that no log keeps it; over ssh add the option -t."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion pin`."""
    add_data_option(parser)


def run(options: argparse.Namespace) -> int:
    """Make a new PIN; return the exit status."""
    words = get_language(options.lang)
    if not sys.stdout.isatty():
        print(f"companion pin: {words.render(NO_TERMINAL, {})}", file=sys.stderr)
        return 2
    with waiting(words):
        digits, runs = make_new_pin(options.data or data_folder())
    print_pin(digits, words)
    if runs:
        print(words.render(RUNS, {}))
    return 0
