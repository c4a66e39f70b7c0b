"""Scripts, sheets and pictures of a page that is one file: written into it.

Law: nothing in them leads out of the file. Scripts are joined as the bundler does; the second court
of a game is joined from the game's own folder, and a game without one is left out. A picture is
written as data, and any other address in a sheet is dropped.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from urllib.parse import quote

from companion.games import find_game
from web.bundler.modules import Module, read_module
from web.bundler.scripts import join_modules
from web.page_files import STATIC

HERE = Path(__file__).parent
COURTS = "export/courts.mjs"
SHEETS = "export/sheets.mjs"
COURT, SHEET = "verdict.mjs", "sheet.mjs"
"""What a game brings: its second court, and the reading of its forms in a browser."""
_ADDRESS = re.compile(r"url\(([^)]*)\)")
_BLANKS = re.compile(r"\s*\n\s*")
_GAME = re.compile(r"games/([^/]+)/([^/]+)")
_SAFE = " =:/;,.()'-+*!@$&?"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def script_path(game: str, name: str) -> Path:
    """Return a script that a game may bring, such as its second court."""
    return find_game(game).folder / "static" / name


def join_script(entry: str, games: Iterable[str]) -> str:
    """Return one script that runs this module with the second courts of these games."""
    judged = [game for game in games if script_path(game, COURT).is_file()]

    def load_module(name: str) -> Module:
        return read_module(name, _read_source(name, judged))

    return join_modules([f"export/{entry}.mjs"], load_module)


def _read_source(name: str, judged: list[str]) -> str:
    folder, _, file = name.partition("/")
    if name == COURTS:
        return _write_table("courts", "decide", "court", judged)
    if name == SHEETS:
        return _write_table("sheets", "makeCase", "sheet", judged)
    if folder in ("court", "sheet"):
        script = COURT if folder == "court" else SHEET
        return script_path(judged[int(file)], script).read_text("utf-8")
    return (HERE / file if folder == "export" else STATIC / name).read_text("utf-8")


def _write_table(table: str, function: str, folder: str, judged: list[str]) -> str:
    """Return a module with a table of one function of each game."""
    given = range(len(judged))
    imports = (f'import {{ {function} as {folder}{n} }} from "../{folder}/{n}";' for n in given)
    pairs = ", ".join(f"{game}: {folder}{n}" for n, game in enumerate(judged))
    return "\n".join((*imports, f"export const {table} = {{ {pairs} }};", ""))


def fill_page(page: str, **parts: str) -> str:
    """Return the page with each part, byte for byte, at its place `<!-- name -->`."""
    for name, text in parts.items():
        page = page.replace(f"<!-- {name} -->", text)
    return page


@cache
def join_form_sheet() -> str:
    """Return the sheet of the judge's forms, as the companion's pages have it."""
    names = ("css/main.css", "css/cards.css", "css/judge.css")
    return _write_sheet((*(STATIC / name for name in names), HERE / "judge.css"), STATIC)


@cache
def join_game_sheet(game: str) -> str:
    """Return the sheet that a game brings, “” if it brings none."""
    path = script_path(game, "style.css")
    return _write_sheet((path,), path.parent) if path.is_file() else ""


def _write_sheet(paths: Iterable[Path], folder: Path) -> str:
    text = "\n".join(path.read_text("utf-8") for path in paths)
    text = _BLANKS.sub("\n", _COMMENT.sub("", text))
    return _ADDRESS.sub(lambda found: _inline_address(found[1], folder), text)


def _inline_address(address: str, folder: Path) -> str:
    """Return a picture of a sheet as data; what is no picture is dropped."""
    path = find_file(address) if address.startswith("/") else folder / address
    return f'url("{picture_data(path)}")' if path.suffix == ".svg" else "none"


def find_file(address: str) -> Path:
    """Return the file of a picture by its address in pages."""
    address = address.removeprefix("/static/")
    own = _GAME.fullmatch(address)
    return STATIC / address if own is None else find_game(own[1]).folder / "static" / own[2]


def picture_data(path: Path) -> str:
    """Return a picture as an address that holds it."""
    return f"data:image/svg+xml,{quote(_BLANKS.sub(' ', path.read_text('utf-8')), safe=_SAFE)}"


def squeeze(page: str) -> str:
    """Return markup without indents and empty lines."""
    return _BLANKS.sub("\n", page)
