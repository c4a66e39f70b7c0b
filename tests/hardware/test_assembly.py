"""Opening a table: what is missing is said in one sentence, what is opened is let go of."""

import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import pytest

from companion.core.sensor_events import Arrived, Evidence
from hardware import backends
from hardware.assembly import Hardware, assemble_hardware
from hardware.doctor.rehearsal import rehearse_examination
from hardware.drivers import open_readers
from hardware.errors import NotConnected, WiringError
from hardware.pi import BackgroundHardware
from hardware.simulated_table import SimulatedHardware
from hardware.simulator.bus import Bus
from hardware.simulator.stand_ins import GPIO
from hardware.simulator.world import SimulatedWires, World
from hardware.wiring import Wiring, load_profile, parse_profile
from tests.worlds.hand_clock import HandClock

CARD = "04a1b2c3d4e5f6"
EIGHT, FIVE = load_profile("eight-readers"), load_profile("five-readers")


@pytest.fixture
def wired_world() -> Iterator[World]:
    with World().install_stand_ins() as world:
        yield world


def opened(world: World) -> Hardware:
    return assemble_hardware(EIGHT, world.clock, world.pin_factory())


def test_a_missing_spi_device_is_one_sentence(wired_world: World) -> None:
    with pytest.raises(NotConnected, match=r"There is no /dev/spidev0\.1: put the lines that"):
        assemble_hardware(FIVE, wired_world.clock, wired_world.pin_factory())
    # And nothing is kept: the right profile opens.
    opened(wired_world).close()


def test_no_permission_is_one_sentence(wired_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forbidden:
        def open(self, bus: int, device: int) -> None:
            raise PermissionError(13, "Permission denied")

    spidev = ModuleType("spidev")
    spidev.SpiDev = Forbidden  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", spidev)
    for name in [name for name in sys.modules if name.partition(".")[0] == "mfrc522"]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(NotConnected, match=r"may not use /dev/spidev0\.0: type: sudo usermod"):
        opened(wired_world)
    for name in [name for name in sys.modules if name.partition(".")[0] == "mfrc522"]:
        del sys.modules[name]


def test_the_wrong_gpio_package_is_one_sentence(
    wired_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing(ModuleType):
        def __getattr__(self, name: str) -> object:
            if name == "GPIO":
                raise RuntimeError("Cannot determine SOC peripheral base address")
            raise AttributeError(name)

    monkeypatch.setitem(sys.modules, "RPi", Refusing("RPi"))
    with pytest.raises(NotConnected, match="on a Pi 5 type: pip uninstall -y RPi"):
        opened(wired_world)


class error(Exception):
    """lgpio's own, which is neither an OSError nor a RuntimeError."""


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (error("'GPIO busy'"), r"A pin of the readers is in use by another program \('GPIO busy'"),
        (RuntimeError("GPIO busy"), "stop it, then try again"),
        (OSError(16, "Device or resource busy"), "stop it, then try again"),
        (error("can not open gpiochip"), "may not use the Pi's pins .* type: sudo usermod"),
        (RuntimeError("No access to /dev/mem.  Try running as root!"), "type: sudo usermod"),
        (PermissionError(13, "Permission denied"), "type: sudo usermod"),
        (RuntimeError("Cannot determine SOC peripheral base address"), "on a Pi 5 type: pip"),
        (error("unknown"), "on a Pi 5 type: pip"),
    ],
)
def test_pins_that_refuse_get_the_right_cure(
    wired_world: World, monkeypatch: pytest.MonkeyPatch, trouble: Exception, sentence: str
) -> None:
    lgpio = ModuleType("lgpio")
    lgpio.error = error  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)

    def refuse(*what: object, **more: object) -> None:
        raise trouble

    monkeypatch.setattr(GPIO, "setup", refuse)
    with pytest.raises(NotConnected, match=sentence):
        open_readers(EIGHT, wired_world.clock)


