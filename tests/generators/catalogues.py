"""Collects every text for people of the companion and of its games into their catalogues.

`make texts` writes them; a text that is new is left empty, and a test says so until it has been
translated. The catalogue of a game has the texts in its folder that the companion does not say.
"""

import sys
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog

from companion.core.catalogues import COMPANION, Catalogue
from companion.games import list_games
from tests.generators.text_collection import (
    TRANSLATED,
    Texts,
    collect_texts,
    find_sources,
    read_catalogue,
    write_catalogue,
)
from tests.worlds.paths import ROOT

CODE = ("companion", "hardware", "web")
GAMES = tuple(game for game in list_games() if ROOT / "companion" in game.folder.parents)
CATALOGUES = (COMPANION, *(game.catalogue for game in GAMES))


@cache
def texts_of(catalogue: Catalogue) -> Texts:
    """The texts that belong into a catalogue, with the files where they stand."""
    if catalogue is COMPANION:
        return collect_texts(ROOT, filter(_is_companions, sources()))
    folder = catalogue.folder.parent
    found = collect_texts(folder, find_sources(folder))
    return {text: files for text, files in found.items() if text not in texts_of(COMPANION)}


def sources() -> list[Path]:
    """The files of the program."""
    return [path for folder in CODE for path in find_sources(ROOT / folder)]


def _is_companions(path: Path) -> bool:
    return not {game.folder for game in GAMES} & {*path.parents}


def read_all(code: str) -> list[Catalog]:
    """All catalogues of a language as they lie in their files."""
    return [read_catalogue(catalogue, code) for catalogue in CATALOGUES]


def main() -> None:
    for code in TRANSLATED:
        before = read_all(code)  # All, because a text may have moved from one to another.
        for catalogue in CATALOGUES:
            waiting = write_catalogue(catalogue, code, texts_of(catalogue), before)
            sys.stdout.write(f"{code} {catalogue.name}: {waiting} texts to translate\n")


if __name__ == "__main__":
    main()
