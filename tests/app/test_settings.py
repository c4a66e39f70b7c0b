"""The config file of the service: every key is an option of `run`, and nothing else is believed."""

import argparse
import re
from pathlib import Path

import pytest

from companion.app.settings import KEYS, read_config
from companion.cli import add_language_option, main, run
from tests.worlds.paths import ROOT

EXAMPLE = ROOT / "systemd/companion.toml"
PIN_TWICE = 'title = "mine"\n[buttons]\n1 = 4\n[lamps]\n1 = 4\n'


def chosen(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    run.add_arguments(parser)
    add_language_option(parser)
    return parser.parse_args(words)


def test_the_example_explains_every_key_and_no_other() -> None:
    explained = re.findall(r"^#?(\w+) = ", EXAMPLE.read_text("utf-8"), re.MULTILINE)
    assert explained == list(KEYS)
    assert set(read_config(EXAMPLE)) == {"address", "port", "demo"}


def test_every_key_is_an_option_of_run() -> None:
    assert set(KEYS) <= set(vars(chosen("--lang", "en")))


def test_what_the_file_says_is_as_if_it_had_been_typed(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('game = "robby_solo"\nport = 80\nlang = "fr"\ndemo = true\n')
    options = chosen("--config", str(file), "--lang", "de")
    assert (options.game, options.port, options.demo) == ("robby_solo", 80, True)
    assert (options.lang, options.address) == ("de", "127.0.0.1"), "the last word; the default"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 8000", "has an unknown key, prot; the keys are game, profile, address, port"),
        ("port = true", "the key port is True; write one of 1–65535."),
        ("port = 65536", "the key port is 65536; write one of 1–65535."),
        ('address = "my table"', "the key address is my table; write one of 0.0.0.0, 127.0.0.1."),
        ('lang = ["de"]', "the key lang is ['de']; write one of en, fr, de."),
        ('game = "chess"', "the key game is chess; write one of bankueberfall"),
        ('profile = "nine"', "There is no wiring profile 'nine'"),
        ('profile = "mine.toml"', "BCM 4 (header pin 7) has two uses"),
        ("port 8000", "cannot be understood: "),
        ("\xff", "is not UTF-8 text."),
    ],
)
def test_what_cannot_be_is_one_sentence(
    text: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(PIN_TWICE)
    Path("config.toml").write_text(text, "latin-1")
    with pytest.raises(SystemExit) as left:
        main(["run", "--config", "config.toml"])
    printed = capsys.readouterr().err
    assert left.value.code == 2
    assert said in printed
    assert printed.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--config", "/nowhere.toml"])
    assert "/nowhere.toml cannot be read: No such file or directory." in capsys.readouterr().err
