"""`companion play`: a game in one process, at a simulated table, nothing to configure.

Law: Ctrl-C, a polite SIGTERM or a closed terminal ends it within a second, however many pages are
open, and leaves nothing behind but the folder that was named.
"""

import argparse
import os
import sys
import threading
import webbrowser
from functools import partial

from companion.app.data_folder import open_data_folder
from companion.app.default_players import PERSONS_SEAT
from companion.app.settings import Options
from companion.cli import table_options
from companion.cli.greeting import print_host_entry, table_lines
from companion.cli.options import add_data_option
from companion.core.i18n import N_, get_language
from companion.games import game_names, make_rulebook
from companion.hotspot.addresses import local_page_address
from hardware.wiring import DEFAULT, profile_names
from web.context import AppContext

ENDS = N_("Ctrl-C ends the evening.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion play`."""
    add = parser.add_argument
    table_options.add_table_options(parser, "0.0.0.0", next(iter(game_names())))
    boxes = [make_rulebook(game).box for game in game_names()]
    ranges = ", ".join(f"{box.game} {box.players.least}–{box.players.most}" for box in boxes)
    add("--seats", type=int, metavar="N", help=f"players: {ranges} (default: minimum + 1)")
    add("--profile", default=DEFAULT, metavar="PROFILE",
        help=f"simulate the readers of {', '.join(profile_names())}, or of the path of a .toml "
             "file (default: %(default)s)")  # fmt: skip
    add("--seed", type=int, metavar="N", help="shuffle the same way every time")
    use = "store the table in this folder, or resume the one in it (default: delete it at the end)"
    add_data_option(parser, use)
    add("--no-browser", action="store_true", help="do not open a browser")


def run(parsed: argparse.Namespace) -> int:
    """Play until stopped."""
    with open_data_folder(parsed.data, parsed.plugged) as folder:
        asked = table_options.make_options(
            parsed,
            kind="simulated",
            folder=folder,
            begins_game="never" if parsed.demo else "always",
            persons_seat=0 if parsed.demo else PERSONS_SEAT,
        )
        opens_browser = _opens_browser(parsed) and not parsed.plugged
        greet = partial(print_greeting, asked=asked, opens_browser=opens_browser)
        return table_options.start_companion(parsed.command, asked, greet)


def print_greeting(context: AppContext, asked: Options, opens_browser: bool) -> None:
    """Print the pages, and open one in a browser."""
    for line in table_lines(context, asked):
        print(line, flush=True)
    print_host_entry(context)
    print(get_language(context.settings.language).render(ENDS, {}), flush=True)
    if opens_browser:
        first, machine = "table" if asked.demo else "play", context.machine
        page = local_page_address(first, machine.address, machine.port)
        # Some browsers return only when they are closed, and the table has a game to run.
        threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()


def _opens_browser(parsed: argparse.Namespace) -> bool:
    """Check whether there is a terminal and a screen, and a browser is wanted.

    Without a screen some systems would open one in the terminal.
    """
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    is_seen = sys.stdout.isatty() and (sys.platform in ("darwin", "win32") or bool(screen))
    return is_seen and not parsed.no_browser
