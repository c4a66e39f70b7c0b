"""A run that was kept is checked again as it was."""

import math
from pathlib import Path

from bench.nemesis.attempts import Attempt, Death, Recorder
from bench.nemesis.kept import VIEWS, Run, keep_run, read_run
from bench.nemesis.looks import Looks, read_look
from tests.worlds.nemesis_history import LongHistory

VIEW = {"at": 3, "public": {"id": "g1"}, "mine": {}, "may": [], "table": {"lamps": []}}


def test_a_long_history_is_read_as_it_was_kept(tmp_path: Path) -> None:
    history = LongHistory(3, 60.0)
    run = Run(4711, "robby_solo", [Death(2.5, power_cut=True)], ["500: GET /"], {"kills": 3})
    keep_run(tmp_path, run, history.attempts)
    assert read_run(tmp_path) == (run, history.attempts)
    assert any(math.isinf(each.returned) for each in history.attempts)


def test_a_view_is_kept_with_its_place(tmp_path: Path) -> None:
    recorder = Recorder(Looks(tmp_path / VIEWS))
    attempt = recorder.begin(Attempt("ana", "seat_view", 2))
    recorder.end(attempt, 200, VIEW)
    keep_run(tmp_path, Run(1, "robby_solo", [], [], {}), recorder.closed())
    _, (again,) = read_run(tmp_path)
    assert again == attempt
    expected = {name: part for name, part in VIEW.items() if name != "table"}
    assert read_look(tmp_path / VIEWS, again.answer) == expected
