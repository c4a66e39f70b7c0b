"""The curve of fortunes: every line within the canvas, every label with room for itself."""

import re

import pytest

from companion.core.i18n import Message
from companion.table.outcomes import Evening, Milestone, Standing, TurningPoint
from tests.worlds.paths import ROOT
from web.rendering.curve import PHONE, SEAT_COLOURS, TABLE, Canvas, draw_curve, text_width

NAMES = ("Ana", "Maximiliane-Wilhelmine W", "Cem", "Dora", "Émile", "Fo")


def evening(*fortunes: tuple[int, ...]) -> Evening:
    """A game of as many players, each with these fortunes."""
    ends = sorted((each[-1] for each in fortunes), reverse=True)
    standings = sorted(
        (
            Standing(1 + ends.index(each[-1]), name, n, str(n), each[-1], Message("{points}"))
            for n, (name, each) in enumerate(zip(NAMES, fortunes, strict=False), 1)
        ),
        key=lambda one: one.place,
    )
    course = tuple(
        Milestone(n, Message(""), dict(zip(NAMES, each, strict=False)))
        for n, each in enumerate(zip(*fortunes, strict=True))
    )
    turn = TurningPoint(1, 1, standings[0].name, Message(""))
    return Evening("game", "id", "Game", "points", tuple(standings), course, turn, Message(""))


CLOSE = evening((10, 12, 20), (10, 9, 20), (10, 30, 19), (10, 0, 18), (10, 5, 18), (10, 7, 18))
DEBTS = evening((0, -10, -30), (0, 2, -4))


@pytest.mark.parametrize("canvas", [PHONE, TABLE])
@pytest.mark.parametrize("told", [CLOSE, DEBTS])
def test_everything_is_within_the_canvas(told: Evening, canvas: Canvas) -> None:
    drawn = draw_curve(told, canvas, str)
    assert drawn is not None
    labels = [line.label for line in drawn.lines]
    written = [re.findall(r"[ML]([-.0-9]+) ([-.0-9]+)", line.path) for line in drawn.lines]
    dots = [(float(x), float(y)) for path in written for x, y in path]
    assert len(dots) == len(drawn.lines) * len(told.course)
    assert all(0 <= x <= canvas.width and 0 <= y <= canvas.height for x, y in dots + labels)
    for line in drawn.lines:
        end = line.label[0] + canvas.text * (1 + text_width(line.name))
        assert end <= canvas.width + canvas.text


def test_the_colours_are_those_of_the_sheet() -> None:
    sheet = (ROOT / "web" / "static" / "css" / "main.css").read_text("utf-8")
    assert tuple(re.findall(r"^\.seat-\d \{ --seat: (#\w+);", sheet, re.MULTILINE)) == SEAT_COLOURS
