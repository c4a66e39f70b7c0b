"""How long names are kept at a running table, and how they are erased.

Laws: a game that is being played keeps its names; every other one loses them after its days, and at
once when a player or the host asks. Erased is erased: from the files, from the seats, and from what
is on every screen. What cannot be erased now stays ordered, and is tried again.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.core.durable_files import not_written, write_file
from companion.core.errors import NotWritten
from companion.core.log_lines import log_line
from companion.host.host import Host
from companion.journal.names import KeptNames
from companion.privacy.orders import EraseOrder, load_order, remove_order, save_order
from companion.privacy.table_time import ClockLook, TableTime, count_on
from companion.table.history import started_event

LOG = logging.getLogger("companion.privacy")
TIME_FILE = "time.json"
SEATED = ""
"""Stands in place of the id of a game for the names of those who sit at the table."""
HOURS_A_DAY = 24


class KeptGame(msgspec.Struct, frozen=True):
    """A game of which names are kept: who, and for how many more days of the table."""

    id: str
    names: tuple[str, ...]
    days_left: int
    own_seats: tuple[int, ...] = ()
    """The seats whose names came from the browser that asks."""
    is_played: bool = False


class NameKeeping:
    """The names of one table. Thread-safe."""

    def __init__(self, host: Host, days: int, look_at_clocks: Callable[[], ClockLook]) -> None:
        self._host, self.days, self._look = host, days, look_at_clocks
        self._names, self._lock = host.journal.names, threading.RLock()
        self._time = _load_time(self._names.folder)
        self._seated: object = host.seats.holder_names()
        self._played: object = None
        self._names.read_hours = lambda: self._time.hours
        self._names.find_phone = host.seats.holder_of

    # What is kept.

    def list_games(self, browser: str = "") -> list[KeptGame]:
        """Return the games of which names are kept, those that go first at the end."""
        found = [self._describe(kept, browser) for kept in self._names.list_games() if kept.id]
        return sorted(found, key=lambda game: -game.days_left)

    def _describe(self, kept: KeptNames, browser: str) -> KeptGame:
        left = self.days - (self._time.hours - kept.since) / HOURS_A_DAY
        own = (n for n, phone in enumerate(kept.phones, 1) if browser and phone == browser)
        named = tuple(filter(None, kept.names))
        days_left = max(1, -int(-left // 1))
        return KeptGame(kept.id, named, days_left, tuple(own), kept.id == self._game_under_way())

    def _game_on_table(self) -> str:
        started = started_event(self._host.table.history)
        return "" if started is None else started.id

    def _game_under_way(self) -> str:
        return "" if self._host.table.history.is_over else self._game_on_table()

    # Time.

    def count_time(self) -> None:
        """Count the time that went by, keep that on disk, and erase what is due."""
        with self._lock, suppress(NotWritten, OSError):
            self._time = count_on(self._time, self._look())
            if self._names.folder.is_dir():
                write_file(self._names.folder / TIME_FILE, msgspec.json.encode(self._time))
            self._note_play()
            self._note_seated()
            self.erase(EraseOrder(dict.fromkeys(self._find_due(), ())))

    def _note_play(self) -> None:
        """Count the days of the game under way from the last time it was played."""
        id, end = self._game_under_way(), self._host.journal.end
        kept = self._names.read(id) if id and (id, end) != self._played else None
        if kept is not None and self._played is not None:
            self._names.keep_names(replace(kept, since=self._time.hours))
        self._played = id, end

    def _note_seated(self) -> None:
        """Count the days of the names at the seats from the last time that one sat down."""
        seated = self._host.seats.holder_names()
        is_known = self._names.read(SEATED) is not None
        if any(seated.values()) and (seated != self._seated or not is_known):
            self._names.keep_names(KeptNames(SEATED, self._time.hours))
        self._seated = seated

    def _find_due(self) -> Iterator[str]:
        for kept in self._names.list_games():
            age = self._time.hours - kept.since
            if age >= self.days * HOURS_A_DAY and kept.id != (self._game_under_way() or None):
                yield kept.id

    # Erasing.

    def erase_games(self, ids: Iterable[str]) -> None:
        """Erase all names of these games; of those that are not kept nothing happens."""
        self.erase(EraseOrder(dict.fromkeys(ids, ())))

    def erase_phone(self, browser: str) -> None:
        """Erase every name that came from this browser, and those at its seats."""
        games = {game.id: game.own_seats for game in self.list_games(browser) if game.own_seats}
        self.erase(EraseOrder(games, self._host.seats.seats_of(browser)))

    def erase_all(self) -> None:
        """Erase every name, of those who sit at the table too."""
        games = dict.fromkeys((kept.id for kept in self._names.list_games()), ())
        self.erase(EraseOrder({**games, SEATED: ()}))

    def finish_erasing(self) -> None:
        """Carry out what was ordered before the power went; keep the order if that fails."""
        with suppress(NotWritten, OSError):
            self.erase(EraseOrder())

    def erase(self, order: EraseOrder) -> None:
        """Carry out an order, and what is left of an older one; when this returns it is on disk.

        Raise NotWritten or MaybeWritten if that fails: the order stays, and is tried again.
        """
        with self._lock:
            left = load_order(self._names.folder)
            order = order if left is None else left.with_order(order)
            if not order.games and not order.seats:
                return
            try:
                save_order(self._names.folder, order)
                self._carry_out(order)
                remove_order(self._names.folder)
            except OSError as error:
                raise not_written(self._names.folder, error) from None
            LOG.info(log_line("names_erased", games=len(order.games)))

    def _carry_out(self, order: EraseOrder) -> None:
        for id, seats in order.games.items():
            for seat in seats or (0,):
                self._names.erase_names(id, seat)
            self._host.table.hide_players(id, seats)
        self._host.seats.forget_names(self._list_seats(order))
        self._host.forget_names()

    def _list_seats(self, order: EraseOrder) -> frozenset[int]:
        """Return the seats whose people lose their names: those of the game on the table too."""
        own, taken = (
            order.games.get(self._game_on_table() or SEATED),
            self._host.seats.taken_seats(),
        )
        every = SEATED in order.games or own == ()
        return taken if every else frozenset({*order.seats, *(own or ())})


def _load_time(folder: Path) -> TableTime:
    try:
        return msgspec.json.decode((folder / TIME_FILE).read_bytes(), type=TableTime)
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return TableTime()
