"""The names of a running table: their days, and their erasure.

Laws: a game that is being played keeps its names; every other one loses them after its days, and at
once when a player or the host asks: from the disk, from the seats, and from every screen.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby

import msgspec

from companion.core.errors import NotWritten
from companion.core.log_lines import log_line
from companion.host.host import Host
from companion.seating.names import SEATED, ClockLook, count_on

LOG = logging.getLogger("companion.host")
HOURS_A_DAY = 24


class KeptGame(msgspec.Struct, frozen=True):
    """A game with stored names: the names, and the days of the table until they are erased."""

    id: str
    names: tuple[str, ...]
    days_left: int
    own_seats: tuple[int, ...] = ()
    """The seats whose names came from the browser that asks."""
    is_played: bool = False


class NameKeeping:
    """The names of one table, and their days."""

    def __init__(self, host: Host, days: int, look_at_clocks: Callable[[], ClockLook]) -> None:
        self._host, self.days, self._look = host, days, look_at_clocks
        self._names = host.seats.names

    def list_games(self, browser: str = "") -> list[KeptGame]:
        """Return the games with stored names, the next to be erased at the end."""
        found = []
        for id, group in groupby(self._names.rows, key=lambda row: row.game):
            rows = list(group)
            left = self.days - (self._names.time.hours - rows[0].since) / HOURS_A_DAY
            own = tuple(row.seat for row in rows if browser and row.phone == browser)
            names = tuple(row.name for row in rows)
            is_played = id == self._game_under_way()
            found += [KeptGame(id, names, max(1, -int(-left // 1)), own, is_played)] if id else []
        return sorted(found, key=lambda game: -game.days_left)

    def _game_under_way(self) -> str:
        history = self._host.table.history
        return "" if history.is_over or history.state is None else history.state.id

    def count_time(self) -> None:
        """Count the time since the last call, store it, and erase expired names."""
        with suppress(NotWritten):
            time, before = count_on(self._names.time, self._look()), self._names.rows
            self._names.count_time(time, self._game_under_way(), self.days)
            if len(self._names.rows) < len(before):
                self._forget_erased()

    def erase_game(self, id: str) -> None:
        """Erase all names of a game; of the one on the table, those of the seats too."""
        self._names.erase_game(id)
        state = self._host.table.state
        if state is not None and state.id == id:
            self._names.erase_game(SEATED)
        self._forget_erased()

    def erase_phone(self, browser: str) -> None:
        """Erase every name that came from this browser, and those at its seats."""
        self._names.erase_phone(browser)
        self._forget_erased()

    def erase_all(self) -> None:
        """Erase every name, also those of seated players."""
        self._names.erase_all()
        self._forget_erased()

    def _forget_erased(self) -> None:
        """Have the seats and the next game know no more names than are kept."""
        kept = self._names.by_game.get(SEATED, ())
        seats = self._host.seats
        seats.forget_names(n for n in seats.taken_seats() if not any(kept[n - 1 : n]))
        self._host.forget_names()
        self._host.table.notify_watchers()
        LOG.info(log_line("names_erased"))
