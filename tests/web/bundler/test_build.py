"""The bundles as they are written, and when they are used."""

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worlds.paths import ROOT
from web.bundler.build import build_bundles
from web.page_files import current_bundles


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all scripts, sheets and pictures, bundled once."""
    folder, leave = tmp_path_factory.mktemp("web"), shutil.ignore_patterns("bundles")
    shutil.copytree(ROOT / "web/static", folder / "static", ignore=leave)
    shutil.copy(ROOT / "web/families.toml", folder)
    bundle(folder)
    return folder


@pytest.fixture
def copied(bundled: Path, tmp_path: Path) -> Path:
    """The same, for one test to change."""
    shutil.copytree(bundled, tmp_path, dirs_exist_ok=True)
    return tmp_path


def bundle(folder: Path) -> None:
    build_bundles(folder / "static", folder / "families.toml")


def look(folder: Path) -> dict[str, dict[str, str]]:
    """What a table that starts now would use."""
    current_bundles.cache_clear()
    found = {family: dict(files) for family, files in current_bundles(folder).items()}
    current_bundles.cache_clear()
    return found


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "static/bundles").iterdir()}


def edit(folder: Path, name: str) -> None:
    path = folder / "static" / name
    path.write_text(path.read_text("utf-8") + "\n/* edited */\n", "utf-8")


def test_a_bundle_is_named_by_what_is_in_it_and_packed_beside_it(copied):
    files = written(copied)
    manifest = json.loads(files.pop("manifest.json"))
    for name, content in files.items():
        if name.endswith(".gz"):
            assert gzip.decompress(content) == files[name.removesuffix(".gz")]
        else:
            digits = Path(name).stem.rpartition("-")[2]
            assert hashlib.sha256(content).hexdigest().startswith(digits)
            assert len(digits) == 16
            assert f"{name}.gz" in files
    told = {name for family in manifest["families"].values() for name in family.values()}
    assert told == {f"bundles/{name}" for name in files if not name.endswith(".gz")}


def test_the_same_sources_give_the_same_bytes(copied):
    before = written(copied)
    bundle(copied)
    assert written(copied) == before


@pytest.mark.parametrize(
    "source",
    [
        "js/main.mjs",
        *(
            pytest.param(name, marks=pytest.mark.wide)
            for name in ("js/seal.mjs", "vendor/noble-ed25519/index.js", "cards/back.svg")
        ),
        pytest.param("css/judge.css", marks=pytest.mark.wide),
    ],
)
def test_after_an_edit_the_bundles_rest_until_they_are_built_again(copied, source):
    before = look(copied)
    assert set(before) > {"phone", "table", "plain"}
    edit(copied, source)
    assert look(copied) == {}
    bundle(copied)
    assert set(look(copied)) == set(before)


@pytest.mark.wide
def test_bundles_that_are_not_all_there_are_not_used(copied):
    for path in (copied / "static/bundles").glob("judge-*.js"):
        path.unlink()
    assert look(copied) == {}
    bundle(copied)
    assert look(copied) != {}
    (copied / "static/js/hints.mjs").unlink()
    assert look(copied) == {}
    shutil.rmtree(copied / "static/bundles")
    assert look(copied) == {}


@pytest.mark.wide
def test_a_running_table_keeps_its_bundles_through_one_build(copied):
    first = look(copied)["phone"]["sheet"]
    path = copied / "static/css/phone.css"
    for n in range(2):
        assert (copied / "static" / first).is_file()
        path.write_text(f"{path.read_text('utf-8')}\n.a{n} {{ color: red }}", "utf-8")
        bundle(copied)
    assert not (copied / "static" / first).is_file()


def test_what_cannot_be_joined_ends_the_build_with_a_sentence(tmp_path):
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web/bundler", web / "bundler")
    (web / "static/js").mkdir(parents=True)
    (web / "static/js/main.mjs").write_text("export default 1;")
    (web / "families.toml").write_text('[plain]\nscripts = ["main"]\nsheets = []\n')
    command = [sys.executable, "-I", str(web / "bundler")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("The scripts and sheets cannot be joined: js/main.mjs, line 1: ")
    assert "Traceback" not in done.stderr
