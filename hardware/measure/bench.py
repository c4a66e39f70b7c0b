"""The persons at the bench: one at a terminal, and one at a simulated bench.

Law: the walk does not know. Only the hands differ: here they lay simulated stickers, in an air and
on a bus whose values are given.
"""

from collections.abc import Callable

import msgspec

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.errors import HardwareError
from hardware.measure.file import Measured
from hardware.measure.walk import DISTANCES, MEASUREMENTS, Arrangement, measure_bench
from hardware.rc522 import driver
from hardware.simulated_table import build_world, chip_number, with_decoder
from hardware.simulator.air.airs import Air, PhysicsAir
from hardware.simulator.air.poses import SLEEVED, pose_card
from hardware.simulator.air.table import load_table
from hardware.simulator.tag import Tag
from hardware.simulator.world import World, tag_of
from hardware.wiring import Wiring

STICKER = "04be0c{n:02x}112233"
YES = ("y", "yes", "j", "ja", "o", "oui")


class TerminalBench:
    """A person at a terminal, told to lay stickers."""

    def __init__(self, ask: Callable[[Message], str]) -> None:
        self._ask = ask

    def arranges(self, arrangement: Arrangement, number: int) -> bool:
        text = "{number} of {total}: {use} Done? [y, or n to skip]"
        asked = message(text, number=number, total=MEASUREMENTS, use=arrangement.asks)
        return self._ask(asked).strip().lower() in YES


class SimulatedBench:
    """Hands at a simulated bench; a second module is the neighbour of the first."""

    def __init__(self, world: World, first: int) -> None:
        self._world, self._first = world, first
        self._laid: list[Tag] = []

    def arranges(self, arrangement: Arrangement, number: int) -> bool:
        for tag in self._laid:
            self._world.lift(tag)
        self._laid.clear()
        aside, height = DISTANCES[0] - arrangement.distance, load_table().assumptions.bed
        for card in arrangement.cards:
            lifted = max(SLEEVED, card.height - height) if not self._laid else SLEEVED
            slot = card.slot - 1 if card.slot else None
            pose = pose_card(slot, self._world.air.slot_pitch, askew=(aside, 0.0), thickness=lifted)
            tag = tag_of(STICKER.format(n=card.sticker))
            self._laid.append(self._world.lay(tag, self._first, pose))
        return True


def measure_wired(wiring: Wiring, clock: Clock, ask: Callable[[Message], str]) -> Measured:
    """Measure with the first readers of a wired bench, two at most."""
    return _start_and_measure(wiring, clock, TerminalBench(ask), simulated=False)


def rehearse_measuring(
    wiring: Wiring, air: Air | None = None, host_ns: int | None = None
) -> Measured:
    """Measure a simulated bench, in this air and with this cost of a transfer."""
    wiring = with_decoder(wiring)
    world = build_world(wiring, air=air or PhysicsAir())
    if host_ns is not None:
        world.bus.host_ns = host_ns
    first = chip_number(wiring, next(iter(wiring.spi_readers())))
    with world.install_stand_ins():
        return _start_and_measure(wiring, world.clock, SimulatedBench(world, first), simulated=True)


def _start_and_measure(
    wiring: Wiring, clock: Clock, person: TerminalBench | SimulatedBench, *, simulated: bool
) -> Measured:
    own = msgspec.structs.replace(wiring, readers=dict(wiring.spi_readers()))
    if not own.readers:
        text = "Measuring needs a reader on wires, and this wiring has none."
        raise HardwareError(message(text))
    opened = driver.open_readers(own, clock)
    try:
        for line in opened.reset_lines:
            line.pull()
        readers = list(opened.by_place.values())
        return measure_bench(readers, clock, person, simulated=simulated)
    finally:
        opened.close()
