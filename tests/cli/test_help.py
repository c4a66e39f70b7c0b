"""The help of every command, in three languages; what argparse says is in them too."""

import argparse
import ast
import gettext
import inspect
from collections.abc import Iterator

import pytest

from companion.cli import COMMANDS, main, make_parser
from companion.cli.language import (
    COUNTED_PARSER_WORDS,
    PARSER_WORDS,
    find_language,
    spoken_by_argparse,
)
from companion.core.catalogues import COMPANION
from companion.core.i18n import LANGUAGES

Capture = pytest.CaptureFixture[str]
PROGRAMMERS = (
    "dest=", "conflict", "cannot", "is not callable", "not defined", "invalid option string",
    "mutually exclusive arguments must", "'required' is an invalid", 'argument "-" with mode',
    "different options", "deprecated", "%(prog)s: warning: ",
    "(default: ",
)  # fmt: skip
"""What argparse says to those who write a program."""


def list_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser, those of its commands, and those of their parts."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from list_parsers(each)


def sentences(name: str) -> Iterator[tuple[str, object]]:
    """A command and its parts, and the arguments of each, with their help, as argparse says it."""
    top, *parsers = list_parsers(make_parser(name))
    assert top.prog == "companion"
    own = [parser for parser in parsers if parser.prog.split()[1] == name]
    assert own
    for parser in own:
        yield parser.prog, parser.description
        for action in parser._actions:
            if action.help != argparse.SUPPRESS:
                yield f"{parser.prog} {action.dest}", action.help


@pytest.mark.parametrize("name", COMMANDS)
def test_each_argument_has_help_in_three_languages(name: str) -> None:
    told = {}
    for language in LANGUAGES:
        with spoken_by_argparse(language):
            told[language] = dict(sentences(name))
    for argument, english in told["en"].items():
        assert english, argument
        unlike = {told[language][argument] for language in LANGUAGES}
        assert len(unlike) == 3 or str(english).startswith(("%(choices)", "one of %(")), argument


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_value_has_a_name_that_is_translated(language: str) -> None:
    with spoken_by_argparse(language):
        for parser in list_parsers(make_parser(*COMMANDS)):
            for action in parser._actions:
                is_shown = action.nargs != 0 and action.help != argparse.SUPPRESS
                assert not is_shown or action.metavar or action.choices, (parser.prog, action.dest)


@pytest.mark.parametrize(("language", "said"), [("en", "usage: "), ("fr", "usage\u00a0: "),
                                               ("de", "Aufruf: ")])  # fmt: skip
def test_the_terminal_decides_the_language(
    language: str, said: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    with pytest.raises(SystemExit):
        main(["rules", "--help"])
    assert capsys.readouterr().out.startswith(said)
    with pytest.raises(SystemExit):
        main(["--lang", "en", "rules", "--hilfe"])
    assert "unrecognized arguments: --hilfe" in capsys.readouterr().err


def test_an_option_counts_more_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "fr:de")
    assert find_language(["rules"]) == "fr"
    assert find_language(["rules", "--lang", "de"]) == "de"
    assert find_language(["rules", "--lang=en"]) == "en"
    monkeypatch.setenv("LANGUAGE", "pt:de")
    assert find_language(["rules", "--lang=es"]) == "de"
    monkeypatch.setenv("LANGUAGE", "C")
    assert find_language([]) == "en"


def test_argparse_has_no_word_that_we_do_not_translate() -> None:
    spoken = [one for one, _ in COUNTED_PARSER_WORDS]
    named = {*PARSER_WORDS, *spoken, "subcommands", "%(heading)s:"}
    for node in ast.walk(ast.parse(inspect.getsource(argparse))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext"):
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                text = first.value
                assert text in named or any(each in text for each in PROGRAMMERS), text


def test_argparse_speaks_english_again_afterwards() -> None:
    with spoken_by_argparse("de"):
        assert gettext.gettext("options") == "Optionen"
    assert gettext.gettext("options") == "options"
    assert COMPANION.find_file("de", ".mo").exists()
