"""What docs/ shows is drawn from the code, and is today's."""

import json
import re
from pathlib import Path

import pytest

from companion.cards import KINDS
from companion.cli import main
from companion.games import rulebook

DOCS = Path(__file__).parents[1] / "docs"
JUDGE = (DOCS / "judge.md").read_text("utf-8")
CASES = re.findall(r"```json\n(.*?)```", JUDGE, re.DOTALL)


def test_the_phase_tables_in_docs_are_drawn_from_the_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["phases", "--markdown"]) == 0
    assert capsys.readouterr().out == (DOCS / "phases.md").read_text("utf-8")


@pytest.mark.parametrize("case", CASES)
def test_every_case_in_docs_is_judged(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    path.write_text(case, "utf-8")
    assert main(["judge", "--json", str(path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert all(f"`{field}`" in JUDGE for field in answer if field != "steps"), answer.keys()


@pytest.mark.parametrize("game", KINDS)
def test_a_phase_table_can_be_printed(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["phases", game]) == 0
    printed = capsys.readouterr().out
    for row in rulebook(game).rows:
        assert f"{row.phase} " in printed
        assert f" {row.rule} " in printed


@pytest.mark.parametrize("game", KINDS)
@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_rules_can_be_printed(game: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", game, "--lang", lang]) == 0
    printed = capsys.readouterr().out
    for row in rulebook(game).rows:
        assert row.rule in printed
    for name, choices in rulebook(game).box.house_rules.items():
        assert name in printed
        assert all(choice in printed for choice in choices)
