"""The help of every command, and the language in which commands speak."""

import argparse
from collections.abc import Iterator

import pytest

from companion.cli import COMMANDS, find_language, main, make_parser


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


def test_a_word_that_is_no_option_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rules", "--hilfe"])
    assert "--hilfe" in capsys.readouterr().err


def test_an_option_counts_more_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "fr:de")
    assert find_language(["rules"]) == "fr"
    assert find_language(["rules", "--lang", "de"]) == "de"
    assert find_language(["rules", "--lang=en"]) == "en"
    monkeypatch.setenv("LANGUAGE", "pt:de")
    assert find_language(["rules", "--lang=es"]) == "de"
    monkeypatch.setenv("LANGUAGE", "C")
    assert find_language([]) == "en"
