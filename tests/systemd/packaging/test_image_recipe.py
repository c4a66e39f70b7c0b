"""The recipe of the image for a Pi, as far as it can be checked without one: scripts parse, what
they name exists, and the list for Imager has the sizes and hashes of its image."""

import hashlib
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from installer.boot import FIRST, LAST
from installer.pi import SYSTEMS
from installer.system import CHECKING, FINDING, SCREEN
from releasing.debian_packages import read_systems
from releasing.imager_list import describe_image, main
from tests.worlds.paths import ROOT

RECIPE = ROOT / "systemd/packaging/image"
STAGE = RECIPE / "stage-companion"
ADDRESS = "https://example.org/i.img.xz"
SCRIPTS = sorted([RECIPE / "build", *STAGE.rglob("*.sh")])
NUMBERED = re.compile(r"\d\d-(run\.sh|run-chroot\.sh|packages(-nr)?|debconf)")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_script_parses_and_can_be_run(script: Path) -> None:
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert os.access(script, os.X_OK)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", str(script)], check=True)


def test_the_stage_has_what_pi_gen_looks_for() -> None:
    config = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', (RECIPE / "config").read_text(), re.M))
    assert config["STAGE_LIST"].split()[-1] == STAGE.name
    assert config["RELEASE"] in {system.name for system in read_systems(ROOT)}
    assert config["RELEASE"] in SYSTEMS
    assert {path.name for path in STAGE.iterdir()} == {"prerun.sh", "EXPORT_IMAGE", "00-companion"}
    for path in (STAGE / "00-companion").iterdir():
        assert NUMBERED.fullmatch(path.name), path
    assert config["ENABLE_SSH"] == "0", "no way in that no one knows of"
    assert config["DISABLE_FIRST_BOOT_USER_RENAME"] == "1", "no question that wants a keyboard"
    assert "urandom" in config["FIRST_USER_PASS"], "no password that anyone knows"
    assert (
        f"passwd --lock {config['FIRST_USER_NAME']}\n"
        in (STAGE / "00-companion/02-run-chroot.sh").read_text()
    )
    assert config["WPA_COUNTRY"], "without one pi-gen switches the radio off"
    installed = (STAGE / "00-companion/00-packages-nr").read_text().split()
    assert {*SCREEN, *FINDING, *CHECKING} <= set(installed)


def test_the_stage_installs_the_package_that_the_build_lays_there(tmp_path: Path) -> None:
    """With a pi-gen that only says what it was asked."""
    pi_gen, package = tmp_path / "pi-gen", tmp_path / "table-companion_1.0+deb13_arm64.deb"
    kiosk = tmp_path / "table-companion-kiosk_1.0+deb13_all.deb"
    (pi_gen / "stage2").mkdir(parents=True)
    (pi_gen / "build.sh").write_text('#!/bin/sh\necho "$@"\n')
    (pi_gen / "build.sh").chmod(0o755)
    package.write_text("package")
    kiosk.write_text("screen")
    done = subprocess.run(
        [RECIPE / "build", pi_gen, package, kiosk], check=True, capture_output=True, text=True
    )
    assert done.stdout == f"-c {RECIPE / 'config'}\n"
    laid = pi_gen / "stage-companion/00-companion/files/table-companion.deb"
    assert laid.read_text() == "package"
    assert laid.with_name("table-companion-kiosk.deb").read_text() == "screen"
    assert (pi_gen / "stage2/SKIP_IMAGES").exists()
    install = (STAGE / "00-companion/01-run.sh").read_text()
    assert f"files/{laid.name}" in install
    for words in ([pi_gen, package], [pi_gen, package, "no"]):
        refused = subprocess.run([RECIPE / "build", *words], capture_output=True, check=False)
        assert refused.returncode == 2
    without_key = {**os.environ, "TABLE_APT": "https://example.org/apt"}
    command = [RECIPE / "build", pi_gen, package, kiosk]
    assert (
        subprocess.run(command, capture_output=True, env=without_key, check=False).returncode == 2
    )


@pytest.mark.parametrize("address", ["", "https://example.org/apt"])
def test_apt_updates_an_image_from_where_its_maker_said(address: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for folder in ("var/tmp", "etc/apt/sources.list.d", "etc/apt/keyrings"):
        (root / folder).mkdir(parents=True)
    files = tmp_path / "files"
    files.mkdir()
    for name in ("table-companion.deb", "table-companion-kiosk.deb", "table-companion.asc"):
        (files / name).write_text(name)
    environ = {**os.environ, "ROOTFS_DIR": str(root), "TABLE_APT": address, "RELEASE": "trixie"}
    script = STAGE / "00-companion/01-run.sh"
    subprocess.run(["bash", "-e", script], cwd=tmp_path, env=environ, check=True)
    assert (root / "var/tmp/table-companion-kiosk.deb").exists()
    source = root / "etc/apt/sources.list.d/table-companion.sources"
    assert source.exists() is bool(address)
    if address:
        told = dict(line.split(": ") for line in source.read_text().splitlines())
        assert (told["URIs"], told["Suites"], told["Components"]) == (address, "trixie", "main")
        assert (root / told["Signed-By"][1:]).read_text() == "table-companion.asc"


def test_what_the_wires_need_is_written_between_the_installers_marks() -> None:
    script = (STAGE / "00-companion/02-run-chroot.sh").read_text()
    assert script.index(FIRST) < script.index("companion wiring") < script.index(LAST)
    (command,) = re.findall(r"companion wiring --profile eight-readers \| (sed -n '[^']*')", script)
    said = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m companion wiring --profile eight-readers | {command}"],
        check=True, capture_output=True, text=True, cwd=ROOT,
    ).stdout.splitlines()  # fmt: skip
    assert "dtparam=spi=on" in said
    assert all(line.startswith("dt") for line in said)


def test_the_list_for_imager_is_read_from_the_image(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = os.urandom(3000) * 700
    image = tmp_path / "table-companion.img.xz"
    image.write_bytes(lzma.compress(plain))
    (entry,) = describe_image(image, ADDRESS, "1.2.0", 1_700_000_000)["os_list"]
    assert entry["extract_size"] == len(plain)
    assert entry["extract_sha256"] == hashlib.sha256(plain).hexdigest()
    assert entry["image_download_size"] == image.stat().st_size
    assert entry["image_download_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert entry["release_date"] == "2023-11-14"
    assert main([str(image), ADDRESS, "1.2.0"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["os_list"][0]) == set(entry)
    assert main([]) == 2
