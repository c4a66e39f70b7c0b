"""What leaves the table is packed where the browser takes it, and files are asked for once."""

import gzip
from pathlib import Path

import pytest

import web

STATIC = Path(web.__file__).with_name("static")
FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.*"))
GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize("page", ["/", "/table", "/phone", "/api/table", "/static/js/main.mjs"])
def test_a_page_is_the_same_packed_or_not(visit, page):
    ana = visit(1)
    plain, packed = ana.get(page), ana.get(page, headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data)
    assert "Content-Encoding" not in plain.headers
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]


def without_comments(text: str, name: str) -> str:
    """A script without the comments that stand on lines of their own, found line by line."""
    if not name.endswith("js"):
        return text
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        begins = line.lstrip().startswith("/*") and not line.partition("*/")[2].strip()
        if not (inside or begins or line.lstrip().startswith("//")):
            kept.append(line)
        inside = (inside or begins) and "*/" not in line
    return "".join(kept)


def test_every_file_comes_as_it_lies_there(visit):
    guest = visit()
    for name in FILES:
        answer = guest.get(f"/static/{name}", headers=GZIP)
        packed = answer.headers.get("Content-Encoding") == "gzip"
        told = gzip.decompress(answer.data) if packed else answer.data
        assert told == without_comments((STATIC / name).read_text("utf-8"), name).encode(), name


def test_a_file_that_the_browser_has_is_not_sent_again(visit):
    guest = visit()
    first = guest.get("/static/js/main.mjs", headers=GZIP)
    assert first.headers["Cache-Control"] == "no-cache"
    again = guest.get(
        "/static/js/main.mjs", headers=GZIP | {"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["X-Content-Type-Options"] == "nosniff"
    other = guest.get(
        "/static/js/stream.mjs",
        headers=GZIP | {"If-None-Match": first.headers["ETag"]},
    )
    assert other.status_code == 200


def test_modules_come_as_scripts(visit):
    """A browser runs no module that comes as anything else."""
    for name in (name for name in FILES if name.endswith((".mjs", ".js"))):
        assert visit().get(f"/static/{name}").mimetype == "text/javascript"


def test_a_file_bears_only_what_matters_for_a_file(visit):
    script, picture = (visit().get(f"/static/{name}") for name in ("js/main.mjs", "icon.svg"))
    assert script.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert script.headers["X-Content-Type-Options"] == "nosniff"
    assert "Content-Security-Policy" not in script.headers
    assert "default-src 'none'" in picture.headers["Content-Security-Policy"]
