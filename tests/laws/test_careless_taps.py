"""Tap banks: whole games by careless people end with true verdicts."""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.worlds.campaign import IS_WIDE, pick
from tests.worlds.careless_people import Careless

GAMES = pick(1, 2, 150)
"""For each of the two games with piles."""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", ["bankueberfall", "robby_solo"])
def test_forgotten_doubled_and_misplaced_taps_decide_no_verdict(tmp_path: Path, game: str) -> None:
    happened, verdicts = Counter[str](), Counter[str]()
    for seed in range(GAMES):
        path = tmp_path / f"{seed}.sqlite3"
        with closing(Careless(path, game, seed)) as evening:
            evening.play()
            assert evening.wrong == []
            happened += evening.happened
            verdicts += evening.verdicts
    assert verdicts["judged alike"] > 0, verdicts
    assert sum(happened.values()) > 0
    assert not IS_WIDE or {"forgotten", "misplaced", "doubled"} <= happened.keys()
