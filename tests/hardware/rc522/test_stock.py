"""The unmodified package `mfrc522` 0.0.7 on the simulated table, with the faults it is known for.

Each test names one reason why the table has a driver of its own. Were the package mended, or
the simulator wrong, one of these would fail. The package is required: without it they fail too.
"""

import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from hardware.simulator.air.airs import Air, IdealAir, PhysicsAir
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


def stock(world: World, **settings: int) -> "MFRC522":
    """The package's reader, started as its own README does; the field has time to come up."""
    from mfrc522 import MFRC522

    reader = MFRC522(**settings)
    world.sleep(0.005)
    return reader


def transfers(world: World, deed: object) -> int:
    before = world.bus.transfers
    assert callable(deed)
    deed()
    return world.bus.transfers - before


UID = [0x11, 0x22, 0x33, 0x44, 0x44]
Deed = Callable[["MFRC522"], object]
DEEDS: dict[str, Deed] = {
    "request": lambda reader: reader.MFRC522_Request(REQA),
    "wake up": lambda reader: reader.MFRC522_Request(0x52),
    "anticollision": lambda reader: reader.MFRC522_Anticoll(),
    "select": lambda reader: reader.MFRC522_SelectTag(UID),
    "read": lambda reader: reader.MFRC522_Read(8),
    "stop": lambda reader: reader.MFRC522_StopCrypto1(),
    "checksum": lambda reader: reader.CalulateCRC([0x30, 8]),
    "reset": lambda reader: reader.MFRC522_Reset(),
    "start": lambda reader: reader.MFRC522_Init(),
    "antenna off": lambda reader: reader.AntennaOff(),
    "antenna on": lambda reader: reader.AntennaOn(),
}
COUNTS: list[tuple[list[str], dict[str, int]]] = [
    (
        [],
        {
            "request": 2013, "anticollision": 2014, "wake up": 2013, "select": 2035,
            "stop": 2, "read": 2025, "checksum": 10, "reset": 1, "start": 10, "antenna off": 2,
            "antenna on": 3,
        },
    ),
    ([CLASSIC], {"request": 26, "anticollision": 38, "select": 66, "read": 2025}),
    ([STICKER], {"request": 26, "anticollision": 38, "wake up": 2013}),
    ([CLASSIC, SECOND], {"request": 26, "anticollision": 31}),
]  # fmt: skip
"""The transfers of each call, one after the other; what lies on the reader, and how many they are.

An empty request is 13 transfers beside its 2,000 polls, as one counts in the package's source.
"""


@pytest.mark.parametrize("air", [IdealAir, PhysicsAir])
@pytest.mark.parametrize(("lying", "counts"), COUNTS)
def test_each_call_takes_as_many_transfers_as_its_source_says(
    air: Callable[[], Air], lying: list[str], counts: dict[str, int]
) -> None:
    with World(1, wires=SimulatedWires("ce"), air=air()).install_stand_ins() as world:
        reader = stock(world)
        for tag in lying:
            world.put(tag, 0)
        world.sleep(0.005)
        did = {name: transfers(world, lambda name=name: DEEDS[name](reader)) for name in counts}
    assert did == counts


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
