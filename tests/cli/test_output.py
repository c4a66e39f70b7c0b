"""What commands print for programs and for terminals: JSON alone, colours on a terminal alone."""

import json

import pytest

from companion.cli import main
from companion.core.i18n import LANGUAGES
from companion.games import find_game, game_names

Capture = pytest.CaptureFixture[str]


def test_the_doctor_tells_programs_what_it_tells_people(capsys: Capture) -> None:
    stage = ["doctor", "--profile", "five-readers", "--sim", "--stage", "reader", "1"]
    status = main(stage)
    table = capsys.readouterr().out
    assert main([*stage, "--json"]) == status
    told = json.loads(capsys.readouterr().out)
    assert {line["state"] for line in told["lines"]} <= {"good", "bad", "doubtful", "skipped"}
    assert all(line["what"] in table and line["said"] in table for line in told["lines"])
    assert told["summary"] in table


def test_wires_and_rules_are_told_to_programs(capsys: Capture) -> None:
    assert main(["wiring", "--profile", "five-readers", "--json", "--lang", "de"]) == 0
    wires = json.loads(capsys.readouterr().out)
    assert main(["wiring", "--profile", "five-readers", "--lang", "de"]) == 0
    table = capsys.readouterr().out
    assert len(wires) > 20
    assert all(wire[end] in table for wire in wires for end in ("wire", "from", "to"))
    for language in LANGUAGES:
        assert main(["rules", "--json", "--lang", language]) == 0
        told = json.loads(capsys.readouterr().out)
        assert [game["game"] for game in told] == list(game_names())
        for game in told:
            rules = find_game(game["game"]).rules
            assert game["rules"].keys() == rules.rules.keys()
            assert game["house_rules"].keys() == rules.house_rules.keys()
            for name, asked in game["house_rules"].items():
                assert asked["default"] in asked["answers"], name
