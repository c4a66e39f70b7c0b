"""Packages that bring games, as pip leaves them: a folder on Python's path for each.

A game of such a package plays by the rules of one of ours, under its own name.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.games import GROUP, find_game, load_games


def write_package(folder: Path, package: str, games: Mapping[str, str]) -> None:
    """Write a package as pip does: its name, and its entry points."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {target}" for name, target in games.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines, ""]))


GAME = """
from companion.core.i18n import N_, message
from companion.games import {like}
from companion.games.{like}.game import GAME as OURS
from companion.games.game import Game


class {name_}Box(OURS.box):
    game: str


class {name_}Rulebook(OURS.rulebook):
    pass


{more}
GAME = Game(name="{name}", box={name_}Box, rulebook={name_}Rulebook, pieces=OURS.pieces, **MORE)
"""


def write_game(folder: Path, name: str, like: str = "robby_solo", more: str = "MORE = {}") -> Path:
    """Write the module `{name}_game` of a game with another's rules; return its folder."""
    code = GAME.format(name=name, name_=name.capitalize(), like=like, more=more)
    module = write_module(folder, name, code)
    box = (find_game(like).folder / "box.toml").read_text("utf-8")
    (module / "box.toml").write_text(box.replace(f'game = "{like}"', f'game = "{name}"'), "utf-8")
    return module


def write_module(folder: Path, name: str, code: str) -> Path:
    """Write the module `{name}_game` with this code; return its folder."""
    module = folder / f"{name}_game"
    module.mkdir()
    (module / "__init__.py").write_text(code, "utf-8")
    return module


@contextmanager
def installed(package: str, games: Mapping[str, str], folder: Path | None = None) -> Iterator[Path]:
    """Install a package for a while; its modules may lie in its folder, too."""
    with TemporaryDirectory() as own:
        path = folder or Path(own)
        write_package(path, package, games)
        sys.path.append(str(path))
        _look_again()
        try:
            yield path
        finally:
            forget_packages(path)


def forget_packages(folder: Path) -> None:
    """Have Python know nothing any more of what lies in a folder, or below it."""
    sys.path[:] = [each for each in sys.path if not Path(each).is_relative_to(folder)]
    _forget_modules(folder)
    _look_again()


def _forget_modules(folder: Path) -> None:
    """Drop a folder's modules from `sys.modules`, so that another package may use the same
    names."""
    for name, module in list(sys.modules.items()):
        if folder in Path(getattr(module, "__file__", None) or "/").parents:
            del sys.modules[name]


def _look_again() -> None:
    invalidate_caches()
    load_games.cache_clear()
    load_games()
