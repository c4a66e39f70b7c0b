"""The health monitor of a table: read its health every two seconds, and tell the pages of changes.

Laws: it runs on the thread of the event loop, often enough to notice a supply that sags for a
moment; asking for the lights never makes it look. The report is built number by number, with no
path, tag or name.
"""

import logging
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import PurePath

from companion import __version__
from companion.core.installation import read_update_fault
from companion.core.log_lines import log_line
from companion.core.sensor_events import ReaderCondition
from companion.games import broken_games
from companion.host.health import (
    Light,
    PiStatus,
    ReaderHealth,
    TableHealth,
    merge_pi_status,
)
from companion.host.host import Host
from companion.host.run_on_loop import RunOnLoop, run_here
from companion.host.status import health_lights, light_colours
from companion.host.table_source import TableSource
from companion.identity import IdentityStore
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.faults import CLOCK_SET_BACK
from hardware import pi_temperature
from hardware.wiring import profile_names

LOG = logging.getLogger("companion.app")
OWN = "own"


def collect_health(
    probe: TableSource, journal: Journal, board: PiStatus, uptime: float
) -> TableHealth:
    """Return this table's health now, on this machine."""
    trouble, now = probe.table.faults.messages(), probe.read_clock()
    return TableHealth(
        companion=__version__,
        python=platform.python_version(),
        wiring=public_profile_name(probe.wiring),
        readers=tuple(_reader_health(found, now) for found in probe.reader_conditions()),
        boxes=probe.read_boxes(),
        journal=journal.health(probe.table.faults.checked_at),
        uptime=uptime,
        clock_set_back=any(message.text == CLOCK_SET_BACK for message in trouble),
        board=board,
        unwired=probe.unwired,
        unwritten=probe.table.faults.write_fault,
        stuck=tuple(probe.stuck_buttons()),
        update_fault=read_update_fault(__version__),
        broken_games=tuple(broken.say for broken in broken_games()),
    )


def public_profile_name(profile: str) -> str:
    """Return the name of a profile that comes along; "own" for a file, which may bear any name."""
    name = PurePath(profile).stem
    return name if name in profile_names() else OWN


def _reader_health(condition: ReaderCondition, now: float) -> ReaderHealth:
    good = condition.last_good
    return ReaderHealth(
        place=condition.place,
        word=condition.word,
        heard=None if good is None else max(0.0, now - good),
        garbled=condition.garbled,
        retries=condition.retries,
        healings=condition.healings,
    )


CHECK_EVERY = 2.0
NOTIFY_EVERY = 10.0
"""Seconds between two words to the pages, unless a light has changed."""


class HealthMonitor:
    """Looks after one table."""

    def __init__(
        self,
        probe: TableSource,
        journal: Journal,
        clock: Callable[[], float] = time.monotonic,
        read_pi: Callable[[], PiStatus] = pi_temperature.read_pi_status,
    ) -> None:
        self._probe, self._journal, self._clock = probe, journal, clock
        self._read_pi = read_pi
        self._started_at = clock()
        self._board = PiStatus()
        self.lights: tuple[Light, ...] = ()
        """The lights of the last look."""
        self._checked_at = self._notified_at = float("-inf")
        self._notified: object = None
        self._colours: object = None
        self._healings: dict[int, int] = {}

    def check(self) -> None:
        """Look, if it is time to, and tell the pages of what has changed."""
        now = self._clock()
        if now < self._checked_at + CHECK_EVERY:
            return
        self._checked_at, health = now, self.read_health()
        self._notify_pages(_page_facts(health, self.lights), now)

    def read_health(self) -> TableHealth:
        """Look, and return how the table is now."""
        self._board = merge_pi_status(self._board, self._read_pi())
        uptime = self._clock() - self._started_at
        health = collect_health(self._probe, self._journal, self._board, uptime)
        self.lights = health_lights(health)
        self._log_healings(health.readers)
        return health

    def _log_healings(self, readers: Sequence[ReaderHealth]) -> None:
        """Log each reader that was set up or reset successfully since the last look."""
        for reader in readers:
            if reader.healings > self._healings.get(reader.place, 0):
                LOG.info(log_line("reader_healed", place=reader.place, healings=reader.healings))
            self._healings[reader.place] = reader.healings

    def _notify_pages(self, facts: object, now: float) -> None:
        """Tell of a light that has changed at once, of all else every ten seconds."""
        colours = light_colours(self.lights)
        is_due = colours != self._colours or now >= self._notified_at + NOTIFY_EVERY
        if facts != self._notified and is_due:
            self._notified, self._colours, self._notified_at = facts, colours, now
            self._probe.table.notify_watchers()


def _page_facts(health: TableHealth, lights: tuple[Light, ...]) -> object:
    """Return the facts that a page shows, without those that change all the time."""
    return lights, tuple((r.place, r.word, r.retries, r.healings) for r in health.readers)


def build_host(
    source: TableSource,
    journal: Journal,
    seats: Seats,
    identity: IdentityStore | None = None,
    run_on_loop: RunOnLoop = run_here,
    clock: Callable[[], float] = time.monotonic,
) -> Host:
    """Return a host for this table, with the monitor of its health."""
    if identity is not None:
        update = read_update_fault(__version__)
        notices = identity.notices if update is None else (*identity.notices, update)
        source.table.faults.watch_database(identity.database, notices)
    monitor = HealthMonitor(source, journal, clock)
    return Host(
        source,
        journal,
        seats,
        identity,
        health_monitor=monitor,
        run_on_loop=run_on_loop,
        clock=clock,
    )
