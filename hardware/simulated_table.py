"""Hardware backend of the simulated table: the real driver on simulated chips.

Law: nothing here knows what a card is. Hands move `world`; the driver, the debounce and the
presence are those of a real table, and see the world only through its wires. Its air is that of
physics unless another is given. A process has one set of pins, so it runs one simulated table at a
time, as a Pi runs one real one.
"""

import time
from collections.abc import Sequence
from contextlib import ExitStack

import msgspec

from companion.core.sensor_events import Evidence, Lamp, ReaderCondition
from hardware.assembly import IDLE, Hardware, assemble_hardware
from hardware.clock import Clock
from hardware.simulator.air.airs import Air, PhysicsAir
from hardware.simulator.driver import SimulatedAddress
from hardware.simulator.world import SimulatedWires, World
from hardware.wiring import DEFAULT, SpiAddress, Wiring, load_profile
from hardware.wiring.wires import BUSES, ENABLES, HEADER

MOST_BEHIND = 0.5
"""Seconds: a simulation that cannot keep up lets the rest of the time go."""


class SimulatedHardware:
    """Simulated hardware that keeps pace with a clock; both ports in one."""

    def __init__(
        self,
        wiring: Wiring,
        pace: Clock = time,
        air: Air | None = None,
    ) -> None:
        self.wiring = wiring = with_decoder(wiring)
        self.world = build_world(wiring, air=air or PhysicsAir())
        self._pace, self._wires = pace, ExitStack()
        self._wires.enter_context(self.world.install_stand_ins())
        factory = self.world.pin_factory()
        self.hardware: Hardware = assemble_hardware(wiring, self.world.clock, factory)
        self.hardware.on_close(self._wires.close)
        self._begun = pace.monotonic() - self.world.now

    def sense(self) -> Sequence[Evidence]:
        """Run the world up to the clock, then return the evidence on the way."""
        self.run_until(self._pace.monotonic() - self._begun)
        return self.hardware.sense()

    def run_until(self, moment: float) -> None:
        """Visit readers until the world's clock shows this moment."""
        behind = moment - self.world.now - MOST_BEHIND
        if behind > 0:
            self._begun += behind
            moment -= behind
        while self.world.now < moment:
            before = self.world.now
            self.hardware.step()
            self.world.sleep(IDLE if self.world.now == before else 0)

    def light(self, seat: int, lamp: Lamp) -> None:
        self.hardware.light(seat, lamp)

    def steps(self) -> int:
        return self.hardware.steps

    def conditions(self) -> list[ReaderCondition]:
        return self.hardware.conditions()

    def stuck_buttons(self) -> list[int]:
        return self.hardware.stuck_buttons()

    def close(self) -> None:
        self.hardware.close()


def with_decoder(wiring: Wiring) -> Wiring:
    """Return a profile without SPI readers, whose readers are numbered (`sim:3`) or on USB, with
    simulated ones behind a decoder on free pins."""
    if not wiring.readers or wiring.spi_readers():
        return wiring
    taken = {0, 1, ENABLES[0, 0], *BUSES[0], *(pin for pin, _ in wiring.pin_uses())}
    free = [pin for pin in HEADER if pin not in taken]
    return msgspec.structs.replace(
        wiring,
        readers=_behind_decoder(wiring),
        reset=free[0] if wiring.reset is None else wiring.reset,
        address_lines=tuple(free[1:4]),
    )


def _behind_decoder(wiring: Wiring) -> dict[int, SpiAddress]:
    """Return an output of the decoder for each reader: its number if all have one."""
    numbers = {p: a.channel for p, a in wiring.readers.items() if isinstance(a, SimulatedAddress)}
    if len(numbers) < len(wiring.readers):
        numbers = {place: channel for channel, place in enumerate(wiring.readers)}
    return {place: SpiAddress("mux", channel=channel) for place, channel in numbers.items()}


def build_world(wiring: Wiring, air: Air | None = None) -> World:
    """Return a world with the wires of a profile, and an air, ideal by default."""
    mux = bool(wiring.address_lines)
    readers = wiring.spi_readers().values()
    lines = tuple(a.spi_device for a in readers if a.kind == "mux" or not mux)
    places = 1 + max((a.channel for a in readers), default=0) if mux else len(lines)
    wires = SimulatedWires(
        wiring="mux" if mux else "ce",
        address=wiring.address_lines,
        lines=lines,
        reset=wiring.reset,
        buttons=wiring.buttons,
        lamps=wiring.lamps,
    )
    return World(places, wires=wires, air=air)


def chip_number(wiring: Wiring, place: int) -> int:
    """Return the number of the world's reader that lies at a place."""
    if wiring.address_lines:
        return wiring.spi_readers()[place].channel
    return list(wiring.readers).index(place)


def connect(wiring: str | Wiring = DEFAULT) -> tuple[SimulatedHardware, SimulatedHardware]:
    """Return senses and lamps of a simulated table, for `backends.connect`."""
    loaded = load_profile(wiring) if isinstance(wiring, str) else wiring
    simulated = SimulatedHardware(loaded)
    return simulated, simulated
