"""The file of a measuring run: its results, with version and units.

Laws: it holds no sticker's number. A file that is wrong is refused in one sentence that names the
field; what was skipped on the bench is missing, and nothing is invented for it.
"""

from pathlib import Path
from typing import Annotated

import msgspec

from companion.core.durable_files import write_file
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_
from hardware.errors import quote_text

VERSION = 1
MAX_SIZE = 100_000
NO_MEASUREMENTS = N_("{field} is no file of measurements that this companion reads.")
UNITS = {
    "transfer_us": "microseconds",
    "wake_ms": "milliseconds",
    "height_mm": "millimetres from the coil",
    "distance_mm": "millimetres from middle to middle",
    "heard": "share of questions answered",
    "gain": "decibels",
}

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Millimetres = Annotated[float, msgspec.Meta(gt=0, le=200)]


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The transmitter's setting: which drivers are on, and how well they conduct."""

    drivers: Annotated[int, msgspec.Meta(ge=1, le=3)]
    n: Annotated[int, msgspec.Meta(ge=0, le=15)]
    p: Annotated[int, msgspec.Meta(ge=0, le=63)]


class RangePoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sticker alone over a coil, in a slot or (0) in the middle.

    It was still heard with the first and no longer with the second of `power`, at the highest gain;
    and of `gain`, at full power. None stands for an end of the scale.
    """

    slot: Annotated[int, msgspec.Meta(ge=0, le=4)]
    height_mm: Millimetres
    heard: Share
    power: tuple[Power | None, Power | None] = (None, None)
    gain: tuple[int | None, int | None] = (None, None)


class PilePoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pile of cards: which share of them was heard."""

    cards: Annotated[int, msgspec.Meta(ge=1, le=6)]
    in_slots: bool
    heard: Share


class CrossPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sticker over one coil: how often the reader beside it heard it."""

    distance_mm: Millimetres
    heard: Share


class Measured(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All measurements; `air` is the version of the format."""

    air: int = VERSION
    companion: str
    made: str
    simulated: bool
    units: dict[str, str] = msgspec.field(default_factory=lambda: dict(UNITS))
    transfer_us: Annotated[float, msgspec.Meta(ge=0, le=10_000)] | None = None
    wake_ms: Annotated[float, msgspec.Meta(ge=0, le=1_000)] | None = None
    halt_is_obeyed: bool | None = None
    ranges: tuple[RangePoint, ...] = ()
    piles: tuple[PilePoint, ...] = ()
    cross_reads: tuple[CrossPoint, ...] = ()

    def farthest_mm(self) -> float | None:
        """Return the greatest height with most questions answered, over the middle."""
        heights = [one.height_mm for one in self.ranges if not one.slot and one.heard > 0.5]
        return max(heights, default=None)


def save_measured(path: Path, measured: Measured) -> None:
    """Write the file; NotWritten if the disk does not take it."""
    write_file(path, msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n", 0o644)


def load_measured(path: Path) -> Measured:
    """Read a file; Malformed, in one sentence, if it is none."""
    name = path.name
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise not_read(name, error) from None
    if len(data) > MAX_SIZE:
        raise Malformed(name, NO_MEASUREMENTS)
    try:
        measured = msgspec.json.decode(data, type=Measured)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        text = N_("{field} cannot be understood: {reason}.")
        raise Malformed(name, text, reason=quote_text(wrong).rstrip(".")) from None
    if measured.air != VERSION or measured.units != UNITS:
        raise Malformed(name, NO_MEASUREMENTS)
    return measured
