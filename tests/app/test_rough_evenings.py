"""Rough evenings at the simulated table: every verdict is the judge's. More in `make bars`."""

from pathlib import Path

import pytest

from companion.core.table_events import Undone
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.campaign import IS_LARGE
from tests.worlds.left_open import closed_later
from tests.worlds.own_games import own_games
from tests.worlds.rough_evening import Rough
from tests.worlds.simulated_hands import deal, presence_profile, simulated


@pytest.mark.wide
@pytest.mark.parametrize("game", own_games())
@pytest.mark.parametrize("seed", range(1, 9) if IS_LARGE else [1, 2])
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


def test_tiles_whose_turning_is_undone_come_up_again(tmp_path: Path) -> None:
    evening = simulated(closed_later(Journal(tmp_path / "journal.sqlite3")))
    assert deal(evening) is None
    table = evening.host.table
    assert evening.source.move_pieces(table.state.active, "tile_turned", {})
    while table.state.phase != "tile":
        assert evening.bots.play_one()
    for _ in range(8):  # More often than tiles lie face down.
        assert evening.source.move_pieces(table.state.active, "tile_turned", {})
        assert table.request(Undone(table.version, "agreed"), HOST_AUTHOR) is None
        evening.source.poll()
    evening.source.close()
