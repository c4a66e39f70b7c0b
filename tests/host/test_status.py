"""The lights: from what a house tells to green, amber and red, and what to do about it."""

import msgspec
import pytest

from companion.core.i18n import message
from companion.core.sensor_events import ReaderCondition
from companion.host.health import BoxHealth, Health, Light, PiStatus
from companion.host.status import HOT, MIB, NAMES, WARM, health_lights, light_colours, worst_colour
from companion.journal.journal import JournalHealth
from tests.worlds.paths import ROOT

READERS = tuple(ReaderCondition(place, "well") for place in range(1, 9))
PI = PiStatus("Raspberry Pi 4", 48.0, 50.0, False, False, False, False, True, 3793, 3125)
WELL = Health(
    companion="0.1.0",
    python="3.11",
    wiring="eight-readers",
    readers=READERS,
    boxes=(BoxHealth("bankueberfall", "Banküberfall", 53, 53),
           BoxHealth("robby_solo", "Robby Solo", 0, 49)),
    journal=JournalHealth(False, 5.0, 2**33),
    uptime=4000.0,
    board=PI,
)  # fmt: skip


def but(**changed: object) -> Health:
    return msgspec.structs.replace(WELL, **changed)  # type: ignore[arg-type]


def board(**changed: object) -> Health:
    return but(board=msgspec.structs.replace(PI, **changed))  # type: ignore[arg-type]


def journal(**changed: object) -> Health:
    return but(journal=msgspec.structs.replace(WELL.journal, **changed))  # type: ignore[arg-type]


def readers(*words: str, healings: int = 0) -> Health:
    return but(
        readers=tuple(
            msgspec.structs.replace(READERS[n], word=word, healings=healings)
            for n, word in enumerate(words)
        )
    )


ILL = {
    "one reader": (readers("well", "offline", "well"), "readers", "amber"),
    "all readers": (readers("offline", "offline"), "readers", "red"),
    "a loose plug": (readers("well", "well", healings=4), "readers", "amber"),
    "no wires": (but(unwired=message("A pin is in use.")), "wires", "red"),
    "a stuck button": (but(stuck=(2, 5)), "wires", "amber"),
    "low now": (board(low=True, was_low=True), "power", "red"),
    "low before": (board(was_low=True), "power", "amber"),
    "hot": (board(celsius=HOT, hottest=HOT), "heat", "red"),
    "warm": (board(celsius=WARM, hottest=WARM), "heat", "amber"),
    "was hot": (board(hottest=HOT + 3), "heat", "amber"),
    "slowed": (board(celsius=None, slowed=True, was_slowed=True), "heat", "red"),
    "was slowed": (board(celsius=None, was_slowed=True), "heat", "amber"),
    "little room": (journal(free=300 * MIB), "disk", "amber"),
    "no room": (journal(free=3 * MIB), "disk", "red"),
    "never set": (board(clock_set=False), "clock", "amber"),
    "unwritten": (but(unwritten=message("The disk is full.")), "journal", "red"),
    "mended": (journal(mended=True), "journal", "amber"),
    "no deck": (but(boxes=(WELL.boxes[1],)), "decks", "amber"),
    "half a deck": (but(boxes=(BoxHealth("b", "Box", 9, 53),)), "decks", "amber"),
    "a broken game": (but(broken_games=(message("A pin is in use."),)), "games", "amber"),
    "update failed": (but(update_fault=message("A pin is in use.")), "version", "amber"),
}
"""What can be wrong, each for itself."""


def one(health: Health, name: str) -> Light:
    (found,) = (light for light in health_lights(health) if light.name == name)
    return found


def test_a_table_that_is_well_is_green_all_over() -> None:
    assert light_colours(health_lights(WELL)) == dict.fromkeys(NAMES, "green")
    assert worst_colour(health_lights(WELL)) == "green"


@pytest.mark.parametrize(("health", "name", "colour"), ILL.values(), ids=ILL)
def test_faults_come_first_with_a_cure(health: Health, name: str, colour: str) -> None:
    first, *others = health_lights(health)
    assert (first.name, first.colour, worst_colour(health_lights(health))) == (name, colour, colour)
    assert first.cure is not None
    assert {(light.colour, light.cure) for light in others} == {("green", None)}


def test_the_worst_light_comes_first() -> None:
    health = but(stuck=(2,), boxes=(WELL.boxes[1],), unwritten=message("The disk is full."))
    colours = [light.colour for light in health_lights(health)]
    assert colours == ["red", "amber", "amber", *["green"] * (len(NAMES) - 3)]


MEANING = (ROOT / "docs/troubleshooting.md").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_docs_tell_of_every_light_and_of_each_of_its_colours(name: str) -> None:
    (row,) = (line for line in MEANING.splitlines() if line.startswith(f"| **{NAMES[name]}** |"))
    amber, red, cure = (cell.strip() for cell in row.strip("|").split("|")[1:])
    shines = {colour for _health, one, colour in ILL.values() if one == name}
    assert {colour for colour, told in (("amber", amber), ("red", red)) if told} == shines
    assert cure
