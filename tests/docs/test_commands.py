"""Every command that a page shows is one that our parser or our Makefile takes, options and all."""

import re
import shlex
from pathlib import Path

import pytest

from companion.cli import COMMANDS, make_parser
from tests.worlds.paths import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("[a-z]*/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
GUIDES = {
    "README.md", "build-the-table.md", "cafe.md", "first-table.md", "how-to-play.md",
    "running-a-game.md", "security.md", "troubleshooting.md", "usb-reader.md",
}  # fmt: skip
"""Pages whose sentences are searched for commands as well as their blocks."""
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
QUOTED = re.compile(r"`((?:sudo |make |companion |\.venv/bin/companion )[^`\n]*)`")
COMPANION = re.compile(r"(?:sudo )?(?:-u companion )?(?:\.venv/bin/)?companion (?P<words>.+)")
STANDS_FOR = {"GAME": "robby_solo", "hot_potato": "robby_solo"}
"""What a page leaves open, or what it has installed before."""


TYPED = ("companion ", "sudo ", "python ")


def shown_lines(page: Path) -> list[str]:
    """Return the lines that a page has people type."""
    text = page.read_text("utf-8")
    typed = [
        line.removeprefix("$ ")
        for kind, block in BLOCK.findall(text)
        for line in block.splitlines()
        if line.startswith("$ ") or (not kind and line.startswith(TYPED))
    ]
    return typed + (QUOTED.findall(text) if page.name in GUIDES else [])


def words_of(line: str) -> list[str]:
    """Return the words of a line, without its comment and where its output goes."""
    typed = re.split(r"[>|]", line.replace("…", ""))[0]
    return [STANDS_FOR.get(word, word) for word in shlex.split(typed, comments=True)]


def commands_of(page: Path) -> list[list[str]]:
    """Return the words after `companion` of each line that this page shows."""
    found = map(COMPANION.fullmatch, shown_lines(page))
    return [words for line in found if line and (words := words_of(line["words"]))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_is_parsed(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, *words in commands_of(page):
        assert command in COMMANDS, f"companion {command}"
        if not words or words == ["--help"]:  # The command is named, not shown.
            continue
        try:
            make_parser(command).parse_args([command, *words])
        except SystemExit:
            pytest.fail(f"companion {shlex.join([command, *words])}: {capsys.readouterr().err}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_target_is_in_the_makefile_with_its_variables(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for line in shown_lines(page):
        for word in words_of(line)[1:] if line.startswith("make ") else ():
            variable, is_set, _ = word.partition("=")
            here = rf"[(,]{variable}[),=]" if is_set else rf"^{word}:.*## "
            assert re.search(here, makefile, re.MULTILINE), line


def test_the_first_commands_of_the_guides_are_found() -> None:
    readme, usb = commands_of(ROOT / "README.md"), commands_of(ROOT / "docs/usb-reader.md")
    assert ["judge", "case.json"] in readme
    assert ["doctor", "--profile", "usb"] in usb
    assert ["enrol", "robby_solo", "--profile", "usb"] in usb
