"""A package whose game cannot be used: one sentence says so, and the others play on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.i18n import LANGUAGES, get_language
from companion.games import broken_games, game_names, make_rulebook
from tests.worlds.installed_games import installed, write_game, write_module

OURS = game_names()
IMPORTS = {
    "an import that fails": ("import no_such_library", "No module named 'no_such_library'"),
    "an exit": ("import sys; sys.exit('bye')", "SystemExit: bye"),
    "an error that is empty": ("raise ValueError", "(__init__.py, line 1)"),
    "a wrong syntax": ("def def", "SyntaxError: "),
    "no such object": ("", "AttributeError: "),
    "something else": ("GAME = 3", "Its entry point does not lead to a game."),
    "control characters": ("raise ValueError('\\x1b[2J\\rred')", "ValueError: \\x1b[2J\\rred"),
    "a long text": ("raise ValueError('x' * 100_000)", "xxx…"),
}
FAULTS = {
    "another version": ("MORE = {'api': 99}", "It was made for version 99 of the companion’s"),
    "no words": ("MORE = {'words': None}", "TypeError: "),
    "no rules": ("MORE = {'rules': 7}", "AttributeError: "),
}


@contextmanager
def broken(folder: Path, name: str = "fog", target: str = "fog_game:GAME") -> Iterator[str]:
    """Install a package that cannot be used; the sentence about it."""
    with installed("fog-games", {name: target}, folder):
        yield the_sentence()


def the_sentence() -> str:
    """The one sentence, the same for people in every language; ours can be played."""
    assert game_names() == OURS
    [found] = broken_games()
    for code in LANGUAGES:
        told = get_language(code)(found.say)
        assert not {"\n", "\r", "\x1b"} & {*told}
        assert len(told) < 600
    return get_language("en")(found.say)


@pytest.mark.parametrize("kind", IMPORTS)
def test_a_module_that_cannot_be_used_is_explained(kind: str, tmp_path: Path) -> None:
    code, reason = IMPORTS[kind]
    write_module(tmp_path, "fog", code)
    with broken(tmp_path) as told:
        assert told.startswith("The game fog of the package fog-games cannot be loaded. ")
        assert reason in told
    assert broken_games() == ()


@pytest.mark.parametrize("kind", FAULTS)
def test_a_game_that_does_not_fit_is_explained(kind: str, tmp_path: Path) -> None:
    more, reason = FAULTS[kind]
    write_game(tmp_path, "fog", more=more)
    with broken(tmp_path) as told:
        assert reason in told


def test_a_fault_in_the_box_is_explained_in_its_own_sentence(tmp_path: Path) -> None:
    box = write_game(tmp_path, "fog") / "box.toml"
    box.write_text(box.read_text("utf-8").replace("year =", "yeer ="), "utf-8")
    with broken(tmp_path) as told:
        assert told.startswith("The game fog of the package fog-games cannot be loaded. ")
        assert "yeer" in told or "year" in told
    box.unlink()
    with broken(tmp_path) as told:
        assert "box.toml" in told


@pytest.mark.parametrize("name", ["robby_solo", "bankueberfall"])
def test_the_first_of_two_games_of_a_name_is_played(name: str, tmp_path: Path) -> None:
    ours = make_rulebook(name).box
    write_game(tmp_path, "fog")
    with broken(tmp_path, name) as told:
        assert told == (
            f"The game {name} of the package fog-games cannot be loaded. The package"
            " table-companion brings a game of the same name."
        )
        assert make_rulebook(name).box is ours


@pytest.mark.parametrize("name", ["../../etc", "a b", "Ü", "x" * 60, "<b>", "\x1b[2J", "a.b"])
def test_a_name_that_fits_into_no_path_and_no_page_is_refused(name: str, tmp_path: Path) -> None:
    write_game(tmp_path, "fog")
    with broken(tmp_path, name) as told:
        assert "Its name is not made of small letters, digits and underscores" in told


def test_a_game_that_calls_itself_otherwise_is_refused(tmp_path: Path) -> None:
    write_game(tmp_path, "fog")
    with broken(tmp_path, "mist") as told:
        assert told.endswith("It calls itself fog.")


# Where it is told.


def test_the_doctor_names_it_and_lets_the_table_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_module(tmp_path, "fog", "raise ValueError('no fog today')")
    with broken(tmp_path) as told:
        assert main(["doctor", "--sim"]) == 0
        row = next(line for line in capsys.readouterr().out.splitlines() if "fog" in line)
        assert row.split() == ["Games", "doubtful", *told.split()]
    assert main(["doctor", "--sim"]) == 0
    assert "Games" not in capsys.readouterr().out
