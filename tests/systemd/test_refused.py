"""What the installer refuses: one sentence each, and everything stays as it was."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from installer.pi import CONFIG_TXT as BOOT
from installer.pi import MODEL, Pi
from installer.system import CONFIG
from installer.version import HOME
from tests.worlds.pi_folder import ROOT, Workbench, install, tree

Said = pytest.CaptureFixture[str]
PIN_TWICE = 'title = "mine"\n[buttons]\n1 = 4\n[lamps]\n1 = 4\n'
KERNEL = "/usr/lib/modules/6.1.21-v8+"


def sentence(said: Said) -> str:
    """The one that was said."""
    (line,) = said.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(
    ("file", "before", "after", "says"),
    [
        (MODEL, "Raspberry Pi 4", "Raspberry Pi 2", "the companion needs a Pi 3, 4, 5 or Zero 2."),
        (MODEL, "Raspberry Pi 4", "Rock 4", "This is no Raspberry Pi; a simulated table runs any"),
        ("/etc/os-release", "bookworm", "bullseye", "needs Raspberry Pi OS Bookworm or Trixie."),
        ("/etc/os-release", "ID=debian", "ID=ubuntu", "needs Raspberry Pi OS Bookworm or Trixie."),
        ("/var/lib/dpkg/status", "arm64", "armhf", "kind armhf; take the 64-bit Raspberry Pi OS."),
        ("/etc/passwd", "ana:x", "companion:x", "a person's account called companion; give it"),
    ],
)
def test_a_machine_that_is_not_the_right_one(  # noqa: PLR0913, PLR0917
    file: str, before: str, after: str, says: str, bench: Workbench, source: Path, capsys: Said
) -> None:
    text = bench.read_text(file)
    bench.path_of(file).write_text(text.replace(before, after))
    was = tree(bench.root)
    assert install(bench, source) == 2
    assert says in sentence(capsys)
    assert (tree(bench.root), bench.asked) == (was, [])


@pytest.mark.parametrize(
    ("words", "says"),
    [((), "This is another system; the companion"), (("--uninstall",), "There is no system in ")],
)
def test_a_folder_without_a_system(
    words: tuple[str, ...], says: str, tmp_path: Path, source: Path, capsys: Said
) -> None:
    assert install(Workbench(tmp_path / "none"), source, *words) == 2
    assert sentence(capsys).startswith(says)


def test_a_boot_partition_that_is_not_mounted(bench: Workbench, source: Path, capsys: Said) -> None:
    bench.path_of(BOOT).unlink()
    assert install(bench, source) == 2
    assert sentence(capsys) == f"There is no {BOOT}: is the boot partition mounted?"


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("prot = 8000", "has an unknown key, prot; the keys are game, profile,"),
        ('lang = "es"', "the key lang is es; write one of en, fr, de."),
        ('profile = "ten-readers"', "There is no wiring profile 'ten-readers'; type one of"),
        ('profile = "{mine}"', "BCM 4 (header pin 7) has two uses, button of seat 1 and lamp"),
    ],
)
def test_a_config_that_cannot_be_leaves_what_runs(
    config: str, says: str, bench: Workbench, source: Path, tmp_path: Path, capsys: Said
) -> None:
    install(bench, source)
    before = tree(bench.root)
    (tmp_path / "mine.toml").write_text(PIN_TWICE)
    bench.write_file(CONFIG, config.replace("{mine}", str(tmp_path / "mine.toml")))
    (source / "web/__init__.py").write_text('"""Better."""\n')
    assert install(bench, source) == 1
    assert says in sentence(capsys)
    kept = (f"{HOME}/current", BOOT, "/etc/systemd/system/companion.service")
    assert all(tree(bench.root)[name[1:]] == before[name[1:]] for name in kept)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("dtoverlay=spi0-2cs", "where the wiring needs dtoverlay=spi0-1cs: take that line out"),
        ("dtparam=spi=off", "where the wiring needs dtparam=spi=on: take that line out"),
    ],
)
def test_a_line_of_somebody_else_that_forbids_the_wiring(
    line: str, says: str, bench: Workbench, source: Path, capsys: Said
) -> None:
    bench.write_file(BOOT, f"{line}\n")
    assert install(bench, source) == 1
    assert f"{BOOT} says {line}, {says}" in sentence(capsys)
    assert bench.read_text(BOOT) == f"{line}\n"
    assert not bench.path_of(f"{HOME}/current").exists()


def test_buttons_on_pins_that_i2c_takes(bench: Workbench, source: Path, capsys: Said) -> None:
    bench.write_file(CONFIG, 'profile = "five-readers"\n')
    bench.write_file(BOOT, "dtparam=i2c_arm=on\n")
    assert install(bench, source) == 1
    assert "which takes the pins BCM 2 and 3" in sentence(capsys)


@pytest.mark.parametrize(
    ("says", "sentence_"),
    [
        ("ERROR: [Errno 28] No space left on device", "The disk is full: make room, then run"),
        ("NewConnectionError: https://somewhere.example", "Is this Pi connected to the internet?"),
        ("error: command 'gcc' failed", "python did not succeed. What it said is in"),
    ],
)
def test_libraries_that_cannot_be_had(
    says: str, sentence_: str, bench: Workbench, source: Path, capsys: Said
) -> None:
    install(bench, source)
    before = tree(bench.root)
    (source / "web/__init__.py").write_text('"""Better."""\n')
    bench.fails = ("pip", says)
    assert install(bench, source) == 1
    said = sentence(capsys)
    assert sentence_ in said
    assert "example" not in said, "what pip talks of stays in a file"
    bench.remove(f"{HOME}/install.log")
    assert tree(bench.root) == before, "what could not be finished is away, so that there is room"
    bench.fails = ("", "")
    assert install(bench, source) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a disk that is too small")
def test_a_disk_that_is_full(bench: Workbench, source: Path, capsys: Said) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "small", str(bench.path_of("/opt"))]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        assert install(bench, source) == 1
        assert sentence(capsys).startswith("The disk is full: make room, then run this again;")
        assert list(bench.path_of("/opt/companion/versions").iterdir()) == []
    finally:
        subprocess.run(["umount", str(bench.path_of("/opt"))], check=True)
    assert install(bench, source) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a disk that is too small")
@pytest.mark.parametrize("file", [BOOT, CONFIG])
def test_no_room_for_another_profile(
    file: str, bench: Workbench, source: Path, capsys: Said
) -> None:
    install(bench, source)
    before = bench.read_text(file)
    folder = bench.path_of(file).parent
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "small", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        bench.path_of(file).write_text(before)
        assert install(bench, source, "--profile", "five-readers") == 1
        assert sentence(capsys).startswith("The disk is full: make room, then run this again;")
        assert (bench.read_text(file), os.listdir(folder)) == (before, [Path(file).name])
    finally:
        subprocess.run(["umount", str(folder)], check=True)
    assert install(bench, source, "--profile", "five-readers") == 0


@pytest.mark.parametrize(
    ("model", "system", "kernel", "package"),
    [
        ("Raspberry Pi 4 Model B", "bookworm", (6, 1), "RPi.GPIO"),
        ("Raspberry Pi Zero 2 W", "bookworm", (6, 12), "rpi-lgpio"),
        ("Raspberry Pi 5 Model B", "bookworm", (6, 1), "rpi-lgpio"),
        ("Raspberry Pi 3 Model B Plus", "trixie", (6, 12), "rpi-lgpio"),
    ],
)
def test_the_package_for_the_pins_fits_board_and_kernel(
    model: str, system: str, kernel: tuple[int, int], package: str
) -> None:
    assert Pi(model, system, kernel).gpio_package == package


def test_two_at_once(bench: Workbench, source: Path, capsys: Said) -> None:
    class Twice(Workbench):
        def sync_disks(self) -> None:
            assert install(Workbench(self.root), source) == 2

    assert install(Twice(bench.root), source) == 0
    assert sentence(capsys) == "Another systemd/install is at work; wait until it is done."


def test_what_cannot_be_removed_is_one_sentence(
    bench: Workbench, source: Path, capsys: Said
) -> None:
    class Worn(Workbench):
        def write_file(self, name: str, text: str, mode: int = 0o644) -> None:
            raise OSError(errno.EROFS, "", name)

    assert install(Worn(bench.root), source) == 1
    assert sentence(capsys).endswith("accounts.conf: Read-only file system; run this again.")


# The script itself.


def script(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(ROOT / "systemd/install"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_script_tells_what_it_would_do_and_leaves_no_trace(bench: Workbench) -> None:
    before, clone = tree(bench.root), set((ROOT / "systemd").rglob("*.pyc"))
    done = script("--root", str(bench.root), "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Raspberry Pi 4 Model B Rev 1.4, bookworm, RPi.GPIO\n")
    assert tree(bench.root) == before
    assert set((ROOT / "systemd").rglob("*.pyc")) <= clone


def test_the_script_on_this_machine_says_why_not() -> None:
    done = script("--dry-run")
    assert done.returncode in (0, 2), "this may be a Pi"
    assert "Traceback" not in done.stderr
    assert script("--purge").stderr.endswith("--purge goes with --uninstall\n")
