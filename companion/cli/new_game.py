"""`companion new-game NAME`: write the package of a new game, which can be played at once."""

import argparse
from pathlib import Path

from companion.core.i18n import get_language, message
from companion.core.installation import build_command
from companion.testing.new_game import write_new_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion new-game`."""
    parser.add_argument("name", metavar="NAME", help="what it is called in files: my_game")
    parser.add_argument(
        "--in", dest="folder", type=Path, default=Path(), metavar="FOLDER",
        help="the folder into which its package is written (default: here)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the package, and print the next commands to type."""
    files = write_new_game(options.name, options.folder)
    package = options.folder / options.name.replace("_", "-")
    for path in files:
        print(path)
    print(f"\n{get_language(options.lang)(message('Install it, and play:'))}\n")
    print(f"  {build_command(package)}")
    print(f"  companion play {options.name}\n  companion check-game {options.name}")
    return 0
