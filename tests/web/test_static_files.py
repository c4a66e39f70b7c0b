"""What leaves the table is packed where the browser takes it, and files are asked for once."""

import gzip
import os
import re
from pathlib import Path

import pytest

import web
from web.page_files import current_bundles, page_files

STATIC = Path(web.__file__).with_name("static")
FILES = sorted(
    path.relative_to(STATIC).as_posix()
    for path in STATIC.rglob("*.*")
    if path.parent.name != "bundles"
)
TEXTS = (".mjs", ".js", ".css", ".svg", ".txt")
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
    """A script or sheet without the comments on lines of their own, found line by line."""
    if not name.endswith(("js", ".css")):
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
        content = (STATIC / name).read_bytes()
        if name.endswith(TEXTS):
            content = without_comments(content.decode("utf-8"), name).encode()
        assert told == content, name


def test_a_file_is_the_same_for_every_cookie(visit):
    """One that varied with it would be fetched again as soon as a browser takes a seat."""
    assert visit(1).get("/static/js/main.mjs", headers=GZIP).headers["Vary"] == "Accept-Encoding"


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
    policy = "default-src 'none'; frame-ancestors 'none'"
    assert picture.headers["Content-Security-Policy"] == policy
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    missing = visit().get("/static/js/missing.svg")
    assert "form-action 'self'" in missing.headers["Content-Security-Policy"], "this is a page"


FOREVER = "public, max-age=31536000, immutable"


@pytest.fixture
def bundles():
    """The bundles; between an edit of a script or sheet and the next `make` there are none."""
    if not current_bundles() and os.environ.get("CI") == "true":
        pytest.fail("In CI the bundles must be those of the sources.")
    return current_bundles() or pytest.skip("Run make test, which joins the edited files.")


def test_a_bundle_is_kept_for_ever(visit, bundles):
    guest = visit()
    for name in {name for files in bundles.values() for name in files.values()}:
        plain, packed = guest.get(f"/static/{name}"), guest.get(f"/static/{name}", headers=GZIP)
        assert plain.headers["Cache-Control"] == packed.headers["Cache-Control"] == FOREVER
        assert plain.data == gzip.decompress(packed.data) == (STATIC / name).read_bytes()
        assert packed.headers["X-Content-Type-Options"] == "nosniff"
        assert not {"Date", "ETag"} & {*packed.headers.keys()}, "a date could be years old"
        assert guest.get(f"/static/{name}.gz").status_code == 404
    assert guest.get("/static/bundles/manifest.json").status_code == 404


def test_a_page_needs_one_script_and_one_sheet_beside_the_early_one(visit, bundles):
    ana = visit(1)
    for path in ("/", "/table", "/phone/1", "/judge", "/judge/case", "/nowhere"):
        text = ana.get(path).text
        assert len(re.findall(r'<script type="module" src="/static/bundles/', text)) == 1
        assert len(re.findall(r'<link rel="stylesheet" href="/static/bundles/', text)) == 1
        of_the_game = re.findall(r'<link rel="stylesheet" href="(/static/games/[^"]+)"', text)
        assert len(set(of_the_game)) <= 1, "and one of its game"
        others = r'<script|<link(?! rel="(?:preload|manifest|apple-touch-icon)")'
        assert len(re.findall(others, text)) == 4 + len(of_the_game)


def test_a_file_is_kept_for_ever_only_by_the_hash_of_its_content(visit):
    guest = visit()
    (address,) = re.findall(r'rel="icon" href="([^"]+)"', guest.get("/").text)
    assert guest.get(address).headers["Cache-Control"] == FOREVER
    name, _, digits = address.partition("?v=")
    assert len(digits) == 16
    for other in (name, f"{name}?v=", f"{name}?v={digits[:-1]}", f"{name}?v={'0' * 16}"):
        assert guest.get(other).headers["Cache-Control"] == "no-cache"


def test_a_page_announces_its_files_in_its_headers(visit):
    answer = visit(1).get("/phone/1")
    announced = re.findall(r"<([^>]+)>; rel=(\w+)", answer.headers["Link"])
    sheets = dict.fromkeys(re.findall(r'<link rel="stylesheet" href="([^"]+)"', answer.text))
    scripts = re.findall(r'<script type="module" src="([^"]+)"', answer.text)
    assert sheets
    assert scripts
    assert announced == [
        *((sheet, "preload") for sheet in sheets),
        *((script, "modulepreload") for script in scripts),
    ]
    assert re.findall(r'rel="preload" href="([^"]+)" as="font"', answer.text) == [
        *page_files("phone").fonts
    ]
    assert "Link" not in visit(1).get("/api/table").headers


PAGES = (
    "/", "/table", "/phone/1", "/play/1", "/play/1?beside", "/share", "/judge", "/judge/case",
    "/judge/case?game=robby_solo&kind=round", "/host", "/host/enter", "/host/pass", "/first/enter",
    "/nowhere", "/no-internet", "/phone/1/correct/1",
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_no_page_refers_to_a_file_that_is_not_there(visit, page):
    ana = visit(1)
    answer = ana.get(page)
    files = set(re.findall(r"/static/[^\s\"'>]+", answer.text))
    assert answer.status_code != 500
    for sheet in [name for name in files if ".css" in name]:
        files |= set(re.findall(r"/static/[^)]+", ana.get(sheet).text))
    assert {name: ana.get(name).status_code for name in files} == dict.fromkeys(files, 200)


def test_no_page_is_left_without_its_sheets():
    """Every template of a page belongs to a family."""
    families = set(current_bundles()) or set(re.findall(
        r"^\[(\w+)\]", (STATIC.parent / "families.toml").read_text("utf-8"), re.MULTILINE
    ))  # fmt: skip
    folders = {path.parent.name for path in (STATIC.parent / "templates").glob("*/page.html")}
    of_the_host = {"login", "setup_login", "new_game"}
    assert folders - of_the_host <= families
