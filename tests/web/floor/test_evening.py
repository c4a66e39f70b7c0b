"""The evening in numbers: its plots, its tables and its files, for who may see the floor."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.floor.evening_figures import ReaderTrend, TableHours, TitleFigures
from tests.web.floor.test_server import ask
from tests.worlds.kept_evening import keep_evening
from tests.worlds.served_floor import ServedFloor
from web.floor.plots import (
    LETTERS,
    MOST_ROWS,
    WIDTH,
    plot_bars,
    plot_hours,
    plot_lengths,
    plot_trends,
    shade_of,
)

PLOTS = ("games", "lengths", "hours", "seats", "judge", "corrections", "readers")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServedFloor]:
    served = ServedFloor(evening=keep_evening(tmp_path, tables=3))
    yield served
    served.close()


def test_every_plot_has_a_title_words_and_its_numbers_in_a_table(floor: ServedFloor) -> None:
    status, page, _ = ask(floor, "GET", "/evening?days=30")
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert (status, len(drawings), page.count("<table>")) == (200, len(PLOTS), len(PLOTS))
    for name, drawing in zip(PLOTS, drawings, strict=True):
        drawn = ElementTree.fromstring(drawing)
        assert drawn.attrib["aria-labelledby"] == f"{name}-title {name}-says"
        assert [bool(drawn.findtext(part)) for part in ("title", "desc")] == [True, True]
        assert len(list(drawn)) > 4
    assert "style=" not in page
    assert "tires" in page


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "La soirée en chiffres"), ("de", "Der Abend in Zahlen")]
)
def test_it_is_told_in_each_language(floor: ServedFloor, language: str, words: str) -> None:
    page = ask(floor, "GET", "/evening", **{"Accept-Language": language})[1]
    assert words in page
    assert "The evening" not in page


@pytest.mark.parametrize("name", ["games.csv", "hours.csv", "readers.csv"])
def test_a_file_has_a_line_for_each_and_no_formula(floor: ServedFloor, name: str) -> None:
    status, text, head = ask(floor, "GET", f"/evening/{name}?days=30")
    lines = list(csv.reader(io.StringIO(text)))
    assert (status, head["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert len(lines) > 3
    assert {len(line) for line in lines} == {len(lines[0])}
    assert "'=Table 1" in {line[0] for line in lines}


def test_a_file_that_is_none_is_not_found_and_a_day_that_is_none_is_one(
    floor: ServedFloor,
) -> None:
    assert ask(floor, "GET", "/evening/tables.csv")[0] == 404
    assert 'days=1" aria-current' in ask(floor, "GET", "/evening?days=-3")[1]


def test_from_elsewhere_the_pin_comes_first(floor: ServedFloor) -> None:
    elsewhere = {"X-Forwarded-For": "192.0.2.7"}
    assert ask(floor, "GET", "/evening", **elsewhere)[0] == 302
    assert ask(floor, "GET", "/evening/games.csv", **elsewhere)[0] == 401


def test_a_floor_without_games_says_so(tmp_path: Path) -> None:
    served = ServedFloor(evening=keep_evening(tmp_path, tables=0))
    page = ask(served, "GET", "/evening")[1]
    served.close()
    assert "No game has ended in this period" in page
    assert "<svg" not in page


def test_drawings_stay_within_their_width() -> None:
    title = TitleFigures("A title that is far too long for its row", 3, 0, (60, 7000, 90_000), 1, 0)
    lengths = plot_lengths([title])
    assert max(lengths.rows[0].dots) <= max(x for x, _ in lengths.ticks) <= WIDTH
    assert len(lengths.rows[0].label) <= LETTERS
    bars = plot_bars([("a", 0, "0"), ("b", 0, "0")])
    assert [bar.width for bar in bars.bars] == [0, 0]
    hours = plot_hours([TableHours(f"{n}", n, (0.1,) * 24) for n in range(100)])
    assert (len(hours.rows), hours.left_out) == (MOST_ROWS, 100 - MOST_ROWS)
    assert [shade_of(share) for share in (0, 0.1, 0.3, 0.6, 0.8, 1)] == [0, 1, 2, 3, 4, 4]
    trend = plot_trends([ReaderTrend("Table", 1, (4,), (0.0,))])
    assert trend.rows[0].dots[0][1] <= trend.height
