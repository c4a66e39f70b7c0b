"""Wires: decoder, chip selects, MISO, SPI time, the GPIO stand-in, buttons and lamps."""

import pytest

from hardware.simulator import registers as r
from hardware.simulator.stand_ins import GPIO, Gpio, SpiDev
from hardware.simulator.world import World

VERSION = [0x80 | r.VERSION << 1, 0]


def opened(world: World) -> SpiDev:
    device = SpiDev()
    with world.install_stand_ins():
        device.open(0, 0)
    device.max_speed_hz = 1_000_000
    return device


def select(world: World, reader: int) -> None:
    for n, pin in enumerate(world.wires.address):
        world.pins.drive(pin, reader >> n & 1)


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_an_output_of_the_decoder_without_a_chip_reads_as_the_pin_is_pulled(level: int) -> None:
    """A Pi pulls its pins 9 to 27 down at the start, and SPI leaves that alone but on a Pi 5."""
    world = World(5)
    assert world.bus.floating == 0x00
    world.bus.floating = level
    device = opened(world)
    select(world, 6)
    assert device.xfer2(VERSION) == [level, level]


def test_a_transfer_costs_the_host_once_and_each_bit_its_time() -> None:
    world = World(1, host_ns=30_000)
    world.open_spi(0).xfer2([0x80] * 6)
    assert world.clock.now == 30_000 + 6 * 8_000
    assert (world.bus.transfers, world.bus.bytes) == (1, 6)
    world.open_spi(0, hz=250_000).xfer2([0x80])
    assert world.clock.now == 78_000 + 30_000 + 32_000


def test_an_older_table_that_goes_takes_no_pins_from_a_younger() -> None:
    older, younger = World(1).install_stand_ins(), World(1).install_stand_ins()
    older.__enter__()
    with younger as world:
        GPIO.setmode(GPIO.BCM)
        GPIO.setup(26, GPIO.OUT)
        older.__exit__(None, None, None)
        GPIO.output(26, 1)
        assert world.pins.level(26) == 1


@pytest.fixture
def gpio() -> Gpio:
    gpio = Gpio()
    gpio.tables.append(World().pins)
    return gpio


def test_gpio_wants_a_numbering_and_only_one(gpio: Gpio) -> None:
    with pytest.raises(RuntimeError, match="set pin numbering mode"):
        gpio.setup(18, 0)
    gpio.setmode(11)
    with pytest.raises(ValueError, match="different mode"):
        gpio.setmode(10)


def test_gpio_outputs_only_what_was_set_up(gpio: Gpio) -> None:
    gpio.setmode(11)
    with pytest.raises(RuntimeError, match="not been set up as an OUTPUT"):
        gpio.output(18, 1)
    with pytest.raises(ValueError, match="invalid"):
        gpio.setup(40, 0)


def test_gpio_cleanup_lets_go_of_one_pin_or_of_everything(gpio: Gpio) -> None:
    pins = gpio.tables[-1]
    gpio.setmode(11)
    gpio.setup([18, 19, 20], 0, initial=1)
    gpio.cleanup(18)
    assert [pins.is_output(pin) for pin in (18, 19, 20)] == [False, True, True]
    gpio.cleanup()
    assert not pins.is_output(19)
    assert gpio.getmode() is None
    with pytest.warns(RuntimeWarning, match="nothing to clean up"):
        gpio.cleanup()
