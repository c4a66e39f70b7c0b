"""`companion new-game NAME`: write the package of a new game, which can be played at once."""

import argparse
import re
from pathlib import Path

from companion.core.durable_files import not_written
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language, message
from companion.core.installation import build_command
from companion.games import game_names

TEMPLATE = Path(__file__).parents[1] / "testing" / "template"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion new-game`."""
    parser.add_argument("name", metavar="NAME", help="its name in files, such as my_game")
    parser.add_argument(
        "--in", dest="folder", type=Path, default=Path(), metavar="FOLDER",
        help="the folder for its package (default: here)",
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


def write_new_game(name: str, folder: Path) -> list[Path]:
    """Write a package for a game of this name into a folder; return its files, or raise Malformed.
    Existing files are never overwritten."""
    if not NAME.fullmatch(name):
        text = N_("“{field}” is not a name like my_game: two words or more, in small letters.")
        raise Malformed(name, text)
    if name in game_names():
        raise Malformed(name, N_("There is a game called “{field}” already."))
    package = folder / name.replace("_", "-")
    if package.exists():
        raise Malformed(str(package), N_("{field} is there already."))
    try:
        return [_write_file(source, package, name) for source in sorted(TEMPLATE.rglob("*.in"))]
    except OSError as error:
        raise not_written(package, error) from None


def _write_file(source: Path, package: Path, name: str) -> Path:
    """Write a file of the template for a game of this name; return its path."""
    path = package / str(source.relative_to(TEMPLATE).with_suffix("")).replace("my_game", name)
    title = name.replace("_", " ").title()
    text = source.read_text("utf-8").replace("my_game", name).replace("My Game", title)
    text = text.replace("my-game", package.name).replace("MyGame", title.replace(" ", ""))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
