"""The plug is pulled at random moments, and bots play on after each start. More in `make bars`."""

from pathlib import Path

import pytest

from companion.games import game_names
from tests.worlds.campaign import pick
from tests.worlds.power_cut import Plug


@pytest.mark.parametrize("game", game_names())
def test_what_was_acknowledged_outlives_the_plug(tmp_path: Path, game: str) -> None:
    plug = Plug(tmp_path, game, seed=1)
    for _ in range(pick(4, 8, 40)):
        plug.pull()
    while len(plug.acknowledged) < 20:
        plug.pull(longest=2.0)
