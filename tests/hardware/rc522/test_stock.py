"""The unmodified package `mfrc522` 0.0.7 on the simulated table, with the faults it is known for.

Each test names one reason why the table has a driver of its own. Were the package mended, or
the simulator wrong, one of these would fail.
"""

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from hardware.rc522.stock import import_driver
from hardware.simulator.world import SimulatedWires, World

if TYPE_CHECKING:
    from mfrc522 import MFRC522

# What it gets wrong in its waiting loop, Python 3.12 and newer warn of.
pytestmark = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")

STICKER, OTHER = "04a1b2c3d4e5f6", "04a1b2c3d4e5f7"
CLASSIC, SECOND = "11223344", "55667788"
REQA = 0x26
OK, ERROR = 0, 2


@pytest.fixture
def one_reader_world() -> Iterator[World]:
    with World(1, wires=SimulatedWires("ce")).install_stand_ins() as world:
        yield world
    logging.getLogger("mfrc522Logger").handlers.clear()


def stock(world: World) -> "MFRC522":
    """The package's reader, started as its own README does; the field has time to come up."""
    reader: MFRC522 = import_driver()()
    world.sleep(0.005)
    return reader


def test_a_tag_left_lying_answers_every_other_poll(one_reader_world: World) -> None:
    one_reader_world.put(STICKER, 0)
    reader = stock(one_reader_world)
    polls = [reader.MFRC522_Request(REQA)[0] == OK for _ in range(6)]
    assert polls == [True, False, True, False, True, False]


def test_two_cards_on_a_reader_are_an_error(one_reader_world: World) -> None:
    one_reader_world.put(CLASSIC, 0)
    one_reader_world.put(SECOND, 0)
    reader = stock(one_reader_world)
    assert reader.MFRC522_Request(REQA)[0] == OK
    assert reader.MFRC522_Anticoll() == (ERROR, [])


def test_two_stickers_with_one_beginning_are_one_to_it(one_reader_world: World) -> None:
    seen = set()
    for uid in (STICKER, OTHER):
        card = one_reader_world.put(uid, 0)
        reader = stock(one_reader_world)
        reader.MFRC522_Request(REQA)
        seen.add(bytes(reader.MFRC522_Anticoll()[1]))
        one_reader_world.lift(card)
    assert len(seen) == 1
