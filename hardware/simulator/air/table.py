"""The computed table of couplings: how it is made, stored and looked up.

Law: what is stored is what `compute_table` returns for the assumptions in its head; between the
stored points it is straight, and beyond them nothing couples.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from hardware.simulator.air.neumann import (
    Coils,
    inductance_of_sticker,
    mutual_of_stickers,
    mutual_with_reader,
)

STORED = Path(__file__).with_name("air.json")
REFERENCE = 6.0
"""Height in mm over the middle of a place at which the coupling is 1: one sleeved card."""
ASIDE = (*range(0, 41, 2), 45, 50, 60, 70, 80, 100, 130)
HEIGHTS = (1, 2, 3.5, 5, 6, 7, 8.5, 10, 12.5, 15, 17.5, 20, 25, 30, 40)
APART = (*range(0, 31), 35, 40, 50, 60)
ABOVE = (0.2, 0.4, 0.6, 0.9, 1.2, 1.8, 2.4, 3, 4.5, 6, 9, 12, 20)


class AirTable(msgspec.Struct, frozen=True):
    """Couplings over a place, for one set of assumptions."""

    assumptions: Coils
    aside: tuple[float, ...]
    heights: tuple[float, ...]
    reader: tuple[tuple[tuple[float, ...], ...], ...]
    """By height, then by the larger and the smaller distance aside: 1 over the middle."""
    apart: tuple[float, ...]
    above: tuple[float, ...]
    stickers: tuple[tuple[float, ...], ...]
    """By the distance above, then by that aside: the coupling factor of two stickers."""

    def with_reader(self, x: float, y: float, height: float) -> float:
        """Return the signed coupling of a sticker to the reader's coil."""
        far, near = max(abs(x), abs(y)), min(abs(x), abs(y))
        if far >= self.aside[-1] or height >= self.heights[-1]:
            return 0.0
        low, up = _find_between(self.heights, height)
        one, along = _find_between(self.aside, far)
        two, across = _find_between(self.aside, near)
        return _mix_values(up, *(_mix_values(along, *(
            _mix_values(across, self._read_stored(h, m, two), self._read_stored(h, m, two + 1))
            for m in (one, one + 1))) for h in (low, low + 1)))  # fmt: skip

    def of_stickers(self, apart: float, above: float) -> float:
        """Return the coupling factor k of two stickers, with its sign."""
        if apart >= self.apart[-1] or above >= self.above[-1]:
            return 0.0
        low, up = _find_between(self.above, above)
        one, along = _find_between(self.apart, apart)
        return _mix_values(
            up, *(_mix_values(along, *self.stickers[n][one : one + 2]) for n in (low, low + 1))
        )

    def _read_stored(self, height: int, one: int, other: int) -> float:
        return self.reader[height][max(one, other)][min(one, other)]


def compute_table(coils: Coils) -> AirTable:
    """Return the table for these assumptions; it takes some seconds."""
    return AirTable(
        coils,
        ASIDE,
        HEIGHTS,
        tuple(tuple(tuple(reader_coupling(coils, x, y, h) for y in ASIDE if y <= x) for x in ASIDE)
              for h in HEIGHTS),
        APART,
        ABOVE,
        tuple(tuple(sticker_coupling(coils, x, z) for x in APART) for z in ABOVE),
    )  # fmt: skip


def reader_coupling(coils: Coils, x: float, y: float, height: float) -> float:
    """Return the coupling of a sticker to the reader, 1 over the middle, as it is stored."""
    return round(mutual_with_reader(coils, x, y, height) / _reference_coupling(coils), 4)


def sticker_coupling(coils: Coils, apart: float, above: float) -> float:
    """Return the coupling factor of two stickers as it is stored."""
    return round(mutual_of_stickers(coils, apart, above) / _own_inductance(coils), 4)


@cache
def _reference_coupling(coils: Coils) -> float:
    return mutual_with_reader(coils, 0.0, 0.0, REFERENCE)


@cache
def _own_inductance(coils: Coils) -> float:
    return inductance_of_sticker(coils)


@cache
def load_table() -> AirTable:
    """Return the stored table."""
    return msgspec.json.decode(STORED.read_bytes(), type=AirTable)


def write_table(table: AirTable, file: Path) -> None:
    """Store a table, one key a line."""
    fields = msgspec.to_builtins(table)
    lines = (f'"{key}": {msgspec.json.encode(value).decode()}' for key, value in fields.items())
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def _find_between(axis: Sequence[float], value: float) -> tuple[int, float]:
    """Return the stored point below a value, and the share of the way to the next."""
    low = min(max(bisect_right(axis, value) - 1, 0), len(axis) - 2)
    return low, max(0.0, (value - axis[low]) / (axis[low + 1] - axis[low]))


def _mix_values(share: float, low: float, high: float) -> float:
    return low + share * (high - low)
