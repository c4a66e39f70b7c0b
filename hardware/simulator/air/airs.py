"""The two airs: the ideal one of unit tests, and the one of physics.

Laws of the ideal air: a tag's coupling is a number, 1.0 flat on the antenna, 0.0 far away. It has
power from 0.05 on; a receiver hears it when 20·log10(coupling) + gain reaches 18 dB.

Laws of the physics air: a coupling follows from where the sticker lies, 1 over the middle of a
place. The stickers of a pile are coupled resonators, tuned to the carrier and 0.27 MHz wide to
either side; what the reader induces in all is solved as one linear system. A tag has power as far
as builders report, 12 mm above the coil, and its capacitor takes the longer to fill the nearer it
is to that. The receiver hears the square of the coupling, for the way there and the way back, times
the field.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from hardware.simulator.air.neumann import Coils
from hardware.simulator.air.poses import Pose
from hardware.simulator.air.table import AirTable, load_table

CARRIER, BAND = 13.56, 0.27
"""MHz: what the reader sends, and how far from its own resonance a sticker still swings well."""
QUALITY = CARRIER / (2 * BAND)
FAINT = 0.005
"""The weakest coupling that is reckoned with at all."""
ROW = 4
"""Places in a row of the table."""
START_NS, CHARGE_NS = 500_000, 2_000_000
"""Least time of a tag's start, and the time constant of its capacitor."""


class HearingLimits(msgspec.Struct, frozen=True):
    """Power that a tag needs, and level that a receiver needs, by a full field over the middle."""

    power: float
    """The share of the field that starts a tag."""
    hearing_db: float = -7.0
    """The answer's level plus gain that a receiver hears half the time."""


RANGE = 12.0
"""Reach in mm of a sticker over the middle of the coil: builders report 8 to 15."""
WAIT_NS = 5_000_000
"""After the field came on: when a driver asks first."""


def power_limits(reach: float) -> HearingLimits:
    """Return the limits of a reader that is answered up to this many mm above its coil: as builders
    report it, the gain hardly changes the distance."""
    charged = 1 - math.exp(-(WAIT_NS - START_NS) / CHARGE_NS)
    return HearingLimits(load_table().with_reader(0, 0, reach) * charged)


POWER_FIRST = power_limits(RANGE)


class LaidTag(NamedTuple):
    """A tag as one antenna meets it: its coupling by itself, its place, and its pose if any."""

    coupling: float
    place: int = 0
    pose: Pose | None = None
    height: float = 0.0


class Air(Protocol):
    """The port of an air to the field. A coupling has a sign until `join_couplings` drops it."""

    power_floor: float
    hearing_floor_db: float
    slot_pitch: float
    """Between two sticker slots of a card that lie side by side, in mm."""

    def pile_couplings(
        self, place: int, poses: Sequence[Pose], places: int
    ) -> list[dict[int, LaidTag]]:
        """Return for each card of a pile, from below, how the antennas meet it, by number."""

    def join_couplings(self, tags: Sequence[LaidTag]) -> list[float]:
        """Return the coupling of each tag while all lie in one field."""

    def loudness_db(self, coupling: float) -> float:
        """Return the level of an answer, 0 at a coupling of 1."""

    def field_db(self, drive: float) -> float:
        """Return the loss of an answer's level in a weaker field, in dB."""

    def start_ns(self, own_ns: int, power: float) -> int:
        """Return a tag's start-up time, given that of its make."""


class IdealAir:
    """Couplings by decree; cards of a pile do not know of each other."""

    power_floor = 0.05
    hearing_floor_db = 18.0
    slot_pitch = Coils().slot_pitch

    def pile_couplings(
        self, place: int, poses: Sequence[Pose], places: int
    ) -> list[dict[int, LaidTag]]:
        return [{place: LaidTag(1.0)} for _ in poses]

    def join_couplings(self, tags: Sequence[LaidTag]) -> list[float]:
        return [abs(tag.coupling) for tag in tags]

    def loudness_db(self, coupling: float) -> float:
        return 20 * math.log10(coupling)

    def field_db(self, drive: float) -> float:
        return 0.0

    def start_ns(self, own_ns: int, power: float) -> int:
        return own_ns


class PhysicsAir:
    """Couplings by geometry, detuning by the coupling of the stickers among themselves."""

    def __init__(self, table: AirTable | None = None, limits: HearingLimits = POWER_FIRST) -> None:
        self.table = table or load_table()
        self.power_floor, self.hearing_floor_db = limits.power, limits.hearing_db
        self.slot_pitch = self.table.assumptions.slot_pitch

    def pile_couplings(
        self, place: int, poses: Sequence[Pose], places: int
    ) -> list[dict[int, LaidTag]]:
        height, found = self.table.assumptions.bed, list[dict[int, LaidTag]]()
        for pose in poses:
            height += pose.thickness
            found.append(self._reach_of(place, pose, height, places))
        return found

    def join_couplings(self, tags: Sequence[LaidTag]) -> list[float]:
        system = [[self._impedance(one, other) for other in tags] for one in tags]
        return [abs(current) for current in solve(system, [tag.coupling for tag in tags])]

    def loudness_db(self, coupling: float) -> float:
        return 40 * math.log10(coupling)

    def field_db(self, drive: float) -> float:
        return 20 * math.log10(drive)

    def start_ns(self, own_ns: int, power: float) -> int:
        left = max(1 - self.power_floor / power, 1e-6)
        return START_NS + round(-CHARGE_NS * math.log(left))

    def _reach_of(self, place: int, pose: Pose, height: float, places: int) -> dict[int, LaidTag]:
        pitch, found = self.table.assumptions.place_pitch, dict[int, LaidTag]()
        for antenna in range(places):
            aside = pitch * (place % ROW - antenna % ROW)
            along = pitch * (place // ROW - antenna // ROW)
            coupling = self.table.with_reader(pose.x + aside, pose.y + along, height)
            if antenna == place or abs(coupling) >= FAINT:
                found[antenna] = LaidTag(coupling, place, pose, height)
        return found

    def _impedance(self, one: LaidTag, other: LaidTag) -> complex:
        """Return the mutual impedance of two stickers, in units of the first one's losses."""
        if one is other:
            return 1
        if one.pose is None or other.pose is None or one.place != other.place:
            return 0
        apart = math.hypot(one.pose.x - other.pose.x, one.pose.y - other.pose.y)
        return 1j * QUALITY * self.table.of_stickers(apart, abs(one.height - other.height))


AIRS: Mapping[str, Callable[[], Air]] = {"physics": PhysicsAir, "ideal": IdealAir}
"""The airs by name."""


def solve(system: Sequence[Sequence[complex]], right: Sequence[complex]) -> list[complex]:
    """Solve a linear system by elimination, the largest pivot first."""
    rows = [[*row, value] for row, value in zip(system, right, strict=True)]
    size = len(rows)
    for n in range(size):
        best = max(range(n, size), key=lambda m: abs(rows[m][n]))
        rows[n], rows[best] = rows[best], rows[n]
        for m in range(n + 1, size):
            factor = rows[m][n] / rows[n][n]
            rows[m] = [a - factor * b for a, b in zip(rows[m], rows[n], strict=True)]
    found = [0j] * size
    for n in reversed(range(size)):
        known = sum(rows[n][m] * found[m] for m in range(n + 1, size))
        found[n] = (rows[n][size] - known) / rows[n][n]
    return found
