"""The plots of an evening: where every bar, box, cell and line is drawn, and what is said of them.

Laws: pure geometry, in the lengths of a drawing of WIDTH; colours are named by the sheet alone, so
that a plot follows day and night. No colour stands alone: every mark has its number beside it, or
stands in the table under the plot. Minutes are rounded.
"""

from collections.abc import Iterable, Sequence

import msgspec

from companion.floor.evening_figures import (
    FIRST_HOUR,
    ReaderTrend,
    TableHours,
    TitleFigures,
)

WIDTH, ROW, LABEL, AFTER = 420, 30, 126, 44
"""Of a drawing, its rows, the labels before them, and the room for numbers behind them."""
MOST_ROWS = 40
"""Tables in the plot of hours; the file has all."""
MOST_TRENDS = 8
LETTERS = 16
"""Letters of a label that have room."""


class PlotBar(msgspec.Struct, frozen=True):
    """A bar of a row: where it begins and ends, the number at its end."""

    label: str
    y: int
    width: float
    value: str


class BarPlot(msgspec.Struct, frozen=True):
    """Rows of bars."""

    height: int
    bars: tuple[PlotBar, ...]


class LengthRow(msgspec.Struct, frozen=True):
    """The lengths of the games of one box: each a dot, the middle one a line."""

    label: str
    y: int
    dots: tuple[float, ...]
    middle: float
    value: str


class LengthPlot(msgspec.Struct, frozen=True):
    """Rows of dots over a scale of minutes."""

    height: int
    rows: tuple[LengthRow, ...]
    ticks: tuple[tuple[float, int], ...]


class Cell(msgspec.Struct, frozen=True):
    """An hour of a table: where it is, and the step of its shade from 0 to 4."""

    x: float
    step: int


class HourRow(msgspec.Struct, frozen=True):
    """The hours of one table."""

    label: str
    y: int
    cells: tuple[Cell, ...]


class HourPlot(msgspec.Struct, frozen=True):
    """A row a table, a column an hour of the day."""

    height: int
    width: float
    rows: tuple[HourRow, ...]
    ticks: tuple[tuple[float, int], ...]
    left_out: int


class TrendRow(msgspec.Struct, frozen=True):
    """The retries of one reader, day by day."""

    label: str
    place: int
    y: int
    path: str
    dots: tuple[tuple[float, float], ...]
    is_tiring: bool
    value: str


class TrendPlot(msgspec.Struct, frozen=True):
    """A line a reader, all to one scale."""

    height: int
    rows: tuple[TrendRow, ...]
    highest: int


def plot_bars(values: Sequence[tuple[str, float, str]]) -> BarPlot:
    """Return bars of these labels, sizes and the words for the sizes."""
    most, room = max((size for _, size, _ in values), default=0) or 1, WIDTH - LABEL - AFTER
    bars = tuple(
        PlotBar(shorten(label), n * ROW, round(room * size / most, 1), words)
        for n, (label, size, words) in enumerate(values)
    )
    return BarPlot(ROW * len(bars), bars)


def plot_lengths(titles: Iterable[TitleFigures]) -> LengthPlot:
    """Return the lengths of the games of each box, in minutes."""
    found = [one for one in titles if one.lengths]
    longest = max((one.lengths[-1] for one in found), default=60.0) / 60
    step = next(step for step in (1, 2, 5, 10, 15, 30, 60, 120, 240, 480) if longest / step <= 6)
    room, end = WIDTH - LABEL - AFTER, max(step, -(-longest // step) * step)

    def x(minutes: float) -> float:
        return round(LABEL + room * minutes / end, 1)

    rows = tuple(
        LengthRow(
            shorten(one.title), n * ROW, tuple(x(each / 60) for each in one.lengths),
            x(one.median / 60), str(round(one.median / 60)),
        )
        for n, one in enumerate(found)
    )  # fmt: skip
    ticks = tuple((x(m), m) for m in range(0, int(end) + 1, step))
    return LengthPlot(ROW * len(rows) + 24, rows, ticks)


def plot_hours(hours: Sequence[TableHours]) -> HourPlot:
    """Return the shares of the hours of each table; of too many tables those used most."""
    most_used = sorted(hours, key=lambda one: -one.seconds)[:MOST_ROWS]
    shown = [one for one in hours if one in most_used]
    width = (WIDTH - LABEL) / 24
    rows = tuple(
        HourRow(
            shorten(one.name), n * 24 + 24,
            tuple(
                Cell(round(LABEL + k * width, 1), shade_of(share))
                for k, share in enumerate(one.shares)
            ),
        )
        for n, one in enumerate(shown)
    )  # fmt: skip
    ticks = tuple((round(LABEL + k * width, 1), (FIRST_HOUR + k) % 24) for k in range(0, 24, 3))
    height = 24 * len(rows) + 26
    return HourPlot(height, round(width - 1, 1), rows, ticks, len(hours) - len(shown))


def shade_of(share: float) -> int:
    """Return the step of a shade: 0 for unused, 1 to 4 for each quarter of an hour."""
    return 0 if share <= 0 else min(4, 1 + int(share * 4))


def plot_trends(trends: Sequence[ReaderTrend]) -> TrendPlot:
    """Return the lines of the readers that are worst."""
    shown = trends[:MOST_TRENDS]
    days = [day for one in shown for day in one.days]
    highest = max((rate for one in shown for rate in one.rates), default=1.0) or 1.0
    first, span = min(days, default=0), max(1, max(days, default=0) - min(days, default=0))
    room, height = WIDTH - LABEL - AFTER, ROW - 8

    def dot(n: int, day: int, rate: float) -> tuple[float, float]:
        x = LABEL + 4 + (room - 8) * (day - first) / span
        return round(x, 1), round(n * ROW + 4 + height * (1 - rate / highest), 1)

    rows = []
    for n, one in enumerate(shown):
        dots = tuple(dot(n, day, rate) for day, rate in zip(one.days, one.rates, strict=True))
        path = "M" + "L".join(f"{x} {y}" for x, y in dots)
        rows.append(
            TrendRow(
                shorten(one.name), one.place, n * ROW, path, dots, one.is_tiring,
                f"{one.rates[-1]:.0f}",
            )
        )  # fmt: skip
    return TrendPlot(ROW * len(rows), tuple(rows), round(highest))


def shorten(label: str) -> str:
    """Return a label that has room beside its row."""
    return label if len(label) <= LETTERS else label[: LETTERS - 1].rstrip() + "…"
