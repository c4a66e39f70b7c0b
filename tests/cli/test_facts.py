"""Every command: which ones print facts, and tell them to programs alike in every language; which
ones may take more than a second, and show that they are at work.
"""

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.app.log_reading import read_journal_line
from companion.app.logging_setup import log_path
from companion.app.service_unit import run_telling
from companion.cli import COMMANDS, main, make_parser, module_of, progress
from companion.core.i18n import LANGUAGES
from companion.core.table_events import Ended
from companion.games import make_rulebook
from companion.journal import Journal
from companion.records.format import to_bytes
from companion.records.store import make_record
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from tests.worlds.installed_games import installed, write_game
from tests.worlds.paths import ROOT

Capture = pytest.CaptureFixture[str]

NO_FACTS = {
    "play": "it serves pages until it is stopped; companion status tells its facts",
    "rehearse": "it serves pages until it is stopped",
    "run": "it serves pages until it is stopped; companion status tells its facts",
    "floor": "it serves pages until it is stopped",
    "completion": "it prints a script for a shell",
    "new-game": "it writes a package, and says how to go on",
    "pin": "it prints a secret, on a terminal alone",
}
"""The commands without --json, and why."""

ELSEWHERE = {
    "update": "tests/update: it switches versions, as root",
    "rollback": "tests/update: it switches versions, as root",
    "install": "tests/cli/test_install.py: root adds packages",
    "key": "tests/cli/test_key.py: a key is made once",
    "floors": "tests/cli/test_output.py: a floor has to be paired first",
    "hotspot": "tests/hotspot: it asks NetworkManager",
}
"""The commands whose facts are tested there."""

CASE = ["judge", "case.json"]
ASKED = {
    "status": [["status", "--data", "data"]],
    "logs": [["logs", "--data", "data"]],
    "judge": [CASE, [*CASE, "--otherwise"]],
    "records": [
        ["records", "--data", "data"], ["records", "--data", "data", "--check"],
        ["records", "--data", "data", "--import", "game.jsonl"],
        ["records", "--data", "data", "--export", "g", "--to", "copy.jsonl"],
    ],
    "replay": [["replay", "game.jsonl"], ["replay", "game.jsonl", "--verify"]],
    "arena": [
        ["arena", "robby_solo", "--list"],
        ["arena", "robby_solo", "--games", "2", "--cores", "1", "--strategies", "poorest"],
    ],
    "check-game": [["check-game", "mist", "--games", "1"]],
    "rules": [["rules"]],
    "phases": [["phases"]],
    "texts": [["texts", "mist"]],
    "enrol": [["enrol", "banque_fatale", "--sim", "--deck", "deck.json"]],
    "wiring": [["wiring", "five-readers"]],
    "backup": [["backup", "--data", "data", "--to", "new.zip"]],
    "restore": [
        ["restore", "old.zip", "--data", "data", "--dry-run"],
        ["restore", "old.zip", "--data", "data", "--without-config"],
    ],
    "bundle": [["bundle", "--data", "data", "--to", "bundle.zip"]],
    "doctor": [["doctor", "five-readers", "--sim", "--stage", "reader", "1"]],
}  # fmt: skip
"""What is typed, in this order, in a folder that `furnish` has made."""

WAITS = {
    "play", "rehearse", "run", "floor", "status", "completion", "judge", "records",
    "install", "replay", "arena", "check-game", "texts", "hotspot", "backup", "restore",
    "bundle", "pin", "doctor",
}  # fmt: skip
"""The commands that may work for more than a second before they print anything."""
NEVER_WAITS = {
    "logs": "it prints what another program prints",
    "floors": "it reads a file of a few lines", "key": "it reads or writes a file of a few lines",
    "new-game": "it writes a few small files", "rules": "it prints what is loaded",
    "phases": "it prints what is loaded", "wiring": "it prints what is loaded",
    "enrol": "it talks with the person who lays the cards",
    "update": "the installer prints each of its steps",
    "rollback": "the installer prints each of its steps",
}  # fmt: skip


def parser_of(name: str) -> argparse.ArgumentParser:
    (commands,) = [
        a for a in make_parser(name)._actions if isinstance(a, argparse._SubParsersAction)
    ]
    parser: argparse.ArgumentParser = commands.choices[name]
    return parser


def leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers that read options: those of the parts of a command, or its own."""
    parts = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    yield from [part for a in parts for part in a.choices.values()] or [parser]


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_prints_facts_has_json(name: str) -> None:
    has_json = ["--json" in one._option_string_actions for one in leaves(parser_of(name))]
    assert has_json
    assert all(has_json) if name not in NO_FACTS else not any(has_json)


def test_the_facts_of_each_command_are_tested() -> None:
    assert NO_FACTS.keys() | ELSEWHERE.keys() | ASKED.keys() == COMMANDS.keys()
    assert len(NO_FACTS) + len(ELSEWHERE) + len(ASKED) == len(COMMANDS)


def test_the_page_lists_the_commands_that_tell_programs() -> None:
    page = " ".join((ROOT / "docs/commands.md").read_text("utf-8").split())
    said = page.partition("`--json` prints facts as JSON: ")[2].partition("The names in it")[0]
    listed = {words.split()[0] for words in re.findall(r"`([^`]+)`", said)}
    assert listed == COMMANDS.keys() - NO_FACTS.keys()


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
        assert table.start(rules.start_event("g", ("Ana", "Ben", "Cem")), HOST_AUTHOR) is None
        assert table.request(Ended("late"), HOST_AUTHOR) is None
        record = to_bytes(make_record(journal, "g"))
    (tmp_path / "game.jsonl").write_bytes(record)
    log_path(data).write_text(LOGGED, "utf-8")
    assert main(["backup", "--data", "data", "--to", "old.zip"]) == 0
    write_game(tmp_path, "mist")
    with ExitStack() as packages:
        packages.enter_context(installed("mist-games", {"mist": "mist_game:GAME"}, tmp_path))
        yield tmp_path


LOGGED = """\
2026-03-01 20:00:01,250 INFO companion.app: started port=8000 title="Robby \\u2460" simulated=yes
2026-03-01 20:00:02,000 ERROR companion.table: game_failed game=mist asked=apply
Traceback (most recent call last):
"""


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
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ASKED)
def test_only_json_is_printed_for_programs(
    name: str, language: str, room: Path, capsys: Capture
) -> None:
    (room / "case.json").write_text(example(capsys))
    for words in ASKED[name]:
        told = ask([*words, "--lang", language], capsys)
        assert all(isinstance(each, dict | list) and each for each in told), (words, told)


def example(capsys: Capture) -> str:
    capsys.readouterr()
    assert main(["judge", "--example", "robby_solo"]) == 0
    return capsys.readouterr().out


CHANGES_NOTHING = (
    "status", "logs", "judge", "replay", "rules", "phases", "wiring", "doctor", "texts",
    "check-game",
)  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize("name", CHANGES_NOTHING)
def test_the_names_are_the_same_in_every_language(name: str, room: Path, capsys: Capture) -> None:
    (room / "case.json").write_text(example(capsys))
    for words in ASKED[name]:
        told = [names_in(ask([*words, "--lang", each], capsys)) for each in LANGUAGES]
        assert told == [told[0]] * len(LANGUAGES)


def test_lines_of_the_log_are_told_as_facts(room: Path, capsys: Capture) -> None:
    started, failed, traceback = ask(ASKED["logs"][0], capsys)
    assert isinstance(started, dict)
    assert started["at"].startswith("2026-03-01T20:00:01.25")
    assert (started["level"], started["logger"]) == ("info", "companion.app")
    assert started["event"] == "started"
    assert started["facts"] == {"port": "8000", "title": "Robby ①", "simulated": "yes"}
    assert isinstance(failed, dict)
    assert failed["facts"] == {"game": "mist", "asked": "apply"}
    assert isinstance(traceback, dict)
    assert (traceback["event"], traceback["facts"]) == ("", {})
    assert traceback["text"] == "Traceback (most recent call last):"


@pytest.mark.parametrize(
    ("told", "level", "logger", "event", "text"),
    [
        ("companion.table: reader_lost place=3", "warning", "companion.table", "reader_lost",
         "reader_lost place=3"),
        ("Stopped companion.service.", "warning", "", "", "Stopped companion.service."),
        (list(b"bad: \xff"), "warning", "bad", "", "\ufffd"),
        (None, "warning", "", "", ""),
    ],
)  # fmt: skip
def test_lines_of_the_systems_journal_are_told_alike(
    told: object, level: str, logger: str, event: str, text: str
) -> None:
    entry = {"__REALTIME_TIMESTAMP": "1772388001250000", "PRIORITY": "4", "MESSAGE": told}
    line = read_journal_line(json.dumps(entry))
    assert (line.level, line.logger, line.event, line.text) == (level, logger, event, text)
    assert datetime.fromisoformat(line.at) == datetime.fromtimestamp(1772388001.25, UTC)
    assert line.facts == ({"place": "3"} if event else {})


def test_a_command_that_prints_lines_is_told_line_by_line() -> None:
    heard = list[str]()
    assert run_telling(["printf", "one\\ntwo\\n"], heard.append) == 0
    assert heard == ["one", "two"]
    assert run_telling(["false"], heard.append) == 1


def test_what_a_backup_is_and_became_is_told(room: Path, capsys: Capture) -> None:
    ((written,), (tried,), (restored,)) = [
        ask(words, capsys) for words in (*ASKED["backup"], *ASKED["restore"])
    ]
    assert isinstance(written, dict)
    assert Path(written["file"]).stat().st_size == written["bytes"]
    assert isinstance(tried, dict)
    assert (tried["restored"], tried["members"]) == (False, written["members"])
    assert isinstance(restored, dict)
    assert restored["restored"]
    assert (room / restored["kept"]).is_file()


def waits(module: str) -> bool:
    """Whether a command shows that it is at work, itself or by how it starts the companion."""
    path = ROOT / f"{module.replace('.', '/')}.py"
    called = {
        getattr(node.func, "id", getattr(node.func, "attr", ""))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    }
    return not called.isdisjoint({"waiting", "waited", "start_companion"})


def test_each_command_shows_that_it_is_at_work_or_is_at_once_done() -> None:
    assert WAITS | NEVER_WAITS.keys() == COMMANDS.keys()
    assert {name for name in COMMANDS if waits(module_of(name))} == WAITS


CLEAR = re.escape(progress.CLEAR)
SHOWN = re.compile(rf"(({CLEAR}Working for \d+ s …\r)+{CLEAR})*")
"""Nothing else goes there, and whatever is shown is taken away."""
SLOW = ("arena", "check-game", "doctor")
"""Those that work for so long on any machine that something is shown."""


@pytest.mark.wide
@pytest.mark.parametrize("name", sorted(WAITS & {*ASKED}))
def test_on_a_terminal_the_seconds_are_shown(
    name: str, room: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (room / "case.json").write_text(example(capsys))
    monkeypatch.setattr(progress, "PATIENCE", 1e-4)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    capsys.readouterr()
    assert main(ASKED[name][-1]) in (0, 1)
    heard = capsys.readouterr()
    assert SHOWN.fullmatch(heard.err), heard.err
    assert "Working" in heard.err or name not in SLOW
    assert "Working" not in heard.out
