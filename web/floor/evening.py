"""Serve the evening of a floor in numbers: a page of plots, and files for a spreadsheet.

Laws: only who may see the floor sees it. What is shown is read and summed up beside the event loop,
so that no tile waits for a plot. Nothing is written here.
"""

import asyncio
import csv
import io
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from tornado.web import HTTPError

from companion.core.i18n import N_
from companion.floor.evening_figures import (
    FIRST_HOUR,
    EveningFigures,
    ReaderTrend,
    TableHours,
    TitleFigures,
    sum_up_evening,
)
from companion.floor.evening_store import DAY, read_games, read_readers
from web.floor import plots
from web.floor.drawing import draw_floor_page
from web.floor.server import FloorHandler, FloorPages, FloorRoute
from web.rendering import languages

PERIODS = {1: N_("Last 24 hours"), 7: N_("7 days"), 30: N_("30 days"), 365: N_("A year")}
FILES = {
    "games.csv": N_("Games"),
    "hours.csv": N_("Hours of the tables"),
    "readers.csv": N_("Readers"),
}
TREND_DAYS = 14
"""So many days of the readers are shown at least: a trend needs some."""
Row = Sequence[object]
Facts = dict[str, object]


def evening_routes(pages: FloorPages, path: Path) -> Sequence[FloorRoute]:
    """Return who answers for the evening that is kept in this file."""
    facts = {"pages": pages, "path": path}
    return [
        (r"/evening", EveningHandler, facts),
        (r"/evening/([a-z.]+)", EveningFileHandler, facts),
    ]


class KeptEveningHandler(FloorHandler):
    """What the page and the files have in common."""

    def initialize(self, pages: FloorPages, path: Path = Path()) -> None:
        super().initialize(pages)
        self.path = path

    @property
    def days(self) -> int:
        """Return the number of days that were asked for, one of PERIODS."""
        asked = self.get_query_argument("days", "1")
        return next((days for days in PERIODS if str(days) == asked), 1)


class EveningHandler(KeptEveningHandler):
    """The page of plots."""

    async def get(self) -> None:
        """Draw the figures of the days that are asked for; without the PIN lead to its form."""
        if not self.is_let_in:
            self.redirect("/")
            return
        draw = partial(_draw_page, self.path, self.days, time.time(), self.language)
        self.finish(await asyncio.to_thread(draw))


class EveningFileHandler(KeptEveningHandler):
    """The same as files of a spreadsheet."""

    async def get(self, name: str) -> None:
        """Send the games, the hours or the readers as CSV."""
        self.require_pin()
        if name not in FILES:
            raise HTTPError(404)
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        write = partial(_write_file, name, self.path, self.days, time.time())
        self.finish(await asyncio.to_thread(write))


