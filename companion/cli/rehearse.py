"""`companion rehearse`: walk through the set-up at a simulated table, before anything is soldered.

Law: what is rehearsed is the real thing, on simulated chips; it leaves nothing behind but the
folder that was named.
"""

import argparse
from pathlib import Path

from companion.app.bootstrap import Console, RunningTable
from companion.app.settings import Options
from companion.app.temp_data_dir import open_data_folder
from companion.cli import table_options
from companion.cli.greeting import print_host_entry
from companion.core.i18n import N_
from hardware.wiring import profile_names

REHEARSES = N_("A rehearsal of the first start: {use}")
ENDS = N_("Ctrl-C ends the rehearsal.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion rehearse`."""
    add = parser.add_argument
    table_options.add_server_options(parser, "127.0.0.1")
    add("--data", type=Path, metavar="FOLDER",
        help="store the settings in this folder (default: delete them at the end)")  # fmt: skip
    add("--profile", choices=profile_names(), metavar="PROFILE",
        help="%(choices)s (default: the one you choose on the page)")  # fmt: skip


def run(parsed: argparse.Namespace) -> int:
    """Rehearse until stopped."""
    with open_data_folder(parsed.data, parsed.plugged) as folder:
        asked = Options(
            kind="rehearsal",
            folder=folder,
            profile=parsed.profile,
            **table_options.server_options(parsed),
        )
        return table_options.start_companion(parsed.command, asked, Console(print_greeting))


def print_greeting(running: RunningTable) -> None:
    """Print the page's address, the host's link and the way to end."""
    page = f"{running.addresses[0]}first"
    print(running.words.render(REHEARSES, {"use": page}), flush=True)
    print_host_entry(running)
    print(running.words.render(ENDS, {}), flush=True)
