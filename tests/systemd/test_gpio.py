"""Both packages for the pins own the same files: the order they come in, and who finds out."""

import base64
import hashlib
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from installer.gpio import ASK, install_packages
from installer.libraries import Libraries, lock_path, locked_names, normalize
from installer.pi import Pi
from tests.worlds.paths import ROOT
from tests.worlds.pi_folder import Workbench

LOCK = lock_path(ROOT, "pi").read_text("utf-8")
OLD, NEW = "RPi.GPIO", "rpi-lgpio"


def test_the_right_one_comes_last_and_the_wrong_one_never(bench: Workbench) -> None:
    for pi, package, lgpio in (
        (Pi("Raspberry Pi 5", "bookworm", ()), NEW, True),
        (Pi("Raspberry Pi 4", "bookworm", (6, 1)), OLD, True),
        (Pi("Raspberry Pi 4", "trixie", ()), NEW, False),
    ):
        bench.path_of("/v/bin").mkdir(parents=True, exist_ok=True)
        bench.asked.clear()
        bench.write_file("/v/source/systemd/packaging/locks/pi.txt", LOCK)
        install_packages(Libraries(bench, ["/v/bin/python"], "/v"), pi)
        driver, *asked = bench.asked
        fetched, pins = asked[::2], asked[1::2]
        assert [words[3:4] for words in fetched] == [("download",)] * len(pins)
        assert all("--no-index" in words for words in bench.asked), "the files were here"
        assert all("--no-deps" in words for words in bench.asked)
        assert driver[-1] == "/v/source/hardware/vendor/mfrc522-0.0.7-py3-none-any.whl"
        wanted = [Path(words[-1]).stem for words in pins]
        assert "--force-reinstall" in pins[-1]
        assert wanted == ["spidev", *(["lgpio"] if lgpio else []), package]
        for words, name in zip(pins, wanted, strict=True):
            assert "--require-hashes" in words
            assert [*locked_names(bench.read_text(words[-1]))] == [normalize(name)]
            assert "--hash=sha256:" in bench.read_text(words[-1])


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """An empty environment with modules that import well, but for the pins."""
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=False, symlinks=True)
    for name in ("spidev", "lgpio", "mfrc522"):
        (site(folder) / f"{name}.py").write_text("")
    return folder


def site(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))


def put(environment: Path, package: str, text: str) -> None:
    """Install a package for the pins over whatever is there, as pip would."""
    module = site(environment) / "RPi/GPIO/__init__.py"
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(text)
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
    papers = site(environment) / f"{package.replace('-', '_')}-1.dist-info"
    papers.mkdir(exist_ok=True)
    (papers / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (papers / "RECORD").write_text(f"RPi/GPIO/__init__.py,sha256={digest},{len(text)}\n")


def remove(environment: Path, package: str) -> None:
    for paper in (site(environment) / f"{package.replace('-', '_')}-1.dist-info").iterdir():
        paper.unlink()
    (site(environment) / f"{package.replace('-', '_')}-1.dist-info").rmdir()


def found(environment: Path, wanted: str, where: str = "folder") -> str:
    """What is said of it; nothing if all is well."""
    command = [str(environment / "bin/python"), "-I", "-c", ASK, wanted, where]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr.strip()


def test_a_broken_gpio_package_is_reported(environment: Path) -> None:
    assert found(environment, NEW) == "rpi-lgpio should be there alone, and there is: none."
    put(environment, NEW, "import lgpio\n")
    assert found(environment, NEW) == ""
    put(environment, OLD, "raise RuntimeError('only on a Raspberry Pi')\n")
    both = "rpi-lgpio should be there alone, and there is: rpi-lgpio, rpi.gpio."
    assert found(environment, NEW) == both
    remove(environment, OLD)
    overwritten = "RPi/GPIO/__init__.py of rpi-lgpio was overwritten or is missing."
    assert found(environment, NEW) == overwritten
    put(environment, NEW, "import lgpio\n")
    assert found(environment, NEW, "live") == ""


def test_a_gpio_package_that_fails_on_this_pi_is_reported(environment: Path) -> None:
    put(environment, NEW, "raise RuntimeError('only on a Raspberry Pi')\n")
    assert found(environment, NEW) == "", "in a folder there is no Pi to work on"
    said = found(environment, NEW, "live")
    assert said == "RPi.GPIO does not work on this Pi: only on a Raspberry Pi."
    put(environment, NEW, "import nothing_like_it\n")
    assert "RPi.GPIO cannot be imported: No module named" in found(environment, NEW)
