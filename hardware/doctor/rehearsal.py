"""`companion doctor --sim`: the same examination on the simulated table, faults and all.

Law: the doctor does not know. Only the person differs: she lays cards on simulated readers,
presses simulated buttons and looks at simulated lamps.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hardware.advice import GROUPS
from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.machine import MachineFacts
from hardware.doctor.report import DoctorReport
from hardware.doctor.stages import StageOfWork, bus_wiring, examine_stage
from hardware.simulated_table import build_world, chip_number, with_decoder
from hardware.simulator.soldering import Soldering
from hardware.simulator.world import World
from hardware.wiring import Wiring
from hardware.wiring.joints import Joint, reader_part

CARD = "04c0ffee1234{place:02x}"


class SimulatedPerson:
    """A person at a simulated table, doing everything the doctor asks."""

    def __init__(self, world: World, wiring: Wiring) -> None:
        self._world, self._wiring = world, wiring
        self.soldering: Soldering | None = None
        """The wires, where they are not as they should be."""

    def ask_for_press(self, seat: int) -> None:
        self._world.tap(seat, 0.2)

    def lit_lamps(self) -> frozenset[int]:
        return frozenset(s for s in self._wiring.lamps if self._world.is_lamp_lit(s))

    def lays_card(self, place: int) -> bool:
        self._world.put(CARD.format(place=place), chip_number(self._wiring, place))
        return True

    def reads_voltage(self, high: str, low: str) -> float | None:
        for place in self._wiring.spi_readers():
            board = self._world.boards[chip_number(self._wiring, place)]
            if board.dead == 0x00 and high == Joint(reader_part(place), "3.3V").name:
                return 0.0
        if self.soldering is None:
            return 0.0 if high.endswith("-SCK") else 3.3
        self.soldering.take_lead()
        return self.soldering.measure(high, low)

    def lays_lead(self, start: str, end: str) -> bool:
        if self.soldering is not None:
            self.soldering.lay_lead(start, end)
        return True

    def plugs_in(self, place: int) -> bool:
        return True


Fault = Callable[[World], object]
"""Breaks something at a table; those of `hardware.simulator.faults` do."""
Solder = Callable[[Soldering], object]
"""Changes the wires of a table."""


def rehearse_examination(
    wiring: Wiring, fault: Fault | None = None, solder: Solder | None = None
) -> DoctorReport:
    """Examine a simulated table."""
    wiring = with_decoder(wiring)
    with _open_table(wiring, wiring, fault, solder) as (person, at):
        return examine_table(wiring, person, at)


def rehearse_stage(
    wiring: Wiring, work: StageOfWork, fault: Fault | None = None, solder: Solder | None = None
) -> DoctorReport:
    """Examine one stage of a simulated table; on the bus there is one reader, on a lead."""
    wiring = with_decoder(wiring)
    soldered = bus_wiring(wiring) if work.stage == "bus" else wiring
    with _open_table(wiring, soldered, fault, solder) as (person, at):
        return examine_stage(wiring, work, person, at)


@contextmanager
def _open_table(
    wiring: Wiring, soldered: Wiring, fault: Fault | None, solder: Solder | None
) -> Iterator[tuple[SimulatedPerson, Workplace]]:
    """Build a table, break it, and install its stand-ins."""
    world = build_world(soldered)
    if fault is not None:
        fault(world)
    person = SimulatedPerson(world, soldered)
    if solder is not None:
        numbers = {place: chip_number(soldered, place) for place in soldered.spi_readers()}
        person.soldering = Soldering(world, soldered, numbers)
        solder(person.soldering)
        person.soldering.take_effect()
    with world.install_stand_ins():
        yield person, Workplace(healthy_machine(wiring), world.clock, world.pin_factory())


def healthy_machine(wiring: Wiring) -> MachineFacts:
    """Return the facts of a machine without any fault."""
    devices = frozenset(f"/dev/spidev{bus}.{device}" for bus, device in wiring.spi_devices())
    return MachineFacts(
        model="Raspberry Pi (sim)",
        devices=devices,
        usable=devices,
        groups=frozenset(GROUPS),
        packages=frozenset(("rpi.gpio",)),
    )
