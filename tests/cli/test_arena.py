"""`companion arena`: strategies compared on the command line."""

import json

import pytest

from companion.cli import main

Captured = pytest.CaptureFixture[str]
QUICK = ("arena", "robby_solo", "--games", "6", "--cores", "1")


def test_the_arena_prints_each_strategy_with_its_interval(
    capsys: Captured,
) -> None:
    assert main([*QUICK, "--strategies", "poorest", "second"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["poorest", "second"]
    assert all("6 games against strong" in line and "…" in line for line in lines)


def test_a_comparison_is_the_same_on_any_number_of_cores(capsys: Captured) -> None:
    told = []
    for cores in ("1", "2"):
        words = [*QUICK[:-1], cores, "--strategies", "anywhere", "--json", "--seed", "9"]
        assert main(words) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0]["games"] == 6


def test_the_strategies_are_listed_with_what_they_do(capsys: Captured) -> None:
    assert main(["arena", "banque_fatale", "--list"]) == 0
    assert "always four chips" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--strategies", "reckless"), "“reckless” is no strategy"),
        (("--against", "reckless"), "“reckless” is no strategy"),
        (("--seats", "9"), "--seats goes from 3 to 6"),
        (("--games", "0"), "--games is a number from 1 on"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(
    words: tuple[str, ...], said: str, capsys: Captured
) -> None:
    assert main([*QUICK, *words]) == 2
    assert said in capsys.readouterr().err
