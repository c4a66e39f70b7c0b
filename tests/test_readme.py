"""What the README shows is what happens."""

import re
import shlex
from pathlib import Path

import pytest

from companion.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def test_the_example_of_the_judge_runs_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = (block for block in BLOCKS if "companion judge" in block)
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
