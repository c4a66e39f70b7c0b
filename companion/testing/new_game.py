"""Write the package of a new game, which can be played at once and is then changed.

Law: what is there is never overwritten, and a name that Python or a file system cannot have is
refused before anything is written. It is no data of a table, so nothing waits for the disk.
"""

import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.core.durable_files import not_written
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import game_names

TEMPLATE = Path(__file__).with_name("template")
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST_NAME = 32
OUR_MODULES = {"companion", "hardware", "tests", "web"}


def write_new_game(name: str, folder: Path) -> list[Path]:
    """Write a package for a game of this name into a folder; return its files, or raise
    Malformed."""
    _check_name(name)
    package = folder / name.replace("_", "-")
    if package.exists():
        raise Malformed(str(package), N_("{field} is there already."))
    return list(_write_files(name, package))


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        text = N_("“{field}” is not a name like my_game: small letters, digits and underscores.")
        raise Malformed(name, text)
    if keyword.iskeyword(name) or name in sys.stdlib_module_names | OUR_MODULES:
        raise Malformed(name, N_("“{field}” means something else in Python: take another name."))
    if name in game_names():
        raise Malformed(name, N_("There is a game called “{field}” already."))


def _write_files(name: str, package: Path) -> Iterator[Path]:
    for source in sorted(TEMPLATE.rglob("*.in")):
        path = package / source.relative_to(TEMPLATE).with_suffix("")
        path = Path(str(path).replace("my_game", name))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_fill_in(source.read_text("utf-8"), name), "utf-8")
        except OSError as error:
            raise not_written(path, error) from None
        yield path


def _fill_in(text: str, name: str) -> str:
    """Return a file of the template for a game of this name."""
    words = name.split("_")
    names = {
        "my_game": name,
        "my-game": "-".join(words),
        "MyGame": "".join(map(str.capitalize, words)),
        "My Game": " ".join(map(str.capitalize, words)),
        '"M.': f'"{name[0].upper()}.',
    }
    for placeholder, value in names.items():
        text = text.replace(placeholder, value)
    return text
