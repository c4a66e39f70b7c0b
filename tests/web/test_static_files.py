"""Every file of a page has the version of all files in its address, and is asked for once."""

import gzip
import re
from pathlib import Path

import pytest

from web.static_files import STATIC, file_addresses, files_version, find_file, module_graph

FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.*"))
ENTRIES = sorted(
    {
        name
        for page in (STATIC.parent / "templates").rglob("*.html")
        for name in re.findall(r"{% set script\b[^=]*= \"(\w+)\"", page.read_text("utf-8"))
    }
    | {"main", "floor"}
)
SOURCE = re.compile(r"(?:\bfrom|^import) [\"'](\.[^\"']+)[\"']", re.MULTILINE)
FOREVER = "public, max-age=31536000, immutable"
PAGES = (
    "/", "/table", "/phone/1", "/play/1", "/play/1?beside", "/share", "/judge", "/judge/case",
    "/judge/case?game=robby_solo&kind=round", "/host/enter", "/host/pass", "/first/enter",
    "/rules", "/names", "/nowhere", "/no-internet", "/phone/1/correct/1",
)  # fmt: skip
OF_THE_HOST = ("/host", "/host/care")


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_sent_as_it_lies_there_and_kept_for_ever(name):
    file = find_file(file_addresses()[name])
    assert file is not None
    assert file.plain == (STATIC / name).read_bytes()
    assert not file.compressed or gzip.decompress(file.compressed) == file.plain
    assert file.headers["Cache-Control"] == FOREVER
    assert file.headers["X-Content-Type-Options"] == "nosniff"
    kind = file.headers["Content-Type"]
    assert kind.startswith("text/javascript") is name.endswith((".mjs", ".js"))
    policy = "default-src 'none'; frame-ancestors 'none'"
    assert name.endswith(".svg") is (file.headers.get("Content-Security-Policy") == policy)
    assert not {"Date", "ETag", "Set-Cookie"} & {*file.headers}, "a date could be years old"


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_page_names_every_module_that_its_script_imports(entry):
    """All of them are asked for at once: a browser that finds one later waits once more."""
    named = {entry: f"js/{entry}.mjs"} | {
        address: address.partition(f"{files_version()}/")[2]
        for address in module_graph(f"js/{entry}.mjs")
    }
    wanted = {
        (STATIC / name).parent.joinpath(source).resolve().relative_to(STATIC).as_posix()
        for name in named.values()
        for source in SOURCE.findall((STATIC / name).read_text("utf-8"))
    }
    assert wanted | {f"js/{entry}.mjs"} == set(named.values())


@pytest.mark.parametrize("page", [*PAGES, *OF_THE_HOST])
def test_a_page_has_one_entry_script_and_only_files_that_are_there(visit, host, page):
    answer = (host if page in OF_THE_HOST else visit(1)).get(page)
    assert answer.status_code in {200, 404}
    assert len(re.findall(r'<script type="module" src="[^"]+" data-signs>', answer.text)) == 1
    files = set(re.findall(r"/static/[^\s\"'>]+", answer.text))
    assert len(files) > 10
    for sheet in [name for name in files if name.endswith(".css")]:
        found = find_file(sheet)
        assert found is not None, sheet
        for source in re.findall(r"url\(([^)]+)\)", found.plain.decode()):
            files.add(resolved(sheet, source))
    assert [name for name in files if find_file(name) is None] == []
    assert {name.split("/")[2] for name in files} == {files_version()}


def resolved(sheet: str, source: str) -> str:
    return Path("/").joinpath(sheet).parent.joinpath(source).resolve().as_posix()


def test_a_script_of_another_version_loads_its_page_anew():
    """Of a page that was sent before an update, nothing of the newer version is run."""
    for name in ("js/main.mjs", "js/early_taps.js", "js/no_longer_there.mjs"):
        file = find_file(f"/static/0123456789abcdef/{name}")
        assert file is not None
        assert file.plain == b"location.reload();\n"
        assert file.headers["Cache-Control"] == "no-store"
    for name in ("css/main.css", "icon.svg", "fonts/sans.woff2"):
        assert find_file(f"/static/0123456789abcdef/{name}") is None


def test_nothing_else_is_a_file():
    base = f"/static/{files_version()}"
    for path in (
        "/static/", "/static/js/main.mjs", f"{base}/", f"{base}/js", f"{base}/vendor",
        f"{base}/../static_files.py", f"{base}/js/../js/main.mjs", f"{base}//icon.svg",
        f"{base}.x/icon.svg", f"{base}.1.1/icon.svg", f"{base}/games/robby_solo/verdict.mjs",
        f"{base}/games/robby_solo/../box.toml",
    ):  # fmt: skip
        assert find_file(path) is None, path
