"""The game of a command: one that is not there, or cannot be used, is explained in one sentence."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.games import game_names
from tests.worlds.installed_games import installed, write_game, write_module

Capture = pytest.CaptureFixture[str]
COMMANDS = (
    ("play", "{}"), ("run", "{}"), ("enrol", "{}"), ("rules", "{}"),
    ("check-game", "{}"), ("judge", "--example", "{}"),
)  # fmt: skip
commands = pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])


def last_line(words: tuple[str, ...], game: str, capsys: Capture) -> str:
    """Run a command that cannot be parsed; the line that says why."""
    with pytest.raises(SystemExit) as end:
        main([word.format(game) for word in words])
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert "invalid choice" not in told
    assert "Traceback" not in told
    return told.splitlines()[-1]


@commands
def test_a_game_that_is_not_here_is_told_with_those_that_are(
    words: tuple[str, ...], capsys: Capture
) -> None:
    known = ", ".join(game_names())
    said = last_line(words, "chess\x1b[2J", capsys)
    assert said.endswith(f"There is no game “chess\\x1b[2J” here; these are: {known}.")


@commands
def test_a_broken_game_is_told_in_its_own_sentence(
    words: tuple[str, ...], capsys: Capture, tmp_path: Path
) -> None:
    write_module(tmp_path, "fog", "raise ValueError('no fog today')")
    with installed("fog-games", {"fog": "fog_game:GAME"}, tmp_path):
        assert last_line(words, "fog", capsys).endswith(
            "The game fog of the package fog-games cannot be loaded. "
            "ValueError: no fog today (__init__.py, line 1)."
        )


def test_a_game_without_disputes_has_no_example(capsys: Capture, tmp_path: Path) -> None:
    write_game(tmp_path, "mist")
    with installed("mist-games", {"mist": "mist_game:GAME"}, tmp_path):
        assert main(["judge", "--example", "mist"]) == 2
    assert "has no disputes of its own." in capsys.readouterr().err
