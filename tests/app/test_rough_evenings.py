"""Rough evenings at the simulated table: every verdict is the judge's. More in `make bars`."""

from pathlib import Path

import pytest

from tests.worlds.campaign import IS_LARGE
from tests.worlds.own_games import own_games
from tests.worlds.rough_evening import Rough
from tests.worlds.simulated_hands import presence_profile

TILES_TURNED_BACK = 22
"""In this evening of Banküberfall the last tile is turned and undone: all come up again."""


@pytest.mark.wide
@pytest.mark.parametrize("game", own_games())
@pytest.mark.parametrize("seed", range(1, 23) if IS_LARGE else [1, TILES_TURNED_BACK])
def test_a_rough_evening_ends_and_every_verdict_is_the_judges(
    tmp_path: Path, game: str, seed: int
) -> None:
    evening = Rough(tmp_path / "journal.sqlite3", game, seed).play()
    evening.close()
    assert evening.wrong == []
    assert evening.verdicts["judged alike"] > 8
    assert evening.happened["strayed"] + evening.happened["died"] > 0


@pytest.mark.wide
@pytest.mark.parametrize("game", own_games() if IS_LARGE else ["robby_solo"])
@pytest.mark.parametrize("seed", range(1, 9) if IS_LARGE else [1])
def test_piles_over_readers_silence_each_other_and_decide_no_verdict(
    tmp_path: Path, game: str, seed: int
) -> None:
    path, wiring = tmp_path / "journal.sqlite3", presence_profile()
    evening = Rough(path, game, seed, rough=False, wiring=wiring).play()
    evening.close()
    assert evening.wrong == []
    assert evening.verdicts["judged alike"] > 8
