"""The help of every command, and the language in which commands speak."""

import argparse
from collections.abc import Iterator

import pytest

from companion.cli import COMMANDS, main, make_parser


def list_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser, those of its commands, and those of their parts."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from list_parsers(each)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_argument_has_help_and_each_value_a_name(name: str) -> None:
    for parser in list_parsers(make_parser(name)):
        for action in parser._actions:
            if action.help != argparse.SUPPRESS:
                where = (parser.prog, action.dest)
                assert action.help or isinstance(action, argparse._SubParsersAction), where
                assert action.nargs == 0 or action.metavar or action.choices, where
        assert parser.format_help()


def test_without_a_command_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n    {name} " not in told] == []


@pytest.mark.parametrize(
    ("terminal", "words", "spoken"),
    [("fr:de", [], "fr"), ("fr:de", ["--lang", "de"], "de"), ("fr", ["--lang=en"], "en"),
     ("pt:de", [], "de"), ("C", [], "en")],
)  # fmt: skip
def test_an_option_counts_more_than_the_terminal(
    terminal: str,
    words: list[str],
    spoken: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LANGUAGE", terminal)
    assert main([*words, "rules", "robby_solo"]) == 0
    before = capsys.readouterr().out
    assert main(["rules", "robby_solo", *words]) == 0
    assert capsys.readouterr().out == before
    assert main(["rules", "robby_solo", "--lang", spoken]) == 0
    assert capsys.readouterr().out == before
