"""`companion install`: wheels are added to a table that runs as a service; nothing of them runs."""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.added_packages import SYSTEM_PYTHON
from companion.cli import main
from companion.core import installation
from companion.games import load_games
from tests.worlds.installed_games import forget_packages, write_game, write_package

Capture = pytest.CaptureFixture[str]
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
has_pip = subprocess.run(
    [SYSTEM_PYTHON, "-m", "pip", "--version"], capture_output=True, check=False
)
NEEDS_PIP = pytest.mark.skipif(has_pip.returncode != 0, reason="Debian's python3-pip is missing")


def pack_game(folder: Path, name: str, version: str = "1.0") -> Path:
    """Write the wheel of a package with a game."""
    source = folder / f"source-{name}-{version}"
    source.mkdir()
    write_game(source, name)
    write_package(source, f"{name}-games", {name: f"{name}_game:GAME"})
    (info,) = source.glob("*.dist-info")
    info = info.rename(source / f"{name}_games-{version}.dist-info")
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}-games\nVersion: {version}\n"
    )
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    (source / f"{name}_games-{version}.data" / "scripts").mkdir(parents=True)
    (source / f"{name}_games-{version}.data" / "scripts" / "fog").write_text("#!python\n")
    files = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in (*files, info.name + "/RECORD")))
    wheel = folder / f"{name}_games-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for path in (*files, (info / "RECORD").relative_to(source)):
            packed.write(source / path, path)
    return wheel


def sum_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture
def added(tmp_path: Path) -> Iterator[Path]:
    """The folder of what is added, at a program that the installer has set up."""
    folder = tmp_path / "added"
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(installation, "ADDED", folder)
        monkeypatch.setattr(sys, "prefix", "/opt/companion/versions/0123456789ab")
        yield folder
    forget_packages(folder)  # Only now: the program as it was set up would find them again.


@pytest.mark.wide
@NEEDS_ROOT
@NEEDS_PIP
def test_a_wheel_is_added_replaced_played_and_removed(
    added: Path, tmp_path: Path, capsys: Capture
) -> None:
    for version in ("1.0", "1.1"):
        wheel = pack_game(tmp_path, "haze", version)
        assert main(["install", str(wheel), "--sha256", sum_of(wheel), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told == {"name": "haze-games", "version": version, "sha256": sum_of(wheel)}
    assert [path.name for path in added.iterdir()] == ["haze-games"]
    every = list(added.rglob("*"))
    assert {path.stat().st_uid for path in every} == {0}
    assert {path.stat().st_mode & 0o777 for path in every if path.is_file()} == {0o644}
    assert not any(path.name == "fog" for path in every)  # Its program.
    load_games.cache_clear()
    assert load_games().packages["haze"].version == "1.1"
    assert next(iter(load_games().games)) != "haze"
    assert main(["install", "--remove", "Haze_Games"]) == 0
    assert list(added.iterdir()) == []


@NEEDS_ROOT
def test_nothing_is_added_whose_sum_was_not_typed(
    added: Path, tmp_path: Path, capsys: Capture
) -> None:
    wheel = pack_game(tmp_path, "haze")
    for sums in ([], ["--sha256", "0" * 64]):
        assert main(["install", str(wheel), *sums]) == 2
        said = capsys.readouterr().err
        assert f"has the SHA-256 {sum_of(wheel)}. If that is what its author says" in said
        assert f" --sha256 {sum_of(wheel)}\n" in said
    assert not added.exists()


@pytest.mark.wide
@NEEDS_ROOT
@NEEDS_PIP
def test_a_wheel_that_cannot_be_unpacked_changes_nothing(
    added: Path, tmp_path: Path, capsys: Capture
) -> None:
    wheel = pack_game(tmp_path, "haze")
    assert main(["install", str(wheel), "--sha256", sum_of(wheel)]) == 0
    before = {path: path.stat().st_ino for path in added.rglob("*")}
    wheel.write_bytes(b"no wheel")
    foreign = wheel.with_name("haze_games-1.0-cp27-none-any.whl")
    foreign.write_bytes(b"of another Python")
    for file in (wheel, foreign):
        assert main(["install", str(file), "--sha256", sum_of(file)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert {path: path.stat().st_ino for path in added.rglob("*")} == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fog.tar.gz"], "is not named as a wheel"), (["../.whl"], "is not named as a wheel"),
        (["fog-1.0-py3-none-any.whl"], "cannot be read"), ([], "Name files, or"),
        (["--remove", "../added"], "No package"), (["--remove", "haze"], "No package"),
    ],
)  # fmt: skip
@NEEDS_ROOT
def test_what_cannot_be_added_is_one_sentence(
    words: list[str], said: str, added: Path, capsys: Capture
) -> None:
    assert main(["install", *words]) == 2
    heard = capsys.readouterr()
    assert said in heard.err
    assert heard.out == ""


def test_where_pip_installed_it_pip_goes_on(capsys: Capture) -> None:
    assert main(["install", "fog.whl"]) == 2
    assert capsys.readouterr().err.endswith("Type: pip install fog.whl\n")
