"""`companion wiring`: print which wire goes where."""

import argparse

from companion.app.wires import load_table_wiring
from companion.cli.options import add_json_option, print_json
from companion.core.i18n import get_language
from hardware.wiring import DEFAULT, profile_names
from hardware.wiring.table import format_table, list_wires


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion wiring`."""
    add_profile_option(parser)
    add_json_option(parser)


def add_profile_option(parser: argparse.ArgumentParser) -> None:
    """Add the option --profile, which names a wiring profile."""
    parser.add_argument("--profile", metavar="PROFILE",
        help=f"{', '.join(profile_names())}, or the path of a .toml file (default: that of the "
             f"table, as its config says and as assigned on the set-up page, else {DEFAULT})",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print the wiring."""
    words = get_language(options.lang)
    wiring = load_table_wiring(options.profile)
    if options.json:
        wires = ([words.render_nested(cell) for cell in wire] for wire in list_wires(wiring))
        print_json([{"wire": use, "from": start, "to": end} for use, start, end in wires])
    else:
        print(format_table(wiring, words), end="")
    return 0
