"""A game is one folder: no other file of the program names one, or imports its package."""

import re
from collections.abc import Iterator
from pathlib import Path

from companion.games import GROUP
from tests.worlds.own_games import list_own_games
from tests.worlds.paths import ROOT

PACKAGES = ("companion", "hardware", "systemd", "web")
BINARY = {".mo", ".pyc", ".woff2", ".ttf", ".png", ".webp", ".ico", ".gz", ".br"}
MADE = {"node_modules", "compiled_templates", "vendor", "__pycache__"}
OURS = list_own_games()
FOLDERS = [game.folder for game in OURS]


def names_of(name: str, title: str) -> set[str]:
    """A game's name and title, as one word or several."""
    words = {name, title, name.replace("_", " "), name.replace("_", "-"), name.replace("_", "")}
    return {word.casefold() for word in words}


NAMED = re.compile(
    "|".join(
        re.escape(word)
        for game in OURS
        for word in sorted(names_of(game.name, game.standard_box().title))
    )
)


def program_files() -> Iterator[Path]:
    """Every file of the program that lies in no game's folder and is made of no other one."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            is_ours = not any(folder in path.parents for folder in FOLDERS)
            if (
                path.is_file()
                and path.suffix not in BINARY
                and is_ours
                and not MADE & {*path.parts}
            ):
                yield path


def test_no_file_outside_its_folder_names_a_game() -> None:
    named = []
    for path in program_files():
        lines = [path.name, *path.read_text("utf-8").splitlines()]
        named += [f"{path}:{n}" for n, line in enumerate(lines) if NAMED.search(line.casefold())]
    assert named == []


def test_games_are_registered_by_the_metadata_of_their_package_alone() -> None:
    metadata = (ROOT / "pyproject.toml").read_text("utf-8")
    assert GROUP in metadata
    assert all(f"\n{game.name} = " in metadata for game in OURS)
