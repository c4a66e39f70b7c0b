"""The man page, the completion of shells, and the list of exit statuses."""

import argparse
import re
import shutil
import subprocess
from gettext import gettext
from pathlib import Path

import pytest

from companion.cli import COMMANDS, exit_codes, make_parser
from companion.cli.completion import list_parsers
from companion.cli.language import spoken_by_argparse
from companion.cli.manual import (
    COMPLETIONS,
    HEADINGS,
    make_manual,
    write_completions,
    write_manuals,
)
from companion.core.i18n import LANGUAGES, get_language
from companion.games import game_names
from hardware.wiring import profile_names
from tests.worlds.paths import ROOT
from tests.worlds.shells import ask_bash, ask_zsh

ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)


def test_the_page_lists_the_exit_statuses_as_they_are() -> None:
    listed = ROW.findall((ROOT / "docs/commands.md").read_text("utf-8"))
    assert listed == [(str(status), text) for status, text in exit_codes.MEANINGS.items()]


def squeeze(text: str) -> str:
    """A text without its spaces: groff breaks lines at hyphens too."""
    return "".join(text.split())


def parts_of_page(language: str) -> dict[str, str]:
    """The man page as a reader sees it: what stands under the name of each command."""
    command = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-rLL=500n", "-rHY=0", "-P-cbou"]
    done = subprocess.run(
        command, input=make_manual(language), capture_output=True, text=True, check=False
    )
    faults = [
        line for line in done.stderr.splitlines() if "break" not in line and "adjust" not in line
    ]
    assert (done.returncode, faults) == (0, [])
    parts = re.split(
        r"^   (companion [a-z -]+)$", done.stdout.replace("\u2010", "-"), flags=re.MULTILINE
    )
    return {name: squeeze(told) for name, told in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_man_page_tells_all_of_every_command(language: str) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is missing")
    parts, words = parts_of_page(language), get_language(language)
    with spoken_by_argparse(language):
        parsers = [each for each in list_parsers(make_parser(*COMMANDS)) if " " in each.prog]
        assert parts.keys() == {each.prog for each in parsers}
        assert {name.split()[1] for name in parts} == COMMANDS.keys()
        for parser in parsers:
            told = parts[parser.prog]
            assert squeeze(str(parser.description)) in told, parser.prog
            has_parts = any(action.dest == "part" for action in parser._actions)
            for action in [] if has_parts else parser._actions:  # Each part tells its own.
                if action.help != argparse.SUPPRESS and action.dest != "help":
                    assert all(option in told for option in action.option_strings), action
                    said = parser._get_formatter()._expand_help(action)
                    assert squeeze(said) in told, (parser.prog, said)
    last = list(parts.values())[-1]
    for text in exit_codes.MEANINGS.values():
        assert squeeze(words.render(text, {})) in last


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_stand_under_a_heading_of_their_own(language: str) -> None:
    with spoken_by_argparse(language):
        heading = gettext(HEADINGS["COMMANDS"])
    page = make_manual(language)
    assert re.findall(r"^\.SH ?(.*)\n\.SS", page, re.MULTILINE) == [heading]
    assert all(re.findall(r"^\.SH ?(.*)$", page, re.MULTILINE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_value_has_a_name_that_is_translated(language: str) -> None:
    with spoken_by_argparse(language):
        for parser in list_parsers(make_parser(*COMMANDS)):
            for action in parser._actions:
                is_shown = action.nargs != 0 and action.help != argparse.SUPPRESS
                assert not is_shown or action.metavar or action.choices, (parser.prog, action.dest)


@pytest.mark.wide
def test_written_twice_they_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in ("one", "other"):
        write_manuals(tmp_path / name / "man")
        write_completions(tmp_path / name)
    files = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(files) == 5
    for path in files:
        assert (
            path.read_bytes()
            == (tmp_path / "other" / path.relative_to(tmp_path / "one")).read_bytes()
        )


SHELLS = {"bash": ask_bash, "zsh": ask_zsh}


def questions() -> dict[str, set[str]]:
    """What is typed, and all that it may go on with."""
    expected = {"companion ": {*COMMANDS}, "companion sta": {"status"}}
    for parser in list_parsers(make_parser(*COMMANDS)):
        actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
        options = {option for action in actions for option in action.option_strings}
        if " " in parser.prog:
            expected[f"{parser.prog} --"] = {each for each in options if each.startswith("--")}
        for action in actions:
            if action.choices and action.option_strings:
                expected[f"{parser.prog} {action.option_strings[-1]} "] = {*action.choices}
    games, profiles = {*game_names()}, {*profile_names()}
    return expected | {
        "companion hotspot ": {"on", "off", "status"},
        "companion completion ": {*SHELLS}, "companion key ": {"new", "list", "revoke"},
        "companion rules ": games, "companion check-game ": games,
        "companion play ro": {"robby_solo"},
        "companion judge --example ": games,
        "companion wiring ": profiles, "companion enrol robby_solo --profile ": profiles,
        "companion replay eve": {"evening.jsonl"}, "companion status --data b": {"box"},
        "companion restore e": {"evening.jsonl"},
    }  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_every_command_option_and_choice(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is missing")
    write_completions(tmp_path / "share")
    script = tmp_path / "share" / COMPLETIONS[shell]
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    here = tmp_path / "here"
    (here / "box").mkdir(parents=True)
    (here / "evening.jsonl").touch()
    asked = questions()
    assert len(asked) > 2 * len(COMMANDS)
    told = dict(zip(asked, SHELLS[shell](script, list(asked), here), strict=True))
    assert {typed: sorted(told[typed]) for typed in asked if told[typed] != asked[typed]} == {}
