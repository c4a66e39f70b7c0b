"""`companion league`: a league of one evening, from the command line alone."""

import re
from pathlib import Path

import pytest

from companion.cli import main
from companion.league.store import LeagueStore
from companion.records.format import to_bytes
from tests.worlds.league_folder import begin_for

Captured = pytest.CaptureFixture[str]


def test_a_league_is_founded_played_and_proven(tmp_path: Path, capsys: Captured) -> None:
    folder = str(tmp_path / "league")

    def league(part: str, *words: str) -> tuple[int, str]:
        status = main(["league", part, folder, *words])
        told = capsys.readouterr()
        return status, told.out + told.err

    assert league("new", "--title", "Thursday", "--game", "robby_solo", "--seats", "3")[0] == 0
    assert "points of the places are kept" in league("points", "5,3,1")[1]
    for name in ("Ana", "Ben"):
        assert league("join", name, "--agrees")[0] == 0
    assert "Member 3 has joined." in league("join")[1]
    assert league("join", "Cem") == (
        2, "companion league: Cem is kept only if the member agrees that the league shows it.\n"
    )  # fmt: skip
    status, paired = league("pair")
    assert status == 0
    assert len(re.findall(r"^  [123]  (Ana|Ben|member 3)$", paired, re.MULTILINE)) == 3
    assert league("pair", "--again")[1] == paired
    sheet = LeagueStore(Path(folder)).read_league().open_sheets[0]
    record = tmp_path / "game.jsonl"
    record.write_bytes(to_bytes(begin_for(sheet.code, 1)))
    status, told = league("add", str(record))
    assert (status, "Counted: round 1, table 1." in told) == (0, True)
    status, told = league("add", str(record))
    assert (status, "the league has it already" in told) == (1, True)
    assert league("points", "1,0")[0] == 2
    assert league("standings", "--csv")[1].startswith("place,member,name,points")
    assert league("standings", "--lang", "de")[1].count("Fingerabdruck") == 1
    assert league("leave", "Ana")[0] == 0
    assert "a former member" in league("standings")[1]
    status, told = league("verify")
    assert (status, "Proven:" in told) == (0, True)
    words = re.findall(r"fingerprint: (.*)\.", told)[0]
    assert league("verify", "--fingerprint", words)[0] == 0
    (Path(folder) / "records" / "evening.jsonl").write_bytes(record.read_bytes())
    status, told = league("verify", "--fingerprint", "0000 0000 0000 0000")
    assert status == 1
    assert "✗ evening.jsonl: This is the game of round 1, table 1, and the league" in told
    assert "✗ book.jsonl: None of the fingerprints" in told


def test_points_are_numbers(tmp_path: Path, capsys: Captured) -> None:
    words = ["league", "new", str(tmp_path), "--title", "x", "--game", "robby_solo"]
    assert main([*words, "--points", "5,a"]) == 2
    assert "numbers with commas" in capsys.readouterr().err
