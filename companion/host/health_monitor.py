"""The health monitor of a table: read its health every two seconds, and tell the pages of changes.

Laws: it runs on the thread of the event loop, often enough to notice a supply that sags for a
moment; asking for the lights never makes it look. The report is built number by number, with no
path, tag or name.
"""

import platform
from collections.abc import Callable, Sequence
from pathlib import PurePath

from companion import __version__
from companion.core.installation import read_update_fault
from companion.games import broken_games
from companion.host.health import Light, PiStatus, ReaderHealth, TableHealth, merge_pi_status
from companion.host.status import health_lights, light_colours
from companion.host.table_source import TableSource
from companion.journal import Journal

OWN = "own"
"""What the wiring is called that is a file, which may bear any name."""


CHECK_EVERY = 2.0
NOTIFY_EVERY = 10.0
"""Seconds between two words to the pages, unless a light has changed."""


class HealthMonitor:
    """Looks after one table."""

    def __init__(
        self,
        source: TableSource,
        journal: Journal,
        clock: Callable[[], float],
        read_pi: Callable[[], PiStatus],
        profiles: Sequence[str],
    ) -> None:
        self._source, self._journal, self._clock = source, journal, clock
        self._read_pi, self._profiles = read_pi, profiles
        self._started_at = clock()
        self._board = PiStatus()
        self.lights: tuple[Light, ...] = ()
        """The lights of the last look."""
        self._checked_at = self._notified_at = float("-inf")
        self._notified: object = None
        self._colours: object = None

    def check(self) -> None:
        """Look, if it is time to, and tell the pages of what has changed."""
        now = self._clock()
        if now < self._checked_at + CHECK_EVERY:
            return
        self._checked_at, health = now, self.read_health()
        facts, colours = (self.lights, health.readers), light_colours(self.lights)
        # A light that has changed is told at once, all else every ten seconds.
        is_due = colours != self._colours or now >= self._notified_at + NOTIFY_EVERY
        if facts != self._notified and is_due:
            self._notified, self._colours, self._notified_at = facts, colours, now
            self._source.table.notify_watchers()

    def read_health(self) -> TableHealth:
        """Look, and return how the table is now."""
        self._board = merge_pi_status(self._board, self._read_pi())
        source, faults = self._source, self._source.table.faults
        profile = PurePath(source.wiring).stem
        health = TableHealth(
            companion=__version__,
            python=platform.python_version(),
            wiring=profile if profile in self._profiles else OWN,
            readers=tuple(
                ReaderHealth(found.place, found.word, found.retries, found.healings)
                for found in source.reader_conditions()
            ),
            boxes=source.read_boxes(),
            journal=self._journal.health(faults.checked_at),
            uptime=self._clock() - self._started_at,
            board=self._board,
            unwired=source.unwired,
            unwritten=faults.write_fault,
            stuck=tuple(source.stuck_buttons()),
            update_fault=read_update_fault(__version__),
            broken_games=tuple(broken.say for broken in broken_games()),
        )
        self.lights = health_lights(health)
        return health
