"""An air of one's own: the simulator's limits from measurements on a bench.

Laws: the couplings stay those of geometry; measured are the power that a sticker needs, the level
that a receiver needs, and the cost of a transfer. Every point narrows a limit from one side or
both; where the points contradict each other, the middle of the contradiction counts; a limit that
was not met on the bench stays as it is assumed.
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.i18n import N_
from hardware.measure.file import Measured, Power, RangePoint, load_measured
from hardware.simulator.air.airs import AIRS, FAINT, POWER_FIRST, Air, HearingLimits, PhysicsAir
from hardware.simulator.air.poses import pose_card
from hardware.simulator.air.table import load_table
from hardware.simulator.field import field_strength

Bounds = tuple[float | None, float | None]
"""Value below a limit, and value above it; None where it is not known."""


class ChosenAir(NamedTuple):
    """An air, and the cost of a transfer on its bus in nanoseconds; None for the usual one."""

    air: Air
    host_ns: int | None = None


def choose_air(name: str) -> ChosenAir:
    """Return an air by its name or from a file of measurements; Malformed if there is none."""
    if name in AIRS:
        return ChosenAir(AIRS[name]())
    path = Path(name)
    if not path.exists():
        text = N_("{field} is no file, and no air of this name is known; write one of {options}.")
        raise Malformed(name, text, options=", ".join(AIRS))
    measured = load_measured(path)
    host_ns = None if measured.transfer_us is None else round(measured.transfer_us * 1000)
    return ChosenAir(PhysicsAir(limits=calibrate_limits(measured)), host_ns)


def calibrate_limits(measured: Measured) -> HearingLimits:
    """Return the limits that agree with the measured ranges."""
    power, hearing = list[Bounds](), list[Bounds]()
    for point in measured.ranges:
        coupling = _coupling_of(point)
        if coupling < FAINT:
            continue
        heard, unheard = point.power
        power.append((_power_at(coupling, unheard), _power_at(coupling, heard)))
        if heard is not None:
            level = 40 * math.log10(coupling)
            lowest, missed = (None if g is None else level + g for g in point.gain)
            hearing.append((missed, lowest))
    return HearingLimits(
        _find_limit(power, POWER_FIRST.power), _find_limit(hearing, POWER_FIRST.hearing_db)
    )


def _coupling_of(point: RangePoint) -> float:
    """Return the coupling of a sticker at this point."""
    table = load_table()
    slot = point.slot - 1 if point.slot else None
    pose = pose_card(slot, table.assumptions.slot_pitch)
    return abs(table.with_reader(pose.x, pose.y, point.height_mm))


def _power_at(coupling: float, power: Power | None) -> float | None:
    """Return the share of the field over the middle that reaches a sticker at this power."""
    if power is None:
        return None
    field = field_strength(0x80 | power.drivers, power.n << 4, power.p)
    return coupling * field


def _find_limit(bounds: Iterable[Bounds], assumed: float) -> float:
    """Return a limit halfway between its nearest bounds, or the assumed one if it fits the known
    bound."""
    known = [*bounds]
    above = max((low for low, _ in known if low is not None), default=None)
    at_most = min((high for _, high in known if high is not None), default=None)
    if above is not None and at_most is not None:
        return (above + at_most) / 2
    if above is not None:
        return max(assumed, above)
    return assumed if at_most is None else min(assumed, at_most)
