"""Advice that fits the way of installation, wherever it is given."""

import sys
from pathlib import Path

import msgspec
import pytest

from companion import cli
from companion.core.i18n import get_language, message
from companion.core.installation import (
    InstalledBy,
    apply_config_command,
    build_command,
    installed_by,
    pip_command,
)
from companion.host.status import wires_light
from hardware.advice import DRIVER, command_to_type, join_groups_command, usb_command
from tests.host.test_status import WELL

VERSION = "/opt/companion/versions/0123456789ab"
PACKAGED = "/usr/lib/table-companion"
FETCHED = (
    "sudo apt install python3-pip && "
    "python3 -m pip download --only-binary :all: --dest wheels babel && "
    "sudo companion install wheels/*.whl"
)


@pytest.mark.parametrize(
    ("prefix", "way", "pip", "config"),
    [
        ("/home/ana/.venv", "hand", "pip install babel", "sudo systemd/install"),
        (VERSION, "installer", FETCHED, "sudo systemd/install"),
        (PACKAGED, "apt", FETCHED, "sudo systemctl restart companion"),
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


@pytest.mark.parametrize("prefix", [VERSION, PACKAGED])
def test_root_is_told_to_run_nothing_of_an_index(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    told = (pip_command("babel"), build_command(Path("my-game")), usb_command())
    for command in told:
        for part in command.split(" && "):
            assert not part.startswith("sudo") or part.split()[1] in ("apt", "companion"), part
    assert "wheels ./my-game && sudo companion install wheels/my_game-*.whl" in told[1]
    assert ("--require-hashes" in told[2]) is (prefix == VERSION)


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
