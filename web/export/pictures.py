"""Pictures in a page that is one file: each once, as a symbol that every use refers to."""

import re
from pathlib import Path
from urllib.parse import quote

from companion.games import find_game
from web.page_files import STATIC

_IMAGE = re.compile(r'<image href="/static/([^"?]+)(?:\?[^"]*)?"([^>]*)/>')
_SVG = re.compile(r"<svg([^>]*)>(.*)</svg>", re.DOTALL)
_VIEW = re.compile(r'viewBox="[^"]*"')
_BLANKS = re.compile(r"\s*\n\s*")
_POINT = re.compile(r'="(-?\d+)\.0"')
_SAFE = " =:/;,.()'-+*!@$&?"
_GAME = re.compile(r"games/([^/]+)/([^/]+)")


def squeeze(page: str) -> str:
    """Return markup without indents and empty lines, and whole numbers without their “.0”."""
    return _POINT.sub(r'="\1"', _BLANKS.sub("\n", page))


def inline_pictures(page: str) -> str:
    """Return the page with every image as a symbol, all of them at its place `<!-- symbols -->`."""
    symbols: dict[str, str] = {}

    def refer(found: re.Match[str]) -> str:
        name = symbols.setdefault(found[1], f"p{len(symbols)}")
        return f'<use href="#{name}"{found[2]}/>'

    page = _IMAGE.sub(refer, page)
    drawn = "".join(_write_symbol(find_file(path), name) for path, name in symbols.items())
    return page.replace("<!-- symbols -->", f'<svg class="unseen" aria-hidden="true">{drawn}</svg>')


def find_file(address: str) -> Path:
    """Return the file of a picture by its address in pages."""
    address = address.removeprefix("/static/")
    own = _GAME.fullmatch(address)
    return STATIC / address if own is None else find_game(own[1]).folder / "static" / own[2]


def picture_data(path: Path) -> str:
    """Return a picture as an address that holds it."""
    return f"data:image/svg+xml,{quote(_BLANKS.sub(' ', path.read_text('utf-8')), safe=_SAFE)}"


def _write_symbol(path: Path, name: str) -> str:
    """Return a picture as a symbol; the names in it are made its own."""
    found = _SVG.search(path.read_text("utf-8"))
    assert found is not None, path
    view = _VIEW.search(found[1])
    inner = re.sub(r'\bid="', f'id="{name}-', found[2])
    inner = re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", inner)
    shape = f'{view[0] if view else ""} preserveAspectRatio="none"'
    return f'<symbol id="{name}" {shape}>{inner}</symbol>'
