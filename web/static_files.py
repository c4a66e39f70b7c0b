"""Static files: scripts, sheets, fonts and pictures, served as they lie there.

Laws: every address holds a version, which is a hash over all files, so that a browser keeps a file
for ever and a page never mixes two versions. A file is read once, and compressed when it is first
asked for. A script of another version is answered by one that loads its page anew: the table was
updated since that page was sent. No answer bears a date, as a Pi whose clock is years behind would
make it look too old to be kept. They are answered on the event loop: they lie in memory, and a
thread would cost more.
"""

import gzip
import hashlib
import mimetypes
import posixpath
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tornado.httputil import HTTPHeaders, HTTPServerRequest, ResponseStartLine
from tornado.routing import Matcher, Rule

from web.response_headers import DATA_HEADERS, FILE_HEADERS, TEXT_TYPES

if TYPE_CHECKING:
    from jinja2 import Environment

STATIC = Path(__file__).parent / "static"
COMPRESSION = 9
SCRIPT = "text/javascript"
CONTENT_TYPES = {
    ".mjs": SCRIPT, ".js": SCRIPT, ".css": "text/css", ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}  # fmt: skip
SERVED_OF_GAMES = (".css", ".svg", ".png", ".webp", ".jpg")
"""Endings of files served from a game's `static`; its scripts belong to the judge's page alone."""
FOREVER = "public, max-age=31536000, immutable"
_ADDRESS = re.compile(r"/static/([0-9a-f]{16})(?:\.\d{1,3})?/(.+)")
"""A page adds `.1`, `.2` … to the version when it asks again for what was lost on its way, as some
browsers never ask twice for the same address (early_taps.js)."""
_IMPORT = re.compile(r"""^(?:import|export)\b[^;'"(]*["'](\.[^"']+)["'];""", re.MULTILINE)


class StaticFile(NamedTuple):
    """A file as it is sent; `compressed` is empty where that would make it no shorter."""

    plain: bytes
    compressed: bytes
    headers: Mapping[str, str]


def install(environment: "Environment") -> None:
    """Give the templates the addresses of files."""
    environment.globals.update(file_address=file_addresses().__getitem__, module_graph=module_graph)


@cache
def file_addresses() -> Mapping[str, str]:
    """Return the address of each file by its name: `css/main.css`, `games/GAME/style.css`."""
    return {name: f"/static/{files_version()}/{name}" for name in _contents()}


@cache
def module_graph(entry: str) -> tuple[str, ...]:
    """Return the addresses of all modules that this one needs before it runs, so that a browser
    asks for them at once; those of an `import()` come when they are needed."""
    found: dict[str, None] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop(0)
        for source in _IMPORT.findall(_contents()[name].decode("utf-8")):
            wanted = posixpath.normpath(posixpath.join(posixpath.dirname(name), source))
            if wanted not in found:
                found[wanted] = None
                waiting.append(wanted)
    return tuple(file_addresses()[name] for name in found)


def find_file(path: str) -> StaticFile | None:
    """Return the file at this path of a request; None if there is none."""
    found = _ADDRESS.fullmatch(path)
    if found is None:
        return None
    version, name = found.groups()
    if version == files_version():
        return _load_file(name) if name in _contents() else None
    return RELOADING if CONTENT_TYPES.get(Path(name).suffix) == SCRIPT else None


@cache
def files_version() -> str:
    """Return the hash over the names and contents of all files."""
    digest = hashlib.sha256()
    for name, content in sorted(_contents().items()):
        digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


@cache
def files_of_games() -> Mapping[str, Path]:
    """Return the files that games bring, by their names."""
    from companion.games import list_games  # noqa: PLC0415  They are much to load.

    return {
        f"games/{game.name}/{path.name}": path
        for game in list_games()
        for path in sorted((game.folder / "static").glob("*"))
        if path.suffix in SERVED_OF_GAMES
    }


@cache
def _contents() -> Mapping[str, bytes]:
    own = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*")}
    files = {**own, **files_of_games()}
    return {name: path.read_bytes() for name, path in files.items() if path.is_file()}


@cache
def _load_file(name: str) -> StaticFile:
    kind = CONTENT_TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
    return _make_file(_contents()[name], kind or "application/octet-stream", FOREVER)


def _make_file(content: bytes, kind: str, keep: str) -> StaticFile:
    headers = DATA_HEADERS if kind == CONTENT_TYPES[".svg"] else FILE_HEADERS
    packed = gzip.compress(content, COMPRESSION, mtime=0) if kind.startswith(TEXT_TYPES) else b""
    is_shorter = packed and len(packed) < len(content)
    written = kind if not kind.startswith("text/") else f"{kind}; charset=utf-8"
    return StaticFile(
        content,
        packed if is_shorter else b"",
        {**headers, "Content-Type": written, "Cache-Control": keep},
    )


RELOADING = _make_file(b"location.reload();\n", SCRIPT, "no-store")


class _OurFile(Matcher):
    """Matches a request for a static file."""

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Return the file as the argument of `_send_file`; None if this is another request."""
        file = find_file(request.path) if request.method in ("GET", "HEAD") else None
        return None if file is None else {"file": file}


def file_rule() -> Rule:
    """Return the rule that answers static files; other paths are left to other rules."""
    return Rule(_OurFile(), _send_file)


def _send_file(request: HTTPServerRequest, file: StaticFile) -> None:
    headers = HTTPHeaders(file.headers)
    body = file.plain
    if file.compressed:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
            body = file.compressed
    headers["Content-Length"] = str(len(body))
    connection = request.connection
    assert connection is not None
    chunk = b"" if request.method == "HEAD" else body
    connection.write_headers(ResponseStartLine("HTTP/1.1", 200, "OK"), headers, chunk)
    connection.finish()
