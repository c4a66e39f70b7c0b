"""`companion doctor --sim`: the same examination on the simulated table, faults and all.

Law: the doctor does not know. Only the person differs: she lays cards on simulated readers,
presses simulated buttons and looks at simulated lamps.
"""

from collections.abc import Callable

from hardware.advice import GROUPS
from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.machine import MachineFacts
from hardware.doctor.report import DoctorReport, ReportLine
from hardware.doctor.stages import StageOfWork, bus_wiring, examine_stage
from hardware.simulated_table import build_world, chip_number, with_decoder
from hardware.simulator import script
from hardware.simulator.world import World
from hardware.wiring import Wiring

CARD = "04c0ffee1234{place:02x}"


class SimulatedPerson:
    """A person at a simulated table, who does all that the doctor asks."""

    def __init__(self, world: World, wiring: Wiring) -> None:
        self._world, self._wiring = world, wiring

    def ask_for_press(self, seat: int) -> None:
        self._world.tap(seat, 0.2)

    def sees_lamp(self, seat: int) -> bool:
        return self._world.is_lamp_lit(seat)

    def lays_card(self, place: int) -> bool:
        self._world.put(CARD.format(place=place), chip_number(self._wiring, place))
        return True

    def measures_supply(self, high: str, low: str) -> bool:
        return any(board.dead != 0x00 for board in self._world.boards)

    def lays_lead(self, start: str, end: str, place: int) -> bool:
        return True


def rehearse_examination(
    wiring: Wiring, faults: str = "", on_line: Callable[[ReportLine], object] = lambda line: None
) -> DoctorReport:
    """Examine a simulated table; `faults` is a fault script, played from its first second on."""
    wiring = with_decoder(wiring)
    world = build_world(wiring)
    script.play_script(world, faults)
    with world.install_stand_ins():
        at = Workplace(healthy_machine(wiring), world.clock, world.pin_factory())
        return examine_table(wiring, SimulatedPerson(world, wiring), at, on_line)


def rehearse_stage(wiring: Wiring, work: StageOfWork, faults: str = "") -> DoctorReport:
    """Examine one stage of a simulated table; on the bus there is one reader, on a lead."""
    wiring = with_decoder(wiring)
    soldered = bus_wiring(wiring) if work.stage == "bus" else wiring
    world = build_world(soldered)
    script.play_script(world, faults)
    with world.install_stand_ins():
        at = Workplace(healthy_machine(wiring), world.clock, world.pin_factory())
        return examine_stage(wiring, work, SimulatedPerson(world, wiring), at)


def healthy_machine(wiring: Wiring) -> MachineFacts:
    """Return facts of a machine on which nothing is wrong."""
    devices = frozenset(f"/dev/spidev{bus}.{device}" for bus, device in wiring.spi_devices())
    return MachineFacts(
        model="Raspberry Pi (sim)",
        devices=devices,
        usable=devices,
        groups=frozenset(GROUPS),
        packages=frozenset(("rpi.gpio",)),
    )
