"""`companion enrol GAME`: the set-up at a terminal: enrol a box, check it, or find the wires.

Laws: a line that calls something enrolled is printed after the deck is on disk. No sticker's UID is
printed or written. Status 1 means that something is missing, 2 that it cannot be done.
"""

import argparse
import sys
from contextlib import ExitStack

from companion.app.data_folder import open_data_folder
from companion.app.settings import data_folder, journal_path
from companion.app.setup.terminal import TerminalSetup
from companion.backup.restore import finish_restore
from companion.cli.options import add_data_option, add_game_option, add_json_option, print_json
from companion.cli.wiring import add_profile_option
from companion.core.durable_files import make_folder
from companion.core.i18n import Message, get_language, message
from companion.journal.file import require_own_format
from companion.setup.steps import WizardStep

WIRES = ("banks", "buttons", "lamps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion enrol`."""
    add = parser.add_argument
    add_game_option(parser)
    add_profile_option(parser)
    add("--sim", action="store_true", help="use a simulated table with a simulated hand")
    add_data_option(parser, "the data folder with the decks")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--wires", choices=WIRES, help="find which wire leads where: %(choices)s")
    what.add_argument("--check", action="store_true", help="check that nothing is missing")
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Enrol, check or find wires; return the exit status."""
    step: WizardStep = "check" if options.check else options.wires or "stickers"
    words, english = get_language(options.lang), get_language("en")

    def tell(said: Message) -> None:
        print(words(said), flush=True, file=sys.stderr if options.json else sys.stdout)

    with ExitStack() as stack:
        folder = options.data or data_folder()
        if options.sim and options.data is None:
            folder = stack.enter_context(open_data_folder(None, None))
        require_own_format(journal_path(folder))
        finish_restore(folder)
        make_folder(folder)
        game, profile, simulated = options.game, options.profile, options.sim
        setup = TerminalSetup(game, folder, profile, tell, stack, simulated=simulated)
        shown = setup.attend(step)
        if options.sim and options.data is None:
            tell(message("Nothing was kept; name a folder with --data to keep it."))
    if options.json:
        missing = [english(thing) for thing in shown.missing]
        print_json({"step": step, "done": shown.done, "total": shown.total, "missing": missing})
    return 0 if shown.done == shown.total > 0 else 1
