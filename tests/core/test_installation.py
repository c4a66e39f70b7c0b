"""Advice that fits the way of installation, wherever it is given."""

import subprocess
import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from companion import cli
from companion.core.i18n import get_language, message
from companion.core.installation import (
    InstalledBy,
    apply_config_command,
    installed_by,
    pip_command,
    use_added_packages,
)
from companion.games import GROUP
from companion.host.status import wires_light
from hardware.advice import DRIVER, command_to_type, join_groups_command, usb_command
from tests.host.test_status import WELL
from tests.worlds.installed_games import write_package

VERSION = "/opt/companion/versions/0123456789ab"
PACKAGED = "/usr/lib/table-companion"
BESIDE = "--prefix /opt/companion/added"


@pytest.mark.parametrize(
    ("prefix", "way", "pip", "config"),
    [
        ("/home/ana/.venv", "hand", "pip install babel", "sudo systemd/install"),
        (
            VERSION, "installer",
            f"sudo {VERSION}/bin/python -m pip install {BESIDE} babel", "sudo systemd/install",
        ),
        (
            PACKAGED, "apt",
            "sudo apt install python3-pip && "
            f"sudo {PACKAGED}/bin/python -m pip install {BESIDE} babel",
            "sudo systemctl restart companion",
        ),
    ],
)  # fmt: skip
def test_each_way_has_its_commands(
    prefix: str, way: InstalledBy, pip: str, config: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    assert (installed_by(), pip_command("babel"), apply_config_command()) == (way, pip, config)


def test_a_version_is_known_through_the_link_by_which_a_unit_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, way in (("deb-0123456789ab", "apt"), ("0123456789ab", "installer")):
        (tmp_path / "versions" / name).mkdir(parents=True)
        (tmp_path / "current").unlink(missing_ok=True)
        (tmp_path / "current").symlink_to(f"versions/{name}")
        monkeypatch.setattr(sys, "prefix", str(tmp_path / "current"))
        assert installed_by(tmp_path) == way


def test_what_an_owner_adds_lies_apart_from_the_versions_and_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = site_packages(tmp_path / "added")
    place.mkdir(parents=True)
    (place / "added_game.py").touch()
    write_package(place, "added-game", {"added": "added_game:GAME"})
    monkeypatch.setattr(sys, "path", [*sys.path])
    use_added_packages(tmp_path / "added")
    assert find_spec("added_game") is None, "here pip installs into the environment itself"
    monkeypatch.setattr(sys, "prefix", VERSION)
    use_added_packages(tmp_path / "added")
    assert find_spec("added_game") is not None
    assert sys.path[-1] == str(place), "what a version brings comes first"
    assert "added" in {each.name for each in entry_points(group=GROUP)}


def site_packages(prefix: Path) -> Path:
    return prefix / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


@pytest.mark.wide
def test_pip_puts_it_where_it_is_looked_for(tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "added_game.py").touch()
    setup = 'from setuptools import setup\nsetup(name="added-game", py_modules=["added_game"])\n'
    (game / "setup.py").write_text(setup)
    words = ["-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps"]
    subprocess.run([sys.executable, *words, "--prefix", str(tmp_path), str(game)], check=True)
    assert (site_packages(tmp_path) / "added_game.py").exists()


def test_a_debian_package_is_mended_by_debian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", PACKAGED)
    assert command_to_type(DRIVER) == "sudo apt install --reinstall table-companion"
    assert command_to_type(join_groups_command()) == "sudo dpkg-reconfigure table-companion"
    assert usb_command() == "sudo apt install pcscd python3-pyscard"
    light = wires_light(msgspec.structs.replace(WELL, unwired=message("No SPI.")))
    assert light.cure is not None
    assert get_language("en")(light.cure) == (
        "Put that right, then type: sudo systemctl restart companion"
    )


@pytest.mark.parametrize("command", ["update", "rollback"])
def test_versions_of_a_debian_package_are_changed_by_apt(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "prefix", PACKAGED)
    assert cli.main([command]) == 2
    said = "is a Debian package: versions are changed with sudo apt update && sudo apt install"
    assert said in capsys.readouterr().err
