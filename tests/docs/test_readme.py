"""What the README shows is what happens."""

import re
import runpy
import shlex
import struct
from pathlib import Path

import pytest

from companion.cli import main
from tests.worlds.paths import ROOT

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
JUDGE = "companion judge"
MOST_BYTES = 300_000


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


def test_the_pictures_are_shown_and_of_the_size_that_is_said() -> None:
    pictures = runpy.run_path(str(ROOT / "docs/pictures/take.py"))["PICTURES"]
    for picture in pictures:
        data = (ROOT / f"docs/pictures/{picture.name}.png").read_bytes()
        size = struct.unpack(">II", data[16:24])
        assert size == (picture.wide * picture.shrunk, picture.high * picture.shrunk), picture.name
        assert len(data) < MOST_BYTES, picture.name
    shown = re.findall(r'<img src="([^"]+)" width="\d+" alt="[^"]{20,}">', README)
    assert shown == [f"docs/pictures/{picture.name}.png" for picture in pictures]
