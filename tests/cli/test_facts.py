"""Every command: which ones print facts, and tell them to programs alike in every language."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.cli import COMMANDS, main, make_parser
from companion.core.table_events import Ended
from companion.games import make_rulebook
from companion.journal import Journal
from companion.records.format import to_bytes
from companion.records.store import make_record
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from tests.worlds.installed_games import installed, write_game

Capture = pytest.CaptureFixture[str]

NO_FACTS = {
    "play": "it serves pages until it is stopped",
    "run": "it serves pages until it is stopped",
    "floor": "it serves pages until it is stopped",
    "new-game": "it writes a package, and says how to go on",
    "host": "it prints a secret, on a terminal alone",
}
"""The commands without --json, and why."""

CASE = ["judge", "case.json"]
ASKED = {
    "judge": [CASE, [*CASE, "--better", "Ben"]],
    "records": [
        ["records", "--data", "data"], ["records", "--data", "data", "--check"],
        ["records", "--data", "data", "--import", "game.jsonl"],
        ["records", "--data", "data", "--export", "g", "--to", "copy.jsonl"],
    ],
    "replay": [["replay", "game.jsonl"], ["replay", "game.jsonl", "--verify"]],
    "check-game": [["check-game", "mist", "--games", "1"]],
    "rules": [["rules"]],
    "enrol": [["enrol", "banque_fatale", "--sim", "--data", "deck"]],
    "wiring": [["wiring", "--profile", "five-readers"]],
    "backup": [["backup", "--data", "data", "--to", "new.zip"]],
    "restore": [
        ["restore", "old.zip", "--data", "data", "--dry-run"],
        ["restore", "old.zip", "--data", "data", "--without-config"],
    ],
    "doctor": [["doctor", "--profile", "five-readers", "--sim", "--stage", "reader", "1"]],
}  # fmt: skip
"""What is typed, in this order, in a folder that `furnish` has made."""


def parser_of(name: str) -> argparse.ArgumentParser:
    (commands,) = [
        a for a in make_parser(name)._actions if isinstance(a, argparse._SubParsersAction)
    ]
    parser: argparse.ArgumentParser = commands.choices[name]
    return parser


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_prints_facts_has_json(name: str) -> None:
    assert ("--json" in parser_of(name)._option_string_actions) == (name not in NO_FACTS)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a table, a game of another package, a record, a case and a backup."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    data = tmp_path / "data"
    data.mkdir()
    with closing(Journal(data / "journal.sqlite3")) as journal:
        rules = make_rulebook("robby_solo")
        table = Table(rules, journal, None, lambda: 1.8e9)
        assert table.start(rules.start_event("g", 3), HOST_AUTHOR) is None
        assert table.request(Ended("agreed"), HOST_AUTHOR) is None
        record = to_bytes(make_record(journal, "g"))
    (tmp_path / "game.jsonl").write_bytes(record)
    assert main(["backup", "--data", "data", "--to", "old.zip"]) == 0
    write_game(tmp_path, "mist")
    with ExitStack() as packages:
        packages.enter_context(installed("mist-games", {"mist": "mist_game:GAME"}, tmp_path))
        yield tmp_path


CHANGES_NOTHING = ("judge", "replay", "rules", "wiring", "doctor", "check-game")


def ask(words: list[str], capsys: Capture) -> list[object]:
    """What a command tells programs, a value for each line."""
    capsys.readouterr()
    assert main([*words, "--json"]) in (0, 1), capsys.readouterr()
    lines = capsys.readouterr().out.splitlines()
    assert lines, words
    return [json.loads(line) for line in lines]


def names_in(value: object) -> object:
    """The names in what is told to programs, without the values."""
    if isinstance(value, dict):
        return {name: names_in(each) for name, each in value.items()}
    return [names_in(each) for each in value] if isinstance(value, list) else None


@pytest.mark.wide
@pytest.mark.parametrize("name", ASKED)
def test_programs_are_told_json_alone_with_the_same_names_in_every_language(
    name: str, room: Path, capsys: Capture
) -> None:
    assert main(["judge", "--example", "robby_solo"]) == 0
    (room / "case.json").write_text(capsys.readouterr().out)
    for words in ASKED[name]:
        told = ask([*words, "--lang", "de"], capsys)
        assert all(isinstance(each, dict | list) and each for each in told), (words, told)
        if name in CHANGES_NOTHING:
            assert names_in(told) == names_in(ask([*words, "--lang", "fr"], capsys))