def read_figures(path: Path, days: int, now: float) -> EveningFigures:
    """Return the figures of so many days before now, from the file of the floor."""
    games = list(read_games(path, now - days * DAY))
    since = int(now // DAY) - 1 - max(days, TREND_DAYS)
    return sum_up_evening(games, read_readers(path, since), days, hour_of)


def hour_of(moment: float) -> float:
    """Return the hour of the day by the local clock, with its fraction."""
    local = time.localtime(moment)
    return local.tm_hour + local.tm_min / 60 + local.tm_sec / 3600


def _draw_page(path: Path, days: int, now: float, language: str) -> str:
    figures, words = read_figures(path, days, now), languages.plain_words(language)
    _ = words["_"]
    spell = partial(spell_number, language=language)
    titles = figures.titles
    called = [(one.title, one.judge_called, one.games) for one in titles]
    put_right = [(one.title, one.put_right, one.games) for one in titles]
    return draw_floor_page(
        "evening",
        language,
        drawn={"width": plots.WIDTH, "label": plots.LABEL},
        figures=figures,
        days=days,
        periods=[(n, _(name)) for n, name in PERIODS.items()],
        files_offered=[(file, _(name)) for file, name in FILES.items()],
        games=plots.plot_bars([(one.title, one.games, str(one.games)) for one in titles]),
        game_rows=[(one.title, one.games, one.cut_short) for one in titles],
        lengths=plots.plot_lengths(titles),
        length_rows=[_length_row(one) for one in titles if one.lengths],
        hours=plots.plot_hours(figures.hours),
        hour_rows=[_hour_row(one) for one in figures.hours],
        seats=plots.plot_bars([(str(n), games, str(games)) for n, games in figures.seats]),
        seat_rows=figures.seats,
        judge=plots.plot_bars(_rates(called, spell)),
        judge_rows=[(title, n, spell(10 * n / games)) for title, n, games in called],
        corrections=plots.plot_bars(_rates(put_right, spell)),
        correction_rows=[(title, n, spell(10 * n / games)) for title, n, games in put_right],
        trends=plots.plot_trends(figures.readers),
        reader_rows=[_reader_row(one, _, spell) for one in figures.readers],
    )


def spell_number(value: float, language: str) -> str:
    """Return a number with one decimal, as this language writes it."""
    spelled = f"{value:.1f}"
    return spelled if language == "en" else spelled.replace(".", ",")


def _rates(
    counted: Iterable[tuple[str, int, int]], spell: Callable[[float], str]
) -> list[tuple[str, float, str]]:
    return [(title, n / games, spell(10 * n / games)) for title, n, games in counted]


def _length_row(one: TitleFigures) -> Row:
    return one.title, *(round(each / 60) for each in (one.lengths[0], one.median, one.lengths[-1]))


def _hour_row(one: TableHours) -> Row:
    minutes = round(one.seconds / 60)
    busiest = (max(range(24), key=one.shares.__getitem__) + FIRST_HOUR) % 24
    return one.name, f"{minutes // 60}:{minutes % 60:02d}", f"{busiest}–{busiest + 1}"


def _reader_row(one: ReaderTrend, _: Callable[[str], str], spell: Callable[[float], str]) -> Row:
    state = _(N_("tires")) if one.is_tiring else _(N_("as usual"))
    return one.name, one.place, spell(one.rates[-1]), state


def _write_file(name: str, path: Path, days: int, now: float) -> str:
    rows = {"games.csv": _game_lines, "hours.csv": _hour_lines, "readers.csv": _reader_lines}
    file = io.StringIO()
    lines = rows[name](path, days, now)
    csv.writer(file).writerows([_defuse(each) for each in line] for line in lines)
    return file.getvalue()


def _defuse(value: object) -> object:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def _game_lines(path: Path, days: int, now: float) -> Iterable[Row]:
    yield ("table", "box", "title", "ended", "minutes", "seats", "judge called", "put right",
           "cut short")  # fmt: skip
    for game in read_games(path, now - days * DAY):
        ended = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.ended))
        yield (game.name, game.game, game.title, ended, round(game.seconds / 60, 1), game.seats,
               game.judge_called, game.put_right, int(game.is_cut_short))  # fmt: skip


def _hour_lines(path: Path, days: int, now: float) -> Iterable[Row]:
    hours = [(FIRST_HOUR + n) % 24 for n in range(24)]
    yield ("table", "hours played", *(f"{hour}:00" for hour in hours))
    for one in read_figures(path, days, now).hours:
        yield (one.name, round(one.seconds / 3600, 2), *(round(share, 3) for share in one.shares))


def _reader_lines(path: Path, days: int, now: float) -> Iterable[Row]:
    yield ("table", "reader", "day", "hours", "retries")
    for one in read_readers(path, int(now // DAY) - 1 - max(days, TREND_DAYS)):
        day = time.strftime("%Y-%m-%d", time.gmtime(one.day * DAY))
        yield one.name, one.place, day, round(one.seconds / 3600, 2), one.retries
