"""`companion doctor --speed`: a table of its own is measured, and its report says what it means."""

import re
from pathlib import Path

import pytest

from companion.app.speed.check import COLUMNS, SpeedReport, SpeedRow, check_speed
from companion.app.speed.client import Client, Heard, HeardRequest, find_client
from companion.app.speed.measure import Audience
from companion.cli import main
from companion.core.i18n import LANGUAGES, Message, get_language

PLAIN = Client(["viewers"], "Python", True)
Capture = pytest.CaptureFixture[str]


def heard_by(viewers: int, *reached: int) -> Heard:
    """What a client heard of as many requests: answers after 2 ms, the last viewer after 9."""
    requests = [
        HeardRequest(True, 204, 2_000_000, 4_000_000, 9_000_000, each, 5_500_000, 800 * viewers)
        for each in reached
    ]
    return Heard(viewers, 4000, False, requests, 600_000)


def report_of(ours: Heard, bare: Heard) -> SpeedReport:
    return SpeedReport([SpeedRow("Robby Solo", Audience(6), ours, bare)], PLAIN)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_report_has_a_row_for_each_measurement(code: str) -> None:
    report, words = report_of(heard_by(6, 6, 6), heard_by(6, 6, 6)), get_language(code)
    head, row, *remarks = report.render_table(words).splitlines()
    assert all(words(Message(column)) in head for column in COLUMNS)
    assert row.split() == ["Robby", "Solo", "6", "2.0", "4.0", "9.0", "9.0", "5.5", "9.0", "1.0"]
    assert len(head) == len(row)
    assert any("Python" in remark and re.search(r"0\.3\sms", remark) for remark in remarks)
    assert report.exit_status == 0


def test_a_change_that_did_not_reach_every_page_is_bad() -> None:
    report = report_of(heard_by(6, 6, 5, 6), heard_by(6, 6, 6, 6))
    assert report.exit_status == 1
    assert "did not reach every page within 5 seconds: 1." in report.render_table(
        get_language("en")
    )


def test_what_the_bare_table_misses_is_not_ours() -> None:
    assert report_of(heard_by(6, 6, 6), heard_by(6, 5, 6)).exit_status == 0


def test_without_a_compiler_the_client_is_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    client = find_client(tmp_path)
    assert client.language == "Python"


@pytest.mark.wide
def test_recorded_games_are_measured_beside_the_bare_table() -> None:
    said: list[Message] = []
    report = check_speed(said.append, (Audience(4),), requests=3)
    assert [row.title for row in report.rows] == ["Banque Fatale", "Robby Solo"]
    assert len(said) == 2
    for row in report.rows:
        for heard in (row.ours, row.bare):
            assert len(heard.requests) == 3
            assert {(each.status, each.reached) for each in heard.counted} == {(204, 4)}
            assert all(each.answer > 0 and each.cpu > 0 for each in heard.requests)
    assert report.exit_status == 0


@pytest.mark.parametrize("other", [["--sim"], ["five-readers"], ["--stage", "power"]])
def test_speed_is_measured_alone(other: list[str], capsys: Capture) -> None:
    assert main(["doctor", "--speed", *other]) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert "--speed" in heard.err


@pytest.mark.wide
def test_the_doctor_prints_the_report(capsys: Capture) -> None:
    assert main(["doctor", "--speed"]) == 0
    heard = capsys.readouterr()
    assert heard.out.count("Robby Solo") == 2
    assert heard.err.count("Measuring Robby Solo") == 2
