"""Scripts and sheets of a page that is one file: joined as the bundler does, and written into it.

Law: nothing in them leads out of the file. Addresses in sheets are dropped, and the second court of
a game is joined from the game's own folder; a game without one is left out.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from companion.games import find_game
from web.bundler.modules import Module, read_module
from web.bundler.scripts import join_modules

HERE = Path(__file__).parent
STATIC = HERE.parent / "static"
COURTS = "export/courts.mjs"
_ADDRESS = re.compile(r"url\([^)]*\)")
_NAMING = re.compile(r"^[:.][^{}@\n]*\{[^{}]*--[\w-]+:[^{}]*\}", re.MULTILINE)
_BLANKS = re.compile(r"\s*\n\s*")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def court_path(game: str) -> Path:
    """Return the file of the second court of a game, which may not be there."""
    return find_game(game).folder / "static" / "verdict.mjs"


def join_script(entry: str, games: Iterable[str]) -> str:
    """Return one script that runs this module with the second courts of these games."""
    judged = [game for game in games if court_path(game).is_file()]

    def load_module(name: str) -> Module:
        return read_module(name, _read_source(name, judged))

    return join_modules([f"export/{entry}.mjs"], load_module)


def _read_source(name: str, judged: list[str]) -> str:
    folder, _, file = name.partition("/")
    if name == COURTS:
        return _write_courts(judged)
    if folder == "court":
        return court_path(judged[int(file)]).read_text("utf-8")
    return (HERE / file if folder == "export" else STATIC / name).read_text("utf-8")


def _write_courts(judged: list[str]) -> str:
    imports = (f'import {{ decide as d{n} }} from "../court/{n}";' for n in range(len(judged)))
    pairs = ", ".join(f"{game}: d{n}" for n, game in enumerate(judged))
    return "\n".join((*imports, f"export const courts = {{ {pairs} }};", ""))


def fill_page(page: str, **parts: str) -> str:
    """Return the page with each part, byte for byte, at its place `<!-- name -->`."""
    for name, text in parts.items():
        page = page.replace(f"<!-- {name} -->", text)
    return page


@cache
def join_sheets(game: str = "") -> str:
    """Return the sheet of these pages, with the colours and fonts of all pages and those of one
    game, and what a picture of a verdict needs; without any address."""
    sources = [STATIC / "css" / f"{name}.css" for name in ("main", "cards")]
    if game:
        sources.append(find_game(game).folder / "static" / "style.css")
    named = (rule for path in sources if path.is_file() for rule in _name_values(path))
    whole = [STATIC / "css" / "picture.css", HERE / "export.css"]
    text = _COMMENT.sub("", "\n".join((*named, *(path.read_text("utf-8") for path in whole))))
    return _BLANKS.sub("\n", _ADDRESS.sub("none", text))


def _name_values(path: Path) -> list[str]:
    """Return the rules of a sheet that give values names, such as the colours of seats."""
    return _NAMING.findall(_COMMENT.sub("", path.read_text("utf-8")))
