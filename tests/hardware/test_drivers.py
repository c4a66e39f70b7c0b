"""Drivers of readers: another one is a folder and a line, and mixes with those that are there."""

from collections.abc import Iterator

import pytest

from companion.core.i18n import get_language
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Left,
    ReaderFound,
    ReaderLost,
)
from hardware.assembly import assemble_hardware
from hardware.doctor.rehearsal import SimulatedPerson
from hardware.drivers import DRIVERS, open_readers, split_by_driver
from hardware.errors import NotConnected
from hardware.rc522 import driver as rc522
from hardware.reader_loop import Readers
from hardware.simulated_table import build_world
from hardware.simulator.world import World
from hardware.wiring import Wiring, parse_profile
from tests.worlds.shelf_reader import driver as shelf

CARD = "04a1b2c3d4e5f6"
ENGLISH = get_language("en")
PROFILE = """
title = "One on wires, one on a shelf"
reset = 25
[readers]
1 = "spidev:0.0"
2 = "shelf:oak"
"""


@pytest.fixture(autouse=True)
def the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the one line that a new driver needs outside its folder."""
    monkeypatch.setitem(DRIVERS, "shelf", "tests.worlds.shelf_reader.driver")
    monkeypatch.setattr(shelf, "SHELVES", {"oak": set()})
    monkeypatch.setattr(shelf, "CLOSED", [])


@pytest.fixture
def world() -> Iterator[World]:
    with build_world(mixed()).install_stand_ins() as world:
        yield world


def mixed() -> Wiring:
    return parse_profile("mixed", PROFILE)


def rounds(readers: Readers, count: int = 40) -> list[tuple[type[Evidence], int]]:
    evidence = [news for _ in range(count) for news in readers.visit_all()]
    return [(type(news), news.place) for news in evidence]  # type: ignore[attr-defined]


def test_a_driver_is_found_by_the_word_before_the_colon() -> None:
    assert [driver for driver, _ in split_by_driver(mixed())] == [rc522, shelf]


def test_its_readers_play_beside_those_on_wires(world: World) -> None:
    hardware = assemble_hardware(mixed(), world.clock, world.pin_factory())
    try:
        card = world.put(CARD, 0)
        assert rounds(hardware.readers) == [(Arrived, 1)]
        world.lift(card)
        shelf.SHELVES["oak"].add(bytes.fromhex(CARD))
        assert rounds(hardware.readers) == [(Left, 1), (Arrived, 2)]
        shelf.SHELVES["oak"].clear()
        assert rounds(hardware.readers) == [(FellSilent, 2)]
    finally:
        hardware.close()


def test_it_is_lost_and_found_like_any_other(world: World) -> None:
    hardware = assemble_hardware(mixed(), world.clock, world.pin_factory())
    try:
        there = shelf.SHELVES.pop("oak")
        assert rounds(hardware.readers, 200) == [(ReaderLost, 2)]
        shelf.SHELVES["oak"] = there
        assert rounds(hardware.readers) == [(ReaderFound, 2)]
        assert [(c.place, c.word) for c in hardware.conditions()] == [(1, "well"), (2, "well")]
    finally:
        hardware.close()


def test_it_brings_its_lines_for_the_doctor(world: World) -> None:
    person = SimulatedPerson(world, mixed())
    lines = [
        line
        for driver, own in split_by_driver(mixed())
        for line in driver.examine_readers(own, world.clock, person)
    ]
    assert {line.state for line in lines} == {"good"}
    assert [ENGLISH(line.what) for line in lines][-1] == "reader 2"


def test_what_it_opened_is_closed_when_another_driver_cannot_open() -> None:
    text = PROFILE.replace("shelf:oak", "sim:3").replace("spidev:0.0", "shelf:oak")
    with pytest.raises(NotConnected, match="place 2 is simulated"):
        open_readers(parse_profile("mixed", text), World(1).clock)
    assert shelf.CLOSED == ["oak"]
