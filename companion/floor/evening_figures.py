"""The evening of a floor in figures: games and their lengths, hours, seats, the judge, readers.

Laws: pure sums of what the floor has kept, and nothing of them is about a person. An hour counts as
used for as long as games lasted, set back from when they ended: breaks are not counted. A reader
tires when it asks again at least TIRING times an hour, and twice as often as on its usual day.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from statistics import median

import msgspec

from companion.floor.evening_store import EveningGame, KeptReader
from companion.floor.tiles import sortable_name

HOUR = 3600.0
FIRST_HOUR = 6
"""A day of a café begins at six in the morning."""
TIRING = 10.0
USUAL_DAYS = 3
"""So many days before the newest one tell what is usual."""
LISTENED = 600.0
"""Seconds of a day below which a rate of retries says nothing."""


class TitleFigures(msgspec.Struct, frozen=True):
    """The games of one box; lengths in seconds, of those that were played to their end."""

    title: str
    games: int
    cut_short: int
    lengths: tuple[float, ...]
    judge_called: int
    put_right: int

    @property
    def median(self) -> float:
        return median(self.lengths) if self.lengths else 0.0


class TableHours(msgspec.Struct, frozen=True):
    """How much of each hour of the day a table was played at, from FIRST_HOUR on, as shares."""

    name: str
    seconds: float
    shares: tuple[float, ...]


class ReaderTrend(msgspec.Struct, frozen=True):
    """The retries of one reader per hour, day by day."""

    name: str
    place: int
    days: tuple[int, ...]
    rates: tuple[float, ...]

    @property
    def is_tiring(self) -> bool:
        """Return whether the newest day is much worse than the usual one."""
        before = self.rates[:-1]
        if len(before) < USUAL_DAYS:
            return False
        return self.rates[-1] >= max(TIRING, 2 * median(before))


class EveningFigures(msgspec.Struct, frozen=True):
    """All that the page of the evening shows."""

    games: int
    titles: tuple[TitleFigures, ...]
    hours: tuple[TableHours, ...]
    seats: tuple[tuple[int, int], ...]
    """How many games were played from so many seats."""
    readers: tuple[ReaderTrend, ...]


def sum_up_evening(
    games: Sequence[EveningGame],
    readers: Iterable[KeptReader],
    days: int,
    hour_of: Callable[[float], float],
) -> EveningFigures:
    """Return the figures of so many days; `hour_of` tells the hour of the day of a time."""
    return EveningFigures(
        len(games),
        tuple(_sum_titles(games)),
        tuple(_sum_hours(games, days, hour_of)),
        tuple(sorted(Counter(game.seats for game in games).items())),
        tuple(sorted(_follow_readers(readers), key=_worst_first)),
    )


def _sum_titles(games: Sequence[EveningGame]) -> Iterator[TitleFigures]:
    """Yield the boxes, the one played most first."""
    of_title = defaultdict[str, list[EveningGame]](list)
    for game in games:
        of_title[game.title].append(game)
    for title, found in sorted(of_title.items(), key=lambda item: (-len(item[1]), item[0])):
        yield TitleFigures(
            title,
            len(found),
            sum(game.is_cut_short for game in found),
            tuple(sorted(game.seconds for game in found if not game.is_cut_short)),
            sum(game.judge_called for game in found),
            sum(game.put_right for game in found),
        )


def _sum_hours(
    games: Sequence[EveningGame], days: int, hour_of: Callable[[float], float]
) -> Iterator[TableHours]:
    """Yield the tables by name, with the share of each hour."""
    used = defaultdict[str, list[float]](lambda: [0.0] * 24)
    names = dict[str, str]()
    for game in games:
        names[game.table] = game.name
        for hour, seconds in split_hours(hour_of(game.ended), game.seconds):
            used[game.table][hour] += seconds
    for table in sorted(used, key=lambda one: (sortable_name(names[one]), one)):
        hours = used[table][FIRST_HOUR:] + used[table][:FIRST_HOUR]
        shares = tuple(min(1.0, seconds / (HOUR * days)) for seconds in hours)
        yield TableHours(names[table], sum(hours), shares)


def split_hours(end: float, seconds: float) -> Iterator[tuple[int, float]]:
    """Yield the hours of the day that a stretch touches, which ends at this hour, and how long."""
    while seconds > 0:
        hour = int(end) if end > int(end) else int(end) - 1
        part = min(seconds, (end - hour) * HOUR)
        yield hour % 24, part
        seconds, end = seconds - part, float(hour) if hour else 24.0


def _follow_readers(readers: Iterable[KeptReader]) -> Iterator[ReaderTrend]:
    for (_, place), found in groupby(readers, key=lambda one: (one.table, one.place)):
        days = [one for one in found if one.seconds >= LISTENED]
        if days:
            rates = tuple(one.retries * HOUR / one.seconds for one in days)
            yield ReaderTrend(days[-1].name, place, tuple(one.day for one in days), rates)


def _worst_first(trend: ReaderTrend) -> tuple[bool, float, str, int]:
    return not trend.is_tiring, -trend.rates[-1], sortable_name(trend.name), trend.place
