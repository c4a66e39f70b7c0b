"""Buttons and lamps on gpiozero's mock pins: the world is pushed, the panel watches."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory

from companion.core.sensor_events import ButtonHeldOff, ButtonHeldOn, ButtonPressed
from hardware.errors import NotConnected
from hardware.panel import FAST, SLOW, Panel
from hardware.simulator import faults
from hardware.simulator.world import World

BUTTONS, LAMPS = {1: 4, 2: 5, 3: 6}, {1: 18, 2: 19, 3: 20}


@pytest.fixture
def panel_world() -> Iterator[World]:
    world = World(1)
    for seat in BUTTONS:
        world.release(seat)
    return world


@pytest.fixture
def panel(panel_world: World) -> Iterator[Panel]:
    panel = Panel(BUTTONS, LAMPS, panel_world.clock, panel_world.pin_factory())
    yield panel
    panel.close()


def wait(world: World, panel: Panel, seconds: float) -> list[ButtonPressed]:
    """Time passes at the table; the panel is looked after every twenty milliseconds."""
    told, end = panel.read_presses(), world.now + seconds
    while world.now < end:
        world.sleep(0.02)
        told += panel.read_presses()
        panel.update_lamps()
    return told


def test_a_bouncing_contact_presses_once(panel_world: World, panel: Panel) -> None:
    faults.set_bounces(panel_world, 3, 8)
    begun = panel_world.now
    panel_world.tap(3, 0.2)
    assert wait(panel_world, panel, 1) == [ButtonPressed(begun, 3)]


def test_a_stuck_button_is_reported_and_bothers_nobody(panel_world: World, panel: Panel) -> None:
    faults.jam_button(panel_world, 2)
    told = wait(panel_world, panel, 31)
    assert told == [ButtonPressed(0.0, 2, held=True), ButtonHeldOn(0.0, 2), ButtonHeldOff(0.0, 2)]
    assert panel.stuck_buttons() == [2]
    panel_world.tap(1)
    assert [press.seat for press in wait(panel_world, panel, 1)] == [1]


def test_presses_come_in_the_order_they_began(panel_world: World, panel: Panel) -> None:
    for seat, later in ((3, 0.1), (1, 0.0), (2, 0.0)):
        panel_world.press(seat)
        panel_world.sleep(0.05 + later)
    for seat in BUTTONS:
        panel_world.release(seat)
    panel_world.sleep(0.1)
    assert [press.seat for press in panel.read_presses()] == [3, 1, 2]


@pytest.mark.parametrize(("lamp", "period"), [("slow", SLOW), ("fast", FAST)])
def test_a_blinking_lamp_blinks(panel_world: World, panel: Panel, lamp: str, period: float) -> None:
    panel.light(2, lamp)  # type: ignore[arg-type]
    seen = []
    for _ in range(320):
        wait(panel_world, panel, 0.01)
        seen.append(panel_world.is_lamp_lit(2))
    changes = sum(one != other for one, other in pairwise(seen))
    assert changes == pytest.approx(2 * 320 * 0.02 / period, abs=2)


def test_a_closed_panel_leaves_the_lamps_off_and_the_pins_free(panel_world: World) -> None:
    factory = panel_world.pin_factory()
    panel = Panel(BUTTONS, LAMPS, panel_world.clock, factory)
    panel.light(1, "on")
    panel.close()
    assert not panel_world.is_lamp_lit(1)
    Panel(BUTTONS, LAMPS, panel_world.clock, factory).close()


def test_a_pin_taken_by_somebody_else_is_one_sentence(panel_world: World) -> None:
    factory = MockFactory()
    first = Panel({1: 4}, {}, panel_world.clock, factory)
    with pytest.raises(NotConnected, match=r"BCM 4 \(lamp of seat 2\) is in use"):
        Panel({}, {2: 4}, panel_world.clock, factory)
    first.close()
