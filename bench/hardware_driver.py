"""Our driver and the unmodified stock package, side by side on the same simulated chip.

Law: 1 MHz, 30 µs of host time a transfer where no other is named, virtual time; the figures do not
depend on the machine they are computed on.
"""

import random
from collections.abc import Iterator, Mapping
from statistics import quantiles
from typing import NamedTuple

import msgspec

from bench.measure import Figure
from hardware.assembly import Hardware
from hardware.rc522.anticollision import TagSearch
from hardware.rc522.reader import Rc522Reader
from hardware.simulated_table import SimulatedHardware
from hardware.simulator.world import SimulatedWires, World
from hardware.wiring import load_profile

IDEAL_MS = {1: 7.1, 2: 14.4, 4: 29.0, 6: 44.0}
SAMPLES = 50
STOCK = "the stock package"
ROUND_MS = {
    1_000_000: {30: 140, 150: 195, 300: 265},
    250_000: {30: 155, 150: 195, 300: 265},
}
"""Limits for a round of eight readers with two cards each, by the speed of the bus and the µs
that a transfer costs the host: a fast Pi, a slow one, and a slow one that is busy."""


class DriverTable(NamedTuple):
    """A simulated table with our driver on it."""

    simulated: SimulatedHardware
    world: World
    hardware: Hardware

    @classmethod
    def build(cls, hertz: int = 1_000_000) -> "DriverTable":
        wiring = msgspec.structs.replace(load_profile("eight-readers"), hertz=hertz)
        simulated = SimulatedHardware(wiring)
        return cls(simulated, simulated.world, simulated.hardware)

    def round_ms(self, rounds: int = 20) -> float:
        begun = self.world.now
        for _ in range(rounds):
            self.hardware.readers.visit_all()
        return (self.world.now - begun) / rounds * 1e3

    def run_for(self, seconds: float) -> list[float]:
        """Return the moments of the evidence in the seconds to come."""
        told, end = list[float](), self.world.now + seconds
        while self.world.now < end:
            told += [news.at for news in self.hardware.readers.step()]
        return told

    def lay_cards(self, chance: random.Random, reader: int, cards: int = 1):  # type: ignore[no-untyped-def]
        return [self.world.put(b"\x04" + chance.randbytes(6), reader) for _ in range(cards)]


def figures() -> Iterator[Figure]:
    """Yield every promise of the driver."""
    yield from _measure_polls()
    yield from _measure_searches()
    for hertz, bars in ROUND_MS.items():
        yield from _measure_full_rounds(hertz, bars)
    yield from _measure_rounds()


def _measure_polls() -> Iterator[Figure]:
    table = DriverTable.build()
    before = table.world.bus.transfers
    ms = table.round_ms(10) / 8
    ours = (table.world.bus.transfers - before) / 80
    table.simulated.close()
    transfers, stock_ms = _measure_stock_driver()
    yield Figure("empty poll of one reader", ours, "transfers", 17, STOCK, ours / transfers)
    yield Figure("empty poll, field switched", ms, "ms", 10, STOCK, ms / stock_ms)


def _measure_stock_driver() -> tuple[int, float]:
    """Return the transfers and ms that the stock package needs for an empty field."""
    with World(1, wires=SimulatedWires("ce")).install_stand_ins() as world:
        from mfrc522 import MFRC522  # noqa: PLC0415

        reader = MFRC522(pin_mode=11, pin_rst=25)
        transfers, begun = world.bus.transfers, world.now
        reader.MFRC522_Request(reader.PICC_REQIDL)
        return world.bus.transfers - transfers, (world.now - begun) * 1e3


def _measure_searches() -> Iterator[Figure]:
    chance = random.Random(1)
    for cards, ideal in IDEAL_MS.items():
        worst_ms, worst_transfers = 0.0, 0
        table = DriverTable.build()
        reader = table.hardware.readers.reader_at(1)
        assert isinstance(reader, Rc522Reader)
        for _ in range(SAMPLES):
            lying = table.lay_cards(chance, 0, cards)
            reader.switch_on()
            begun, before = table.world.now, table.world.bus.transfers
            found = TagSearch(reader.exchange, reader.positions).find_all()
            worst_ms = max(worst_ms, (table.world.now - begun) * 1e3)
            worst_transfers = max(worst_transfers, table.world.bus.transfers - before)
            reader.switch_off()
            assert len(found) == cards
            for card in lying:
                table.world.lift(card)
        table.simulated.close()
        if cards == 1:
            yield Figure("one 7-byte tag found", worst_transfers, "transfers", 58)
        yield Figure(f"{cards} tags enumerated, worst of {SAMPLES}", worst_ms, "ms", 1.5 * ideal)


def _measure_full_rounds(hertz: int, bars: Mapping[int, int]) -> Iterator[Figure]:
    table, chance = DriverTable.build(hertz), random.Random(2)
    for reader in range(8):
        table.lay_cards(chance, reader, 2)
    table.run_for(5)
    for microseconds, bar in bars.items():
        table.world.bus.host_ns = microseconds * 1_000
        what = f"8 readers, 2 cards each, {hertz // 1000} kHz, {microseconds} µs each"
        yield Figure(what, table.round_ms(), "ms", bar)
    table.simulated.close()


def _measure_rounds() -> Iterator[Figure]:
    table = DriverTable.build()
    yield Figure("a round of eight empty readers", table.round_ms(), "ms", 80)
    chance = random.Random(2)
    for reader in range(8):
        table.lay_cards(chance, reader, 2)
    table.run_for(5)
    waits = []
    for _ in range(200):
        table.run_for(chance.random() * 0.3)
        begun = table.world.now
        (card,) = table.lay_cards(chance, chance.randrange(8))
        waits.append((table.run_for(0.7)[0] - begun) * 1e3)
        table.world.lift(card)
        table.run_for(3)
    yield Figure("an arriving card told, p99 of 200", quantiles(waits, n=100)[98], "ms", 300)
    table.simulated.close()
