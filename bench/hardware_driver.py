"""Our driver and the unmodified stock package, side by side on the same simulated chip.

Law: 1 MHz, 30 µs of host time a transfer, virtual time; the figures do not depend on the
machine they are computed on.
"""

import random
from collections.abc import Iterator
from statistics import quantiles
from typing import NamedTuple

from hardware.assembly import Hardware
from hardware.rc522.anticollision import TagSearch
from hardware.simulated_table import SimulatedHardware
from hardware.simulator import faults
from hardware.simulator.world import SimulatedWires, World
from hardware.wiring import load_profile

IDEAL_MS = {1: 7.1, 2: 14.4, 4: 29.0, 6: 44.0}
SAMPLES = 50


class Figure(NamedTuple):
    """One promise, what was measured, and what the stock package does."""

    what: str
    ours: float
    bar: float
    unit: str
    stock: str = ""

    @property
    def met(self) -> bool:
        return self.ours <= self.bar

    def __str__(self) -> str:
        verdict = "met" if self.met else "MISSED"
        figure = (
            f"{self.what:<52} {self.ours:>11.2f} {self.unit:<10} <= {self.bar:>9.1f}  {verdict}"
        )
        return f"{figure:<96} {self.stock and 'stock: ' + self.stock}".rstrip()


class Table(NamedTuple):
    """A simulated table with our driver on it."""

    simulated: SimulatedHardware
    world: World
    hardware: Hardware

    @classmethod
    def built(cls) -> "Table":
        simulated = SimulatedHardware(load_profile("eight-readers"))
        return cls(simulated, simulated.world, simulated.hardware)

    def round_ms(self, rounds: int = 20) -> float:
        begun = self.world.now
        for _ in range(rounds):
            self.hardware.readers.visit_all()
        return (self.world.now - begun) / rounds * 1e3

    def run(self, seconds: float) -> list[float]:
        """When something was told, in the seconds to come."""
        told, end = list[float](), self.world.now + seconds
        while self.world.now < end:
            told += [news.at for news in self.hardware.readers.step()]
        return told

    def lay(self, chance: random.Random, reader: int, cards: int = 1):  # type: ignore[no-untyped-def]
        return [self.world.put(b"\x04" + chance.randbytes(6), reader) for _ in range(cards)]


def figures() -> Iterator[Figure]:
    """Every promise of the driver."""
    yield from _polls()
    yield from _searches()
    yield from _rounds()
    yield from _health()


def _polls() -> Iterator[Figure]:
    table = Table.built()
    before = table.world.bus.transfers
    ms = table.round_ms(10) / 8
    ours = (table.world.bus.transfers - before) / 80
    table.simulated.close()
    transfers, stock_ms = _stock()
    stock = f"{transfers} transfers, {stock_ms:.0f} ms"
    yield Figure("empty poll of one reader", ours, 20, "transfers", stock)
    yield Figure("empty poll of one reader, field switched", ms, 10, "ms", stock)


def _stock() -> tuple[int, float]:
    """What the package needs to learn that nobody is there."""
    with World(1, wires=SimulatedWires("ce")).install_stand_ins() as world:
        from mfrc522 import MFRC522  # noqa: PLC0415

        reader = MFRC522(pin_mode=11, pin_rst=25)
        transfers, begun = world.bus.transfers, world.now
        reader.MFRC522_Request(reader.PICC_REQIDL)
        return world.bus.transfers - transfers, (world.now - begun) * 1e3


def _searches() -> Iterator[Figure]:
    chance = random.Random(1)
    for cards, ideal in IDEAL_MS.items():
        worst_ms, worst_transfers = 0.0, 0
        table = Table.built()
        reader = table.hardware.readers.reader_at(1)
        for _ in range(SAMPLES):
            lying = table.lay(chance, 0, cards)
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
            yield Figure("one 7-byte tag found", worst_transfers, 60, "transfers")
        stock = "one at most" if cards > 1 else ""
        yield Figure(
            f"{cards} tags enumerated, worst of {SAMPLES}", worst_ms, 1.5 * ideal, "ms", stock
        )


def _rounds() -> Iterator[Figure]:
    table = Table.built()
    yield Figure("a round of eight empty readers", table.round_ms(), 80, "ms")
    chance = random.Random(2)
    for reader in range(8):
        table.lay(chance, reader, 2)
    table.run(5)
    yield Figure("a round of eight readers with two cards each", table.round_ms(), 200, "ms")
    waits = []
    for _ in range(200):
        table.run(chance.random() * 0.3)
        begun = table.world.now
        (card,) = table.lay(chance, chance.randrange(8))
        waits.append((table.run(0.7)[0] - begun) * 1e3)
        table.world.lift(card)
        table.run(3)
    yield Figure("an arriving card told, p99 of 200", quantiles(waits, n=100)[98], 300, "ms")
    table.simulated.close()


def _health() -> Iterator[Figure]:
    lost, found = 0.0, 0.0
    for reader in range(8):
        for byte in (0x00, 0xFF):
            table = Table.built()
            for other in range(8):
                table.lay(random.Random(other), other, 2)
            table.run(5)
            died, revive = table.world.now, faults.silence_reader(table.world, reader, byte)
            lost = max(lost, table.run(5)[0] - died)
            revive()
            revived = table.world.now
            found = max(found, table.run(8)[0] - revived)
            table.simulated.close()
    yield Figure("a dead reader is offline, worst of 16", lost, 2, "s", "never noticed")
    yield Figure("a revived reader is back, worst of 16", found, 5, "s")
