"""What the README shows is what happens."""

import re
import runpy
import shlex
import struct
from pathlib import Path

import pytest

from companion.cli import COMMANDS, main
from tests.worlds.paths import ROOT

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
JUDGE = "companion judge"
ELSEWHERE = {
    "make play": "tests/docs/test_make.py",
    "make play GAME=banque_fatale SEATS=4 LANG=de PACE=slow": "tests/docs/test_make.py",
    "make test": ".ci/run",
    ".venv/bin/companion wiring": "tests/cli/test_wiring_and_doctor.py",
    ".venv/bin/companion doctor": "tests/cli/test_wiring_and_doctor.py",
    ".venv/bin/companion enrol bankueberfall": "tests/cli/test_enrol.py",
    ".venv/bin/companion run bankueberfall --players Ana,Ben,Cleo --address 0.0.0.0":
        "tests/cli/test_run.py",
    ".venv/bin/companion doctor --profile usb": "tests/hardware/pcsc/test_usb_readers.py",
    ".venv/bin/companion enrol bankueberfall --profile usb":
        "tests/hardware/pcsc/test_usb_readers.py",
    ".venv/bin/companion run bankueberfall --profile usb --players Ana,Ben,Cleo --address 0.0.0.0":
        "tests/hardware/pcsc/test_usb_readers.py",
}  # fmt: skip
"""What is shown and not run here, and where it is: what needs a Pi is run there with `--sim`."""
MOST_BYTES = 300_000


def test_every_line_of_the_console_is_run_somewhere() -> None:
    lines = [line for block in BLOCKS for line in re.findall(r"^\$ (.*)$", block, re.MULTILINE)]
    assert {line for line in lines if JUDGE not in line} == set(ELSEWHERE)
    for line, file in ELSEWHERE.items():
        tool, verb = line.split()[:2]
        assert re.search(rf"\b{verb}\b", (ROOT / file).read_text("utf-8")), (tool, verb, file)


def test_the_example_of_the_judge_runs_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = (block for block in BLOCKS if JUDGE in block)
    for command, output in re.findall(r"\$ \.venv/bin/companion (.*)\n((?:[^$].*\n)*)", shown):
        words, _, file = command.partition(" > ")
        assert main(shlex.split(words)) == 0
        printed = capsys.readouterr().out
        assert printed.startswith(output)
        if file:
            Path(file).write_text(printed, "utf-8")
        else:
            assert printed == output


def test_every_verb_that_the_readme_names_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = set(re.findall(r"make ([a-z]+)", README))
    assert named >= {"play", "test", "bench"}
    assert all(re.search(rf"^{verb}:.*## ", makefile, re.MULTILINE) for verb in named)


def test_every_command_that_the_readme_names_exists() -> None:
    assert set(re.findall(r"`companion ([a-z]+)", README)) <= set(COMMANDS)


def test_the_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert all((ROOT / link).exists() for link in links)


def test_the_pictures_are_shown_and_of_the_size_that_is_said() -> None:
    pictures = runpy.run_path(str(ROOT / "docs/pictures/take.py"))["PICTURES"]
    for picture in pictures:
        data = (ROOT / f"docs/pictures/{picture.name}.png").read_bytes()
        size = struct.unpack(">II", data[16:24])
        assert size == (picture.wide * picture.shrunk, picture.high * picture.shrunk), picture.name
        assert len(data) < MOST_BYTES, picture.name
    shown = re.findall(r'<img src="([^"]+)" width="\d+" alt="[^"]{20,}">', README)
    assert shown == [f"docs/pictures/{picture.name}.png" for picture in pictures]
