"""The health monitor of a table: read its health every two seconds, and tell the pages of changes.

Laws: it runs on the thread of the event loop, often enough to notice a supply that sags for a
moment; asking for the lights never makes it look. The report is built number by number, with no
path, tag or name. It is also left in the data folder, for a person who asks when the companion no
longer runs: only when it has changed, and once a minute at most, because cards wear out.
"""

import platform
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Protocol

import msgspec

from companion import __version__
from companion.app.state_files import write_private_file
from companion.core.i18n import Message
from companion.core.sensor_events import ReaderCondition
from companion.host.health import (
    BoxHealth,
    Light,
    PiStatus,
    ReaderHealth,
    TableHealth,
    merge_pi_status,
)
from companion.host.report import build_report
from companion.host.status import health_lights, light_colours
from companion.journal import Journal
from companion.table.faults import CLOCK_SET_BACK
from companion.table.table import Table
from hardware import pi_status
from hardware.advice import HOME
from hardware.wiring import profiles

OWN = "own"


class HealthProbe(Protocol):
    """The part of a table source that tells about its health."""

    table: Table
    simulated: bool
    wiring: str
    unwired: Message | None

    def read_boxes(self) -> tuple[BoxHealth, ...]: ...

    def reader_conditions(self) -> Sequence[ReaderCondition]: ...

    def stuck_buttons(self) -> Sequence[int]: ...

    def read_clock(self) -> float: ...


def collect_health(
    probe: HealthProbe, journal: Journal, board: PiStatus, uptime: float
) -> TableHealth:
    """Return how this table is now, on this machine."""
    trouble, now = probe.table.fault_messages(), probe.read_clock()
    return TableHealth(
        companion=__version__,
        python=platform.python_version(),
        wiring=public_profile_name(probe.wiring),
        simulated=probe.simulated,
        readers=tuple(_reader_health(found, now) for found in probe.reader_conditions()),
        boxes=probe.read_boxes(),
        journal=journal.health(probe.table.checked),
        trouble=trouble,
        uptime=uptime,
        clock=time.time(),
        clock_set_back=any(message.text == CLOCK_SET_BACK for message in trouble),
        board=board,
        unwired=probe.unwired,
        unwritten=probe.table.unwritten,
        stuck=tuple(probe.stuck_buttons()),
        outdated=is_outdated(Path(sys.prefix)),
    )


def public_profile_name(profile: str) -> str:
    """A profile that comes along, by its name; one of somebody's own may be called like them."""
    name = PurePath(profile).stem
    return name if name in profiles() else OWN


def is_outdated(runs: Path, home: Path = HOME) -> bool:
    """Whether another version is installed by now than the one that `runs`."""
    current = home / "current"
    ours = runs.parent == home / "versions" and current.is_symlink()
    return ours and current.resolve() != runs.resolve()


def _reader(condition: ReaderCondition, now: float) -> ReaderHealth:
    good = condition.last_good
    return ReaderHealth(
        place=condition.place,
        word=condition.word,
        heard=None if good is None else max(0.0, now - good),
        tags=condition.tags,
        askings=condition.askings,
        garbled=condition.garbled,
        flickers=condition.flickers,
        retries=condition.retries,
        healings=condition.healings,
    )


CHECK_EVERY = 2.0
NOTIFY_EVERY = 10.0
"""Seconds between two words to the pages, unless a light has changed."""
REPORT_EVERY = 60.0
REPORT_FILE = "health.json"


class HealthMonitor:
    """Looks after one table."""

    def __init__(self, at: "Host", machine: Callable[[], PiStatus] = pi_status.look) -> None:
        self._at, self._machine = at, machine
        self._board = PiStatus()
        self.lights: tuple[Light, ...] = ()
        self._turned = self._told = self._left = float("-inf")
        self._shown: object = None
        self._colours: object = None
        self._kept: object = None
        self.folder: Path | None = None
        """Where the last report is left."""

    def check(self) -> None:
        """Look, if it is time to; tell the pages of what has changed."""
        now = self._at.clock()
        if now < self._turned + CHECK_EVERY:
            return
        self._turned, found = now, self.read_health()
        self._tell(_shows(found, self.lights), now)
        if self.folder and now >= self._left + REPORT_EVERY:
            self._leave(self.folder / REPORT_FILE, found, now)

    def read_health(self) -> TableHealth:
        """How the table is at this moment."""
        self._board = merge_pi_status(self._board, self._machine())
        found = collect_health(self._at, self._board)
        self.lights = health_lights(found)
        return found

    def _tell(self, shows: object, now: float) -> None:
        """What shines otherwise is told at once, all else now and then."""
        shining = light_colours(self.lights)
        soon = shining != self._colours or now >= self._told + NOTIFY_EVERY
        if shows != self._shown and soon:
            self._shown, self._colours, self._told = shows, shining, now
            self._at.table.notify_watchers()

    def _leave(self, file: Path, found: TableHealth, now: float) -> None:
        """What somebody has to know who is asked for help tomorrow."""
        said = (
            light_colours(self.lights),
            found.boxes,
            [trouble.text for trouble in found.trouble],
        )
        if said != self._kept:
            self._kept, self._left = said, now
            with suppress(OSError):  # Then it is the disk that is not well, which its light says.
                write_private_file(file, msgspec.json.encode(build_report(found)))


def _shows(found: TableHealth, shining: tuple[Light, ...]) -> object:
    """What a page shows of it, but for what changes all the time."""
    return shining, tuple((r.place, r.word, r.retries, r.healings) for r in found.readers)
