"""The curve of fortunes: where every line, mark and label of an evening is drawn.

Laws: pure geometry, in the lengths of its canvas.
A line is told by its colour, by its dashes, and by the number of the seat at its end.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec

from companion.core.i18n import Message, say_amount
from companion.table.outcomes import Evening

SEAT_COLOURS = ("#f2b33d", "#6cc5f5", "#f58f6c", "#b8e07a", "#d9a3ec", "#f7ec8a")
"""The colours of the seats, as web/static/css/main.css has them."""
DASHES = ("", "9 4", "2 4", "11 4 2 4", "5 3", "1 3 6 3")
"""Dashes of the lines by seat, for a line of width 2."""
ELLIPSIS = "…"
NARROW, WIDE = "ijltfrI1.,:;'’!|()[] -", "mwMWÆŒ@%&QOGDHUNÖÜ"
"""Letters that take about half as much room as others, or half as much again."""


class Canvas(msgspec.Struct, frozen=True):
    """The size of a drawing, of its letters, and the most room for names at the right."""

    width: int
    height: int
    text: int
    names: int
    stroke: float


PHONE = Canvas(300, 210, 13, 78, 2.2)
TABLE = Canvas(1000, 410, 43, 300, 6)
CANVASES = {"phone": PHONE, "table": TABLE}


class PlayerLine(msgspec.Struct, frozen=True):
    """A player's line: its path, its end, and where its number and name stand."""

    mark: str
    name: str
    colour: str
    dash: str
    path: str
    end: tuple[float, float]
    label: tuple[float, float]
    wins: bool


class Tick(msgspec.Struct, frozen=True):
    """A height that is marked, and its amount."""

    y: float
    label: Message


class Highlight(msgspec.Struct, frozen=True):
    """The deciding stretch: from, to, the winner's path in it, its end."""

    left: float
    right: float
    path: str
    end: tuple[float, float]


class Curve(msgspec.Struct, frozen=True):
    """The lines of the curve, the winner's last, on top of the others."""

    canvas: Canvas
    right: float
    ticks: tuple[Tick, ...]
    lines: tuple[PlayerLine, ...]
    highlight: Highlight | None


def draw_curve(evening: Evening, canvas: Canvas, named: Callable[[str], str]) -> Curve | None:
    """Return the drawing of an evening; None if there is no line to draw. `named` returns a
    player's label."""
    totals = [n for milestone in evening.course for n in milestone.fortunes.values()]
    if len(evening.course) < 2 or not totals:
        return None
    widest = max(text_width(named(one.name)) for one in evening.standings) * canvas.text
    canvas = msgspec.structs.replace(canvas, names=min(canvas.names, int(widest) + canvas.text))
    frame = _Frame(canvas, len(evening.course) - 1, (min(0, *totals), max(1, *totals)))
    lines = tuple(_draw_lines(evening, frame, named))
    ticks = tuple(Tick(frame.y(n), say_amount(evening.unit, n)) for n in frame.round_numbers())
    return Curve(canvas, frame.right, ticks, lines, _find_highlight(evening, frame))


class _Frame:
    """Maps a fortune after this many verdicts to the canvas."""

    def __init__(self, canvas: Canvas, verdicts: int, span: tuple[int, int]) -> None:
        self.canvas, self._verdicts = canvas, verdicts
        self.low, self.high = span
        self.mark = 0.62 * canvas.text
        self.top, self.bottom = 1.5 * canvas.text, canvas.height - 0.8 * canvas.text
        self.left, self.right = 0.3 * canvas.text, canvas.width - canvas.names - 4 * self.mark

    def x(self, n: int) -> float:
        return round(self.left + n * (self.right - self.left) / self._verdicts, 1)

    def y(self, fortune: int) -> float:
        share = (fortune - self.low) / (self.high - self.low)
        return round(self.bottom - share * (self.bottom - self.top), 1)

    def round_numbers(self) -> Iterator[int]:
        """Yield as many round amounts between the lowest and the highest as have room."""
        most = (self.bottom - self.top) / (2.6 * self.canvas.text)
        steps = (k * 10**e for e in range(9) for k in (1, 2, 5))
        step = next(step for step in steps if (self.high - self.low) / step < most)
        yield from range(-(-self.low // step) * step, self.high + 1, step)


def _draw_lines(
    evening: Evening, frame: _Frame, named: Callable[[str], str]
) -> Iterator[PlayerLine]:
    """Yield the lines, the winners' last."""
    ranked = evening.standings
    ends = [frame.y(evening.course[-1].fortunes[one.name]) for one in ranked]
    heights = spread(ends, 2.25 * frame.mark, (frame.mark, frame.canvas.height - frame.mark))
    for one, height in reversed(list(zip(ranked, heights, strict=True))):
        fortunes = [milestone.fortunes[one.name] for milestone in evening.course]
        dots = tuple((frame.x(n), frame.y(fortune)) for n, fortune in enumerate(fortunes))
        yield PlayerLine(
            one.mark,
            shorten(named(one.name), frame.canvas.names / frame.canvas.text),
            SEAT_COLOURS[(one.seat - 1) % len(SEAT_COLOURS)],
            _scale_dash(DASHES[(one.seat - 1) % len(DASHES)], frame.canvas.stroke / 2),
            _path(dots),
            dots[-1],
            (round(frame.right + 2.2 * frame.mark, 1), height),
            one.place == 1,
        )


def _find_highlight(evening: Evening, frame: _Frame) -> Highlight | None:
    turn = evening.turning_point
    if turn is None:
        return None
    stretch = evening.course[turn.n - 1 : turn.n + 1]
    dots = tuple(
        (frame.x(n), frame.y(milestone.fortunes[turn.winner]))
        for n, milestone in enumerate(stretch, turn.n - 1)
    )
    return Highlight(dots[0][0], dots[1][0], _path(dots), dots[1])


def _path(dots: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in dots)


def _scale_dash(dash: str, by: float) -> str:
    return " ".join(f"{float(part) * by:g}" for part in dash.split())


def spread(heights: Sequence[float], gap: float, within: tuple[float, float]) -> list[float]:
    """Move heights apart until each has this gap to the next, near where they were."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    moved = list(heights)
    for above, here in pairwise(order):
        moved[here] = max(moved[here], moved[above] + gap)
    low = within[1]
    for here in reversed(order):
        moved[here] = min(moved[here], low)
        low = moved[here] - gap
    return [round(max(within[0], height), 1) for height in moved]


# Letters are not measured, as no font is known here: their width is estimated, rather too wide.


def text_width(text: str) -> float:
    """Return about how wide a text is, in its own size."""
    return sum(0.36 if c in NARROW else 0.86 if c in WIDE else 0.6 for c in text)


def shorten(text: str, width: float) -> str:
    """Return a text that is at most so wide, in its own size; one that is cut ends in “…”."""
    if text_width(text) <= width:
        return text
    while text and text_width(text + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS
