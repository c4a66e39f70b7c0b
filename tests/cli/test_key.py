"""`companion key`: a key is shown once, listed by name, and revoked."""

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.identity.api_keys import ApiKeys

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "journal.sqlite3").touch()
    return tmp_path


def test_a_key_is_made_listed_and_revoked(folder: Path, capsys: Capture) -> None:
    assert main(["key", "new", "scores", "--data", str(folder)]) == 0
    made = capsys.readouterr()
    key = made.out.strip()
    found = ApiKeys(folder).find_key(key)
    assert found is not None
    assert (found.name, found.may) == ("scores", "read")
    assert key not in made.err
    assert main(["key", "list", "--data", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"name": "scores", "may": "read"}]
    assert main(["key", "revoke", "scores", "--data", str(folder)]) == 0
    assert ApiKeys(folder).find_key(key) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new", "scores"], "There is a key scores already: revoke it first."),
        (["new", "two words"], "not “two words”."),
        (["revoke", "other"], "There is no key other."),
        (["new"], "NAME goes with new and revoke, and only there."),
        (["list", "scores"], "NAME goes with new and revoke, and only there."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    words: list[str], said: str, folder: Path, capsys: Capture
) -> None:
    ApiKeys(folder).make_key("scores", "host")
    assert main(["key", *words, "--data", str(folder)]) == 2
    assert capsys.readouterr().err.endswith(f"{said}\n")


def test_there_is_no_key_without_a_table(tmp_path: Path, capsys: Capture) -> None:
    assert main(["key", "list", "--data", str(tmp_path / "none")]) == 2
    assert "There is no table in" in capsys.readouterr().err
