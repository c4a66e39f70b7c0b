"""`companion bundle`: the support bundle from the command line, whether or not a companion runs."""

import argparse
from pathlib import Path

from companion.app import settings
from companion.app.state_files import write_copy
from companion.app.support_bundle import make_bundle
from companion.app.whereabouts import find_table, require_answer
from companion.cli import add_data_option
from companion.cli.language import fill_help
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waiting
from companion.core.i18n import N_, get_language

NAME = "companion-support.zip"
"""The file's name where none is given."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion bundle`."""
    add = parser.add_argument
    fill_help(add("--to", type=Path, default=Path(NAME), metavar="PLACE",
        help="a new file, or a folder, where its name is %(name)s "
             "(default: the current folder)"), name=NAME)  # fmt: skip
    add_data_option(parser)
    add("--config", type=Path, metavar="FILE", help="the config (default: the service's)")
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Write the bundle to a new file; return the exit status."""
    words, (folder, is_readable) = get_language(options.lang), find_table(options.data)
    target = options.to / NAME if options.to.is_dir() else options.to
    with waiting(words):
        if is_readable:
            data = make_bundle(folder, options.config or settings.config_path(folder))
        else:
            data = require_answer(folder, "/api/host/bundle", words.code)
    write_copy(target, data)
    if options.json:
        print_json({"file": str(target), "bytes": len(data)})
        return 0
    text = N_("Written: {use}. It holds no names, bids or stickers: it may be handed on.")
    print(words.render(text, {"use": str(target)}))
    return 0
