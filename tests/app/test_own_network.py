"""A table without a network, in the simulated world: its own Wi-Fi, its lamps, and the button that
is held until the Pi shuts down."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.own_network import AGAIN, ALONE, OwnNetwork
from companion.core.errors import Refusal
from companion.hotspot.machine import Machine, Power
from companion.hotspot.wifi import TABLE_ADDRESS
from hardware.debounce import HOLD_OFF
from tests.worlds.wired_table import WiredTable


class NotedMachine(Machine):
    """A machine that only notes what is asked for."""

    def __init__(self) -> None:
        super().__init__("1.0")
        self.asked = list[str]()

    def open_hotspot(self, table: str) -> Refusal | None:
        self.asked.append(f"Wi-Fi {table}")
        return None

    def switch_power(self, power: Power) -> Refusal | None:
        self.asked.append(power)
        return None

    def take(self) -> str:
        """Return the requests since the last call."""
        asked, self.asked = ", ".join(self.asked), []
        return asked


class LoneTable:
    """A wired table at a place whose networks come and go."""

    def __init__(self, folder: Path) -> None:
        (folder / "data").mkdir()
        self.now, self.addresses, self.name = 1000.0, list[str](), ""
        self.wired = WiredTable(folder / "data")
        self.machine = NotedMachine()
        self.network = OwnNetwork(
            self.machine,
            self.wired.host,
            lambda: self.addresses,
            lambda: self.now,
            lambda: self.name,
        )
        self.wired.host.listen_to_evidence(self.network.hear)
        self.wired.real.signal_by_lamps(self.network.lamp_of)

    def passes(self, seconds: float) -> None:
        """Let time pass at the network."""
        end = self.now + seconds
        while self.now < end:
            self.now += 1
            self.network.refresh()


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[LoneTable]:
    table = LoneTable(tmp_path)
    yield table
    table.wired.close()


def test_without_any_network_for_a_minute_the_table_makes_its_own(lone: LoneTable) -> None:
    lone.passes(ALONE - 10)
    assert lone.machine.take() == "", "a router that restarts is waited for"
    lone.passes(20)
    assert lone.machine.take() == "Wi-Fi "
    lone.passes(AGAIN - 30)
    assert lone.machine.take() == ""
    lone.passes(60)
    assert lone.machine.take() == "Wi-Fi ", "it did not come"


def test_where_a_network_is_or_comes_back_nothing_is_asked(lone: LoneTable) -> None:
    lone.addresses = ["192.168.1.20"]
    lone.passes(10 * ALONE)
    lone.addresses = []
    lone.passes(ALONE - 10)
    lone.addresses = ["192.168.1.20"]
    lone.passes(10 * ALONE)
    assert lone.machine.take() == ""
    lone.addresses = []
    lone.passes(ALONE + 10)
    assert lone.machine.take() == "Wi-Fi ", "the Wi-Fi is gone"


def test_lamps_blink_on_the_tables_own_wifi_until_a_phone_has_a_seat(lone: LoneTable) -> None:
    lone.addresses = [TABLE_ADDRESS]
    assert lone.network.lamp_of(1, "off") == "off"
    lone.passes(10)
    assert lone.network.lamp_of(1, "off") == "slow"
    assert lone.network.lamp_of(1, "fast") == "fast", "what the game has to say comes first"
    lone.wired.host.seats.open_house = True
    assert lone.wired.host.seats.take_seat(2, "a phone") is None
    assert lone.network.lamp_of(1, "off") == "off"


@pytest.mark.parametrize("seconds", [HOLD_OFF - 2, HOLD_OFF + 2])
def test_a_button_held_for_ten_seconds_shuts_the_machine_down(
    seconds: float, lone: LoneTable
) -> None:
    lone.wired.real.poll()
    lone.wired.world.press(1)
    for _ in range(round(seconds * 20)):
        lone.wired.clock.sleep(0.05)
        lone.wired.real.poll()
    assert (lone.machine.take() == "off") is (seconds > HOLD_OFF)


def test_the_wifi_is_named_after_the_table(lone: LoneTable) -> None:
    lone.name = "Küche"
    lone.passes(ALONE + 10)
    assert lone.machine.take() == "Wi-Fi Küche"
