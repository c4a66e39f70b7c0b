"""Piles in the physical air: what falls silent under others never counts as gone."""

from pathlib import Path

import pytest

from tests.worlds.campaign import pick
from tests.worlds.silent_piles import HEIGHTS, SilentPile

PILES = pick(1, 2, 10)
"""Of each height; `bench.silent_soak` plays more."""


@pytest.mark.parametrize("height", pick((3, 6), HEIGHTS, HEIGHTS))
def test_no_card_of_a_pile_is_told_to_have_left_and_the_sweep_finds_the_true_cards(
    tmp_path: Path, height: int
) -> None:
    for n in range(PILES):
        pile = SilentPile(tmp_path / f"{n}.sqlite3", 5 * n + HEIGHTS.index(height))
        found = pile.play(height)
        pile.end()
        assert (found.told_gone, found.is_true) == (0, True), found
        assert found.heard[0], found
