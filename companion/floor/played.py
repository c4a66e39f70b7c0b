"""What a table tells the floor of its evening: the games that are over, and how its readers do.

Laws: nothing in it is about a person or a card. A table has no sure clock: it tells how long ago a
game ended, and for how long its program has run. The counts of the readers stand, while a game is
under way, as they were before it, so that they tell nothing of what lies under a card.
"""

from collections.abc import Callable, Sequence

import msgspec

from companion.host.health import ReaderHealth
from companion.table.table import Table

MOST_GAMES = 20
"""Games that are told at once; a floor asks on."""


class ToldGame(msgspec.Struct, frozen=True):
    """A game that is over: `id` tells it apart, `line` is where it ends in its table's journal."""

    id: str
    line: int
    game: str
    title: str
    ago: float
    """How many seconds ago it ended, as the table believes."""
    seconds: float
    """For how long it was played, without breaks."""
    seats: int
    judge_called: int
    put_right: int
    """How often the log was put right: undone, corrected, found or counted otherwise."""
    is_cut_short: bool


class ReaderCount(msgspec.Struct, frozen=True):
    """How often a reader had to be asked again since the table's program began."""

    place: int
    retries: int


class PlayedEvening(msgspec.Struct, frozen=True):
    """The games after the line that was asked for; `line` is the last of the journal."""

    games: tuple[ToldGame, ...] = ()
    line: int = 0
    has_more: bool = False
    uptime: float = 0.0
    """For how many seconds the readers have been counted."""
    readers: tuple[ReaderCount, ...] = ()


class EveningLog:
    """Tells the evening of one table; `clock` is that of the Pi, by which its journal goes."""

    def __init__(
        self,
        clock: Callable[[], float] = lambda: 0.0,
        read_readers: Callable[[], tuple[float, Sequence[ReaderHealth]]] = lambda: (0.0, ()),
    ) -> None:
        """`read_readers` returns for how long they have been counted, and their health."""
        self._clock, self._read_readers = clock, read_readers
        self._uptime, self._counts = 0.0, tuple[ReaderCount, ...]()

    def tell_after(self, table: Table, line: int) -> PlayedEvening:
        """Return what was played after this line; all, if the journal is another one by now.

        Raise JournalFailed if it cannot be read.
        """
        last = table.played.last_line()
        if table.history.is_over:
            self._uptime, readers = self._read_readers()
            self._counts = tuple(ReaderCount(each.place, each.retries) for each in readers)
        found = table.played.sum_up_after(line if line <= last else 0, MOST_GAMES + 1)
        now = self._clock()
        games = tuple(
            ToldGame(
                one.id, one.line, one.game, one.title, round(max(0.0, now - one.ended), 1),
                round(one.seconds, 1), one.seats, one.judge_called, one.put_right,
                one.is_cut_short,
            )
            for one in found[:MOST_GAMES]
        )  # fmt: skip
        return PlayedEvening(games, last, len(found) > MOST_GAMES, self._uptime, self._counts)
