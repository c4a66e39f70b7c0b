"""A table without a network, in the simulated world: its own Wi-Fi, its lamps, and the button that
is held until the Pi shuts down."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.build_table import connect_machine, lamp_of_own_wifi
from companion.core.errors import Refusal
from companion.core.sensor_events import Lamp
from companion.hotspot.addresses import TABLE_ADDRESS
from companion.hotspot.machine import AGAIN, ALONE, Machine, Power
from hardware.debounce import HOLD_OFF
from tests.worlds.scripted_table import WiredTable


class NotedMachine(Machine):
    """A machine whose networks come and go, and that only notes what is asked for."""

    def __init__(self) -> None:
        self.now, self.found, self.asked = 1000.0, list[str](), list[str]()
        super().__init__(own=lambda: self.found, clock=lambda: self.now)

    def open_hotspot(self) -> Refusal | None:
        self.asked.append("Wi-Fi")
        return None

    def switch_power(self, power: Power) -> Refusal | None:
        self.asked.append(power)
        return None

    def take(self) -> str:
        """Return the requests since the last call."""
        asked, self.asked = ", ".join(self.asked), []
        return asked

    def passes(self, seconds: float) -> None:
        """Let time pass at the network."""
        end = self.now + seconds
        while self.now < end:
            self.now += 1
            self.refresh()


@pytest.fixture
def machine() -> NotedMachine:
    return NotedMachine()


@pytest.fixture
def wired(tmp_path: Path, machine: NotedMachine) -> Iterator[WiredTable]:
    table = WiredTable(tmp_path)
    connect_machine(table.source, table.host, machine)
    yield table
    table.close()


def test_without_any_network_for_a_minute_the_table_makes_its_own(machine: NotedMachine) -> None:
    machine.passes(ALONE - 10)
    assert machine.take() == "", "a router that restarts is waited for"
    machine.passes(20)
    assert machine.take() == "Wi-Fi"
    machine.passes(AGAIN - 30)
    assert machine.take() == ""
    machine.passes(60)
    assert machine.take() == "Wi-Fi", "it did not come"


def test_where_a_network_is_or_comes_back_nothing_is_asked(machine: NotedMachine) -> None:
    machine.found = ["192.168.1.20"]
    machine.passes(10 * ALONE)
    machine.found = []
    machine.passes(ALONE - 10)
    machine.found = ["192.168.1.20"]
    machine.passes(10 * ALONE)
    assert machine.take() == ""
    machine.found = []
    machine.passes(ALONE + 10)
    assert machine.take() == "Wi-Fi", "the Wi-Fi is gone"


def test_lamps_blink_on_the_tables_own_wifi_until_a_phone_has_a_seat(
    wired: WiredTable, machine: NotedMachine
) -> None:
    def lamp(of_game: Lamp) -> Lamp:
        return lamp_of_own_wifi(machine, wired.host, 1, of_game)

    machine.found = [TABLE_ADDRESS]
    assert lamp("off") == "off"
    machine.passes(10)
    assert lamp("off") == "slow"
    assert lamp("fast") == "fast", "what the game has to say comes first"
    wired.host.seats.open_house = True
    assert wired.host.seats.take_seat(2, "a phone") is None
    assert lamp("off") == "off"


@pytest.mark.parametrize("seconds", [HOLD_OFF - 2, HOLD_OFF + 2])
def test_a_button_held_for_ten_seconds_shuts_the_machine_down(
    seconds: float, wired: WiredTable, machine: NotedMachine
) -> None:
    wired.source.poll()
    wired.top.world.press(1)
    for _ in range(round(seconds * 20)):
        wired.sleep(0.05)
        wired.source.poll()
    assert (machine.take() == "off") is (seconds > HOLD_OFF)
