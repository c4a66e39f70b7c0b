"""A box is enrolled and checked through the real driver: passed over one reader card by card in the
physical air, heard by two readers at once, and on noisy wires.
"""

from collections.abc import Iterator

import pytest

from companion.core.deck import Deck
from companion.core.i18n import get_language
from companion.games import find_game
from companion.setup.steps import show_walk
from companion.setup.walk import begin_stickers
from hardware.simulator import faults
from hardware.simulator.hands_on_table import SimulatedTabletop, StillClock
from tests.worlds.campaign import pick

READER, BOX = 1, find_game("robby_solo").standard_box()
HOLDS = BOX.tagged_pieces()
THINGS = [thing for thing, total in HOLDS.items() for _ in range(total)]
TAGS = {f"04{n:04x}c0ffee{n:02x}": thing for n, thing in enumerate(THINGS, 1)}
PACES = [(0.5, 0.5), (0.7, 0.3), (1.0, 0.5)]
"""Seconds for which a card is held to the reader, and until the next one is."""


@pytest.fixture
def top() -> Iterator[SimulatedTabletop]:
    table = SimulatedTabletop(pace=StillClock(), seed="passing")
    table.stick_tags(TAGS)
    table.pass_time(1.0)
    table.sense()
    yield table
    table.close()


def pass_over(top: SimulatedTabletop, tag: str, held: float, pause: float) -> None:
    top.put_tag(tag, READER)
    top.pass_time(held)
    top.take_tags(tag)
    top.pass_time(pause)


@pytest.mark.parametrize(("held", "pause"), PACES)
def test_a_pile_is_enrolled_in_the_order_in_which_it_is_asked_for(
    held: float, pause: float, top: SimulatedTabletop
) -> None:
    walk = begin_stickers(HOLDS, Deck({}, "5a" * 16))
    passed = [*TAGS][: pick(15, 61, 61)]
    for tag in [*passed, ""]:
        pass_over(top, tag, held, pause) if tag else top.pass_time(2.0)
        for evidence in top.sense():
            walk = walk.take_evidence(evidence)
    assert {tag: walk.deck[tag] for tag in passed} == {tag: TAGS[tag] for tag in passed}
    assert (walk.in_trouble, walk.lying) == (False, {})


def test_a_sticker_that_two_readers_hear_is_not_enrolled(top: SimulatedTabletop) -> None:
    walk, tag = begin_stickers(HOLDS, Deck({}, "5a" * 16)), next(iter(TAGS))
    top.lay_tag(tag, READER)
    for evidence in top.sense():
        walk = walk.take_evidence(evidence)
    assert walk.deck[tag] == TAGS[tag]
    faults.add_twin(top.world, tag, 5)
    top.pass_time(3.0)
    for evidence in top.sense():
        walk = walk.take_evidence(evidence)
    news = show_walk(walk).says
    assert news is not None
    assert "Reader 6 reads the same number as another" in get_language("en")(news)
    assert walk.deck.things == {}


def test_a_noisy_table_enrols_nothing_wrong(top: SimulatedTabletop) -> None:
    for reader in range(8):
        faults.frame_loss(top.world, reader, 0.05)
        faults.bit_errors(top.world, reader, 0.005)
    walk = begin_stickers(HOLDS, Deck({}, "5a" * 16))
    for n, tag in enumerate(TAGS):
        top.lay_tag(tag, 1 + n % 8)
        top.lift_tags(tag)
        for evidence in top.sense():
            walk = walk.take_evidence(evidence)
    assert {tag: walk.deck[tag] for tag in TAGS} == TAGS
