"""The computed couplings: the figures known from elsewhere, and what is stored of them."""

import random

import pytest

from hardware.simulator.air.neumann import Coils
from hardware.simulator.air.table import (
    ABOVE,
    APART,
    ASIDE,
    HEIGHTS,
    REFERENCE,
    load_table,
    reader_coupling,
    sticker_coupling,
)

COILS = Coils()
NEAR = 0.03
"""How far figures from other assumptions about turns and tracks lie off."""


@pytest.mark.parametrize(
    ("found", "known"),
    [
        (reader_coupling(COILS, 0, 0, REFERENCE), 1),
        (reader_coupling(COILS, 8, 0, REFERENCE), 0.96),
        (reader_coupling(COILS, 12.5, 0, REFERENCE), 0.76),
        (reader_coupling(COILS, 20, 0, REFERENCE), 0.22),
        (reader_coupling(COILS, 14, 26.5, REFERENCE), -0.10),  # in the corner of a card
        (reader_coupling(COILS, 8, 8, REFERENCE), 0.91),  # one of 2×2 slots, 16 mm apart
        (reader_coupling(COILS, 13, 13, REFERENCE), 0.53),  # the same card 5 mm askew
        (reader_coupling(COILS, 80, 0, REFERENCE), -0.009),
        (reader_coupling(Coils(coil=50), 14, 26.5, REFERENCE), 0.18),
        (reader_coupling(Coils(coil=76), 14, 26.5, REFERENCE), 1.39),
        (reader_coupling(COILS, 0, 0, 2), 1.22),
        (reader_coupling(COILS, 0, 0, 10), 0.75),
        (reader_coupling(COILS, 0, 0, 30), 0.16),
        (sticker_coupling(COILS, 0, 0.6), 0.84),
        (sticker_coupling(COILS, 8, 0.6), 0.33),
        (sticker_coupling(COILS, 15, 0.6), 0.00),
        (sticker_coupling(COILS, 20, 0.6), -0.09),
        (sticker_coupling(COILS, 0, 1.2), 0.73),  # one card between two stickers
        (sticker_coupling(COILS, 0, 3.0), 0.50),  # four cards
    ],
)
def test_a_coupling_is_as_it_is_known_from_elsewhere(found: float, known: float) -> None:
    assert found == pytest.approx(known, abs=NEAR)


def test_the_stored_table_is_the_computed_one() -> None:
    table, chance = load_table(), random.Random(1)
    assert table.assumptions == COILS
    assert (table.aside, table.heights) == (ASIDE, HEIGHTS)
    assert (table.apart, table.above) == (APART, ABOVE)
    for _ in range(40):
        one, two = chance.choice(ASIDE), chance.choice(ASIDE)
        height, apart, above = (chance.choice(axis) for axis in (HEIGHTS, APART, ABOVE))
        assert table.with_reader(two, -one, height) == pytest.approx(
            reader_coupling(COILS, max(one, two), min(one, two), height)
            if max(one, two) < ASIDE[-1] and height < HEIGHTS[-1]
            else 0
        )
        expected = sticker_coupling(COILS, apart, above)
        at_edge = apart == APART[-1] or above == ABOVE[-1]
        assert table.of_stickers(apart, above) == (0 if at_edge else pytest.approx(expected))


def test_between_the_stored_points_it_is_nearly_straight() -> None:
    table, chance = load_table(), random.Random(2)
    for _ in range(40):
        x, y, height = chance.uniform(-40, 40), chance.uniform(-40, 40), chance.uniform(5.5, 20)
        computed = reader_coupling(COILS, x, y, height)
        assert table.with_reader(x, y, height) == pytest.approx(computed, abs=0.015)
        apart, above = chance.uniform(0, 30), chance.uniform(0.3, 6)
        computed = sticker_coupling(COILS, apart, above)
        assert table.of_stickers(apart, above) == pytest.approx(computed, abs=0.02)
