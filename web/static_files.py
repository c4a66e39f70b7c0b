"""Static files, compressed once.

Laws: a file is read and compressed once and kept in memory, a script without the comments that
stand on lines of their own; a browser caches it but asks each time whether it changed (`no-cache`
and an ETag), as modules import each other without a version.
"""

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from flask import Flask, Response, abort, request

from web.responses import TEXT_TYPES, accepts_gzip

STATIC = Path(__file__).with_name("static")
FILE_COMPRESSION = 9
CONTENT_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".svg": "image/svg+xml"}
SCRIPTS = (".mjs", ".js")

COMMENTS = re.compile(rb"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""Comments are for readers of the file itself; they are half the size of some vendored scripts."""


class StaticFile(NamedTuple):
    """A file as it is sent, plain and compressed."""

    content_type: str
    etag: str
    plain: bytes
    compressed: bytes


def install(app: Flask) -> None:
    """Serve the static files of this app."""
    names = frozenset(
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()
    )

    app.jinja_env.globals.update(script_names=script_names, scripts_fingerprint=scripts_fingerprint)

    @app.get("/static/<path:name>", endpoint="static")
    def static(name: str) -> Response:
        """A file; only one that was there at the start, by its own name."""
        if name not in names:
            abort(404)
        return send_file(load_file(name))


@cache
def script_names() -> tuple[str, ...]:
    """Return the names of all scripts, vendored ones as well, in the order of their fingerprint."""
    found = (path for path in STATIC.rglob("*") if path.suffix in SCRIPTS)
    return tuple(sorted(path.relative_to(STATIC).as_posix() for path in found))


@cache
def scripts_fingerprint() -> str:
    """Return a short hash over all scripts as they are served, in groups of four digits.

    A phone shows what it computes over the scripts that it was sent (fingerprint.mjs).
    """
    plain = ((name, load_file(name).plain) for name in script_names())
    lines = "".join(f"{name} {hashlib.sha256(text).hexdigest()}\n" for name, text in plain)
    return " ".join(re.findall("....", hashlib.sha256(lines.encode()).hexdigest())[:5])


@cache
def load_file(name: str) -> StaticFile:
    """Read and compress a file, once per process."""
    path = STATIC / name
    plain = path.read_bytes()
    content_type = (
        CONTENT_TYPES.get(path.suffix)
        or mimetypes.guess_type(name)[0]
        or "application/octet-stream"
    )
    if content_type == CONTENT_TYPES[".js"]:
        plain = COMMENTS.sub(b"", plain)
    compressed = (
        gzip.compress(plain, FILE_COMPRESSION, mtime=0)
        if content_type.startswith(TEXT_TYPES)
        else plain
    )
    return StaticFile(content_type, hashlib.sha256(plain).hexdigest()[:16], plain, compressed)


def send_file(file: StaticFile) -> Response:
    """Return the file, or 304 if the browser has it already."""
    compressed = accepts_gzip() and len(file.compressed) < len(file.plain)
    response = Response(file.compressed if compressed else file.plain, mimetype=file.content_type)
    if compressed:
        response.content_encoding = "gzip"
    response.set_etag(file.etag, weak=True)
    response.cache_control.no_cache = True
    response.vary.add("Accept-Encoding")
    response.make_conditional(request)
    return response
