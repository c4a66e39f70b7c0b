"""`companion bundle`: the support bundle from the command line, whether or not a companion runs."""

import argparse
from pathlib import Path

from companion.app import settings
from companion.app.state_files import write_copy
from companion.app.support_bundle import make_bundle
from companion.cli import add_data_option, add_language_option
from companion.core.i18n import N_, get_language

NAME = "companion-support.zip"
"""The file's name where none is given."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion bundle`."""
    add = parser.add_argument
    add("--to", type=Path, default=Path(NAME), metavar="PLACE",
        help=f"a new file, or a folder, where its name is {NAME} "
             "(default: the current folder)")  # fmt: skip
    add_data_option(parser)
    add("--config", type=Path, metavar="FILE", help="the config (default: the service's)")
    add_language_option(parser)


def run(options: argparse.Namespace) -> int:
    """Write the bundle to a new file; return the exit status."""
    words, folder = get_language(options.lang), options.data or settings.data_folder()
    target = options.to / NAME if options.to.is_dir() else options.to
    write_copy(target, make_bundle(folder, options.config or settings.config_path(folder)))
    text = N_("Written: {use}. It holds no names, bids or stickers: it may be handed on.")
    print(words.render(text, {"use": str(target)}))
    return 0