def test_numbered_readers_work_on_the_simulated_table_alone(wired_world: World) -> None:
    text = 'title = "Numbers"\n[readers]\n1 = "sim:4"\n2 = "sim:0"\n[buttons]\n1 = 4\n'
    wiring = parse_profile("numbers", text)
    with pytest.raises(NotConnected, match=r"place 1 is simulated \(sim:4\); only the hardware"):
        assemble_hardware(wiring, wired_world.clock, wired_world.pin_factory())
    simulated = SimulatedHardware(wiring, HandClock())
    simulated.world.put(CARD, 4)
    simulated.run_until(0.4)
    assert [(e.place, e.tag) for e in simulated.hardware.sense()] == [(1, CARD)]  # type: ignore[attr-defined]
    simulated.close()
    assert "good" in {line.state for line in rehearse_examination(wiring).lines}
    mixed = text.replace("sim:0", "spidev:0.0").replace("[readers]", "reset = 25\n[readers]")
    with pytest.raises(NotConnected, match=r"place 1 is simulated \(sim:4\)"):
        SimulatedHardware(parse_profile("mixed", mixed), HandClock())


def test_an_unknown_backend_or_profile_says_what_to_type() -> None:
    with pytest.raises(WiringError, match="no hardware called 'usb'; type one of pi, sim"):
        backends.connect("usb", "eight-readers")
    with pytest.raises(WiringError, match="no wiring profile 'nine'"):
        backends.connect("sim", "nine")


def test_closing_lets_go_of_our_own_pins_only(wired_world: World) -> None:
    GPIO.setmode(GPIO.BCM)
    GPIO.setup(26, GPIO.OUT)
    GPIO.output(26, 1)
    hardware = opened(wired_world)
    hardware.light(1, "on")
    hardware.step()
    hardware.close()
    assert [pin for pin in range(28) if wired_world.pins.is_output(pin)] == [26]
    assert wired_world.pins.level(26) == 1
    assert wired_world.fields_on() == []
    GPIO.cleanup(26)


def test_five_readers_on_two_buses_work_without_a_decoder() -> None:
    lines = tuple(address.spi_device or (0, 0) for address in FIVE.readers.values())
    wires = SimulatedWires("ce", lines=lines, buttons=FIVE.buttons, lamps=FIVE.lamps)
    with World(5, wires=wires).install_stand_ins() as world:
        hardware = assemble_hardware(FIVE, world.clock, world.pin_factory())
        for reader in range(5):
            world.put(f"04a1b2c3d4e5f{reader}", reader)
        for _ in range(10):
            hardware.step()
        news = hardware.sense()
        assert sorted((e.place, e.tag) for e in news if isinstance(e, Arrived)) == [
            (reader + 1, f"04a1b2c3d4e5f{reader}") for reader in range(5)
        ]
        hardware.close()


@pytest.mark.parametrize("wiring", [FIVE, EIGHT])
def test_opening_never_has_two_fields_on(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> None:
    on, transfer = list[int](), Bus.transfer

    def counted(bus: Bus, *what: Any) -> list[int]:
        answer = transfer(bus, *what)
        on.append(sum(board.chip.antenna.drive > 0 for board in bus.boards))
        return answer

    monkeypatch.setattr(Bus, "transfer", counted)
    SimulatedHardware(wiring, HandClock()).close()
    assert max(on) == 1


def test_the_simulated_table_keeps_pace_with_its_clock() -> None:
    pace = HandClock(100.0)
    simulated = SimulatedHardware(EIGHT, pace)
    simulated.world.put(CARD, 4)
    assert simulated.sense() == []
    pace.sleep(0.4)
    (arrived,) = simulated.sense()
    assert arrived == Arrived(arrived.at, 5, CARD)
    pace.sleep(3600)
    simulated.sense()
    assert simulated.world.now < 2
    simulated.close()


def listen(watched: BackgroundHardware) -> Sequence[Evidence]:
    news = watched.sense()
    while not news:
        news = watched.sense()
    return news


def test_a_watched_table_is_sensed_from_outside(wired_world: World) -> None:
    wired_world.put(CARD, 0)
    watched = BackgroundHardware(opened(wired_world))
    assert [type(e) for e in listen(watched)] == [Arrived]
    watched.close()


def test_a_watch_that_dies_is_not_a_quiet_table(wired_world: World) -> None:
    class Broken(Hardware):
        def step(self) -> None:
            raise ZeroDivisionError

    hardware = opened(wired_world)
    watched = BackgroundHardware(Broken(hardware.readers, hardware.panel, wired_world.clock))
    with pytest.raises(RuntimeError, match="restart the companion"):
        listen(watched)
    watched.close()
    hardware.close()
