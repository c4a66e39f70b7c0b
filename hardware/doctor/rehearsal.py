"""`companion doctor --sim`: the same examination on the simulated table, faults and all.

Law: the doctor does not know. Only the person is another one: she lays cards on simulated
readers, presses simulated buttons and looks at simulated lamps.
"""

from collections.abc import Callable

from hardware.advice import GROUPS
from hardware.doctor.examine import Workplace, examine
from hardware.doctor.machine import Machine
from hardware.doctor.report import Line, Report
from hardware.simulated_table import chip_of, wired, world_of
from hardware.simulator import script
from hardware.simulator.world import World
from hardware.wiring import Wiring

CARD = "04c0ffee1234{place:02x}"


class Rehearser:
    """Somebody at a simulated table, who does as she is asked."""

    def __init__(self, world: World, wiring: Wiring) -> None:
        self._world, self._wiring = world, wiring

    def press(self, seat: int) -> None:
        self._world.tap(seat, 0.2)

    def sees(self, seat: int) -> bool:
        return self._world.lamp(seat)

    def lays(self, place: int) -> bool:
        self._world.put(CARD.format(place=place), chip_of(self._wiring, place))
        return True


def rehearse(
    wiring: Wiring, faults: str = "", tell: Callable[[Line], object] = lambda line: None
) -> Report:
    """Examine a simulated table; `faults` is a fault script, played from its first second on."""
    wiring = wired(wiring)
    world = world_of(wiring)
    script.play(world, faults)
    with world.installed():
        at = Workplace(_machine(wiring), world.clock, world.pin_factory())
        return examine(wiring, Rehearser(world, wiring), at, tell)


def _machine(wiring: Wiring) -> Machine:
    """A machine on which nothing is wrong."""
    devices = frozenset(f"/dev/spidev{bus}.{device}" for bus, device in wiring.lines())
    return Machine(
        model="Raspberry Pi (sim)",
        devices=devices,
        usable=devices,
        groups=frozenset(GROUPS),
        packages=frozenset(("rpi.gpio",)),
    )
