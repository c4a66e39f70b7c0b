"""Scripts, sheets and pictures of a page that is one file: written into it.

Law: nothing in them leads out of the file. A game without a second court is left out. A picture is
written as data, and any other address in a sheet is dropped.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from urllib.parse import quote

from companion.games import find_game
from web.static_files import STATIC, files_of_games

HERE = Path(__file__).parent
COURT = "verdict.mjs"
"""Script of a game: its second court."""
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_ADDRESS = re.compile(r"url\(([^)]*)\)")
_BLANKS = re.compile(r"\s*\n\s*")
_SAFE = " =:/;,.()'-+*!@$&?"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def script_path(game: str, name: str) -> Path:
    """Return a script that a game may bring, such as its second court."""
    return find_game(game).folder / "static" / name


def join_script(games: Iterable[str]) -> str:
    """Return one script that runs the judge with the second courts of these games: each module
    becomes a function, called once, that returns the module's exports."""
    tables = {HERE / "courts.mjs": _write_courts(games)}
    names: dict[Path, str] = {}
    written: list[str] = []

    def write_module(path: Path) -> str:
        if path not in names:
            text = tables.get(path) or path.read_text("utf-8")
            text = _IMPORT.sub(lambda found: use_module(path, found), text)
            exported = ", ".join(_EXPORT.findall(text))
            names[path] = f"module{len(names)}"
            body = f"{_EXPORT.sub('', text)}\nreturn {{ {exported} }};"
            written.append(f"const {names[path]} = (() => {{\n{body}\n}})();\n")
        return names[path]

    def use_module(path: Path, found: re.Match[str]) -> str:
        name = write_module((path.parent / found[2]).resolve())
        return f"const {{{found[1].replace(' as ', ': ')}}} = {name};\n"

    write_module(HERE / "judge.mjs")
    return "".join(written)


def _write_courts(games: Iterable[str]) -> str:
    """Return a module with a table of the second court of each game."""
    imports = (
        f'import {{ decide as {game} }} from "{script_path(game, COURT)}";\n' for game in games
    )
    return "".join((*imports, f"export const courts = {{ {', '.join(games)} }};\n"))


def fill_page(page: str, **parts: str) -> str:
    """Return the page with each part, byte for byte, at its place `<!-- name -->`."""
    for name, text in parts.items():
        page = page.replace(f"<!-- {name} -->", text)
    return page


@cache
def join_form_sheet() -> str:
    """Return the sheet of the judge's forms, as the companion's pages have it."""
    names = ("main", "cards", "judge")
    return _write_sheet(*(STATIC / "css" / f"{name}.css" for name in names), HERE / "judge.css")


@cache
def join_game_sheet(game: str) -> str:
    """Return the sheet that a game brings, “” if it brings none."""
    path = script_path(game, "style.css")
    return _write_sheet(path) if path.is_file() else ""


def _write_sheet(*paths: Path) -> str:
    return _BLANKS.sub("\n", "\n".join(map(_inline_pictures, paths)))


def _inline_pictures(sheet: Path) -> str:
    """Return a sheet with its pictures as data; any other address is dropped."""

    def inline(found: re.Match[str]) -> str:
        path = sheet.parent / found[1]
        return f'url("{picture_data(path)}")' if path.suffix == ".svg" else "none"

    return _ADDRESS.sub(inline, _COMMENT.sub("", sheet.read_text("utf-8")))


def find_picture(name: str) -> Path:
    """Return the file of a picture by its name in addresses."""
    return files_of_games().get(name, STATIC / name)


def picture_data(path: Path) -> str:
    """Return a picture as an address that holds it."""
    return f"data:image/svg+xml,{quote(_BLANKS.sub(' ', path.read_text('utf-8')), safe=_SAFE)}"


def squeeze(page: str) -> str:
    """Return markup without indents and empty lines."""
    return _BLANKS.sub("\n", page)
