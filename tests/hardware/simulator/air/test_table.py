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
    ("aside", "coupling"),
    [
        ((0, 0), 1),
        ((8, 0), 0.96),
        ((12.5, 0), 0.76),
        ((20, 0), 0.22),
        ((14, 26.5), -0.10),  # a sticker in the corner of a card
        ((8, 8), 0.91),  # one of 2×2 slots, 16 mm apart
        ((13, 13), 0.53),  # the same card 5 mm askew
        ((80, 0), -0.009),
        ((100, 0), -0.004),
    ],
)
def test_the_coupling_to_the_reader_falls_and_turns_round(
    aside: tuple[float, float], coupling: float
) -> None:
    assert reader_coupling(COILS, *aside, REFERENCE) == pytest.approx(coupling, abs=NEAR)


def test_a_larger_coil_hears_the_corners_of_a_card() -> None:
    assert reader_coupling(Coils(coil=50), 14, 26.5, REFERENCE) == pytest.approx(0.18, abs=NEAR)
    assert reader_coupling(Coils(coil=76), 14, 26.5, REFERENCE) == pytest.approx(1.39, abs=NEAR)


@pytest.mark.parametrize(
    ("height", "coupling"), [(2, 1.22), (6, 1), (10, 0.75), (15, 0.50), (20, 0.34), (30, 0.16)]
)
def test_the_coupling_falls_with_the_height(height: float, coupling: float) -> None:
    assert reader_coupling(COILS, 0, 0, height) == pytest.approx(coupling, abs=NEAR)


@pytest.mark.parametrize(
    ("apart", "factor"),
    [(0, 0.84), (4, 0.60), (8, 0.33), (12, 0.13), (15, 0.00), (16, -0.04), (20, -0.09)],
)
def test_two_stickers_couple_less_the_further_they_are_apart(apart: float, factor: float) -> None:
    assert sticker_coupling(COILS, apart, 0.6) == pytest.approx(factor, abs=NEAR)


@pytest.mark.parametrize(("cards", "factor"), [(1, 0.73), (2, 0.64), (4, 0.50)])
def test_cards_between_two_stickers_help_little(cards: int, factor: float) -> None:
    assert sticker_coupling(COILS, 0, 0.6 * (cards + 1)) == pytest.approx(factor, abs=NEAR)


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
