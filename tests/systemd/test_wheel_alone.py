"""Sdist and wheel: built twice they are the same, and the wheel plays where nothing else is."""

import os
import re
import signal
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from companion import __version__
from companion.core.i18n import LANGUAGES
from releasing.distributions import make_distributions
from releasing.source import Source
from tests.systemd.built_wheel import PAGE, CleanEnvironment, fetch, says_here, source_here
from tests.worlds.own_games import own_games
from tests.worlds.paths import ROOT

pytestmark = [pytest.mark.wide, pytest.mark.timeout(900)]
WHEEL = "table_companion-{version}-py3-none-any.whl"
ONE_COMMAND = f"pipx run --spec {WHEEL} companion play"
README = (ROOT / "systemd/README.md").read_text("utf-8")
TITLES = {"en": "Sit down", "fr": "S’asseoir", "de": "Platz nehmen"}


@pytest.fixture(scope="module")
def source() -> Source:
    return source_here()


@pytest.fixture(scope="module")
def built(source: Source, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Sdist and wheel of this clone."""
    return make_distributions(source, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def alone(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> CleanEnvironment:
    return CleanEnvironment(tmp_path_factory.mktemp("alone"), built[1])


def test_built_again_it_has_the_same_bytes(
    source: Source, built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    again = make_distributions(source, tmp_path / "elsewhere")
    assert [path.name for path in again] == [path.name for path in built]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_no_file_of_it_names_the_machine_that_built_it(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        held = {name: wheel.read(name) for name in wheel.namelist()}
    assert not [name for name, content in held.items() if b"companion-dist-" in content]
    with tarfile.open(built[0]) as sdist:
        assert {(member.uname, member.uid) for member in sdist} == {("root", 0)}


def test_the_wheel_has_every_file_that_a_clone_makes(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        names = set(wheel.namelist())
    for game in own_games():
        folder = f"companion/games/{game}"
        wanted = {f"{folder}/{name}" for name in ("box.toml", "demo.json", "trailer.json")}
        texts = {f"{folder}/locale/{lang}/LC_MESSAGES/{game}.mo" for lang in LANGUAGES[1:]}
        assert wanted | texts <= names
    assert {f"companion/locale/{lang}/LC_MESSAGES/companion.mo" for lang in LANGUAGES[1:]} <= names
    assert "web/static/js/main.mjs" in names
    assert sum(name.startswith("web/compiled_templates/") for name in names) > 100
    assert not [name for name in names if name.startswith(("tests/", "bench/", "systemd/"))]
    assert not [name for name in names if name.endswith(".po")]


def test_the_sdist_has_every_file_of_the_commit(
    source: Source, built: tuple[Path, Path], tmp_path: Path
) -> None:
    """Its tests too, and what they read."""
    tree = source.unpack(tmp_path / "tree")
    with tarfile.open(built[0]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert not {str(path.relative_to(tree)) for path in tree.rglob("*")} - names


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_plays_to_a_page_in_every_language(lang: str, alone: CleanEnvironment) -> None:
    with alone.play(f"--lang={lang}", "--pace=still") as address:
        page = fetch(f"{address}/play", ("Accept-Language", lang))
        for file in re.findall(r"/static/[^\"]+\.m?js", page):
            assert fetch(f"{address}{file}")
        assert fetch(f"{address}/table")
    assert f'lang="{lang}"' in page
    assert TITLES[lang] in page


@pytest.mark.large
def test_it_is_played_in_one_command(built: tuple[Path, Path], tmp_path: Path) -> None:
    """By the words of the README."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    pip = [tmp_path / "venv/bin/python", "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", "pipx"], check=True)
    assert ONE_COMMAND.format(version="VERSION") in README, "what is written is what is tried"
    command = ONE_COMMAND.format(version=__version__).replace(built[1].name, str(built[1]))
    environ = {
        **os.environ, "PIPX_HOME": str(tmp_path / "pipx"), "HOME": str(tmp_path),
        "PATH": f"{tmp_path / 'venv/bin'}:{os.environ['PATH']}",
    }  # fmt: skip
    options = ["--no-browser", "--lang=de", "--pace=still", "--port=18871"]
    with subprocess.Popen(
        [*command.split(), *options], env=environ, cwd=tmp_path, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as playing:  # fmt: skip
        assert playing.stdout is not None
        try:
            address = next(m[0] for m in map(PAGE.search, playing.stdout) if m)
            assert '<html lang="de"' in fetch(f"{address}/table")
        finally:
            os.killpg(playing.pid, signal.SIGTERM)
            playing.communicate()


def test_it_has_the_demo_the_profiles_and_the_version(alone: CleanEnvironment) -> None:
    with alone.play("--demo", "--pace=still") as address:
        assert "/static/" in fetch(f"{address}/table")
    assert alone.companion("wiring", "--profile", "five-readers") == says_here(
        "wiring", "--profile", "five-readers"
    )
    assert alone.companion("--version").startswith("companion ")
    assert not list(alone.site.glob("mfrc522*")), "it drives its readers with the copy that it has"
