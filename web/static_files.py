"""Static files, compressed once.

Laws: a file is read and compressed once and kept in memory, a script or sheet without the comments
that stand on lines of their own. Asked for by an address that holds the hash of its content, a
browser keeps it for ever; such an answer bears no date, as a Pi whose clock is years behind would
make it look too old to be kept. Else a browser asks each time whether the file changed (`no-cache`
and an ETag), as modules import each other without a hash.
"""

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from web.bundler.manifest import BUNDLES, content_hash
from web.page_files import BASE, EARLY, FLOOR_LOOK, STATIC, current_bundles, page_files
from web.response_headers import TEXT_TYPES

if TYPE_CHECKING:
    from flask import Flask, Response

FILE_COMPRESSION = 9
FOREVER = "public, max-age=31536000, immutable"
PHONE = "phone"
"""The pages whose scripts have a fingerprint."""
LATE_SCRIPTS = ("sounds", "fingerprint")
"""The scripts that a page loads once it may sound, and once a person asks for a fingerprint."""
ENDING = "ending"
"""The sheet that a phone loads with the first result, so that it is there at the end."""
CONTENT_TYPES = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
COMMENTED_TYPES = (CONTENT_TYPES[".js"], "text/css")
GAMES, OF_A_GAME = "games", "static"
"""How the names of the files of games begin, and the folder of them in that of a game."""
SERVED_OF_GAMES = (".css", ".svg", ".png", ".webp", ".jpg")
SCRIPTS = (".mjs", ".js")
PICTURES = ("*.svg", "*.png")

COMMENTS = re.compile(rb"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""Comments are for readers of the file itself; they are half the size of some vendored scripts."""


class StaticFile(NamedTuple):
    """A file as it is sent, plain and compressed."""

    content_type: str
    etag: str
    plain: bytes
    compressed: bytes


def install(app: "Flask") -> None:
    """Serve the static files of this app."""
    from flask import abort, request  # noqa: PLC0415  A floor has files, and no Flask.

    names = served_names()

    app.jinja_env.globals.update(
        file_address=file_addresses().__getitem__,
        fingerprinted_scripts=fingerprinted_scripts,
        scripts_fingerprint=scripts_fingerprint,
        late_script=late_scripts().__getitem__,
        late_sheet=late_sheets().__getitem__,
    )

    @app.get(f"{BASE}<path:name>", endpoint="static")
    def static(name: str) -> "Response":
        """A file; only one that was there at the start, by its own name."""
        if name not in names:
            abort(404)
        file = load_file(name)
        is_named_by_content = name.startswith(f"{BUNDLES}/") or request.args.get("v") == file.etag
        return send_file(file, keep=is_named_by_content)


def served_names() -> frozenset[str]:
    """Return the names of all files that are served, of those that are there now."""
    return frozenset(
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if _is_served(path)
    ) | frozenset(files_of_games())


def _is_served(path: Path) -> bool:
    is_made = path.parent.name == BUNDLES
    return path.is_file() and (not is_made or path.suffix in (".js", ".css"))


@cache
def files_of_games() -> Mapping[str, Path]:
    """Return the files that games bring, by their names: “games/NAME/style.css”."""
    from companion.games import list_games  # noqa: PLC0415  They are much to load.

    return {
        f"{GAMES}/{game.name}/{path.name}": path
        for game in list_games()
        for path in sorted((game.folder / OF_A_GAME).glob("*"))
        if path.suffix in SERVED_OF_GAMES
    }


@cache
def file_addresses() -> Mapping[str, str]:
    """Return for each picture, each script of a head and what games bring the address by which a
    browser may keep it."""
    found = (path for kind in PICTURES for path in STATIC.rglob(kind))
    pictures = (path.relative_to(STATIC).as_posix() for path in found)
    names = [EARLY, FLOOR_LOOK, *pictures, *files_of_games()]
    return {name: f"{BASE}{name}?v={load_file(name).etag}" for name in names}


@cache
def late_scripts() -> Mapping[str, str]:
    """Return the address of each script that pages load only when it is needed."""
    return {name: page_files(name).scripts[0] for name in LATE_SCRIPTS}


@cache
def late_sheets() -> Mapping[str, str]:
    """Return the address of each sheet that pages load only when it is needed."""
    return {name: page_files(name).sheets[0] for name in (ENDING,)}


@cache
def fingerprinted_scripts() -> tuple[str, ...]:
    """Return the addresses of the scripts that a phone runs, in the order of their fingerprint.

    If there are no bundles, those of all scripts, vendored ones as well.
    """
    early = file_addresses()[EARLY]
    if PHONE in current_bundles():
        return early, *page_files(PHONE).scripts, *late_scripts().values()
    found = (path for path in STATIC.rglob("*") if path.suffix in SCRIPTS and _is_served(path))
    names = sorted(path.relative_to(STATIC).as_posix() for path in found)
    modules = [name for name in names if not name.startswith(f"{BUNDLES}/") and name != EARLY]
    return early, *(BASE + name for name in modules)


@cache
def scripts_fingerprint() -> str:
    """Return a short hash over the scripts of a phone as they are served, in groups of four digits.

    A phone shows what it computes over the scripts that it was sent (fingerprint.mjs).
    """
    lines = "".join(map(_fingerprint_line, fingerprinted_scripts()))
    return " ".join(re.findall("....", hashlib.sha256(lines.encode()).hexdigest())[:5])


def _fingerprint_line(address: str) -> str:
    plain = load_file(address.removeprefix(BASE).partition("?")[0]).plain
    return f"{address} {hashlib.sha256(plain).hexdigest()}\n"


@cache
def load_file(name: str) -> StaticFile:
    """Read and compress a file, once per process."""
    path = files_of_games().get(name, STATIC / name)
    plain = path.read_bytes()
    content_type = (
        CONTENT_TYPES.get(path.suffix)
        or mimetypes.guess_type(name)[0]
        or "application/octet-stream"
    )
    if content_type in COMMENTED_TYPES and path.parent.name != BUNDLES:
        plain = COMMENTS.sub(b"", plain)
    compressed = _compress(path, plain, content_type)
    return StaticFile(content_type, content_hash(plain), plain, compressed)


def _compress(path: Path, plain: bytes, content_type: str) -> bytes:
    """Return a file compressed: as it was when it was built, else now; a picture as it is."""
    packed = path.with_name(f"{path.name}.gz")
    if packed.is_file():
        return packed.read_bytes()
    is_text = content_type.startswith(TEXT_TYPES)
    return gzip.compress(plain, FILE_COMPRESSION, mtime=0) if is_text else plain


def send_file(file: StaticFile, *, keep: bool) -> "Response":
    """Return the file, to be kept for ever if `keep`; else 304 if the browser has it already."""
    from flask import Response, request  # noqa: PLC0415

    from web.responses import accepts_gzip  # noqa: PLC0415  It brings a table's pages.

    compressed = accepts_gzip() and len(file.compressed) < len(file.plain)
    response = Response(file.compressed if compressed else file.plain, mimetype=file.content_type)
    if compressed:
        response.content_encoding = "gzip"
    response.vary.add("Accept-Encoding")
    if keep:
        response.headers["Cache-Control"] = FOREVER
        return response
    response.cache_control.no_cache = True
    response.set_etag(file.etag, weak=True)
    response.make_conditional(request)
    return response
