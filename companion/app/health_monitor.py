"""The watch over a table's health: who looks again and again, and when pages are told.

Laws: it looks on the one thread where everything happens, every two seconds, so that a supply that
sags for a moment is noticed; whoever asks for the lights never makes it look. What it last found
lies in the data folder as well, for whoever asks once the companion no longer runs: written only
when something else is to be said, and once a minute at most, because cards wear out.

How the table is: gathered for the host's page, and for whoever is asked for help.

Law: built from nothing, number by number; no path, no tag, nobody's name.
"""

import platform
import sys
import time
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from companion import __version__
from companion.core.sensor_events import ReaderCondition
from companion.host.health import PiStatus, ReaderHealth, TableHealth
from companion.table.faults import CLOCK
from hardware.advice import HOME
from hardware.wiring import profiles

if TYPE_CHECKING:
    from companion.host.host import Host
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from companion.app.state_files import write_private_file
from companion.host.health import Light, merge_pi_status
from companion.host.report import build_report
from companion.host.status import health_lights, light_colours
from hardware import pi_status

if TYPE_CHECKING:
    from companion.host.host import Host


OWN = "own"


def collect_health(at: "Host", board: PiStatus) -> TableHealth:
    """How this table is now, on this machine."""
    trouble, now = at.table.troubles(), at.read_clock()
    return TableHealth(
        companion=__version__,
        python=platform.python_version(),
        wiring=public_profile_name(at.wiring),
        simulated=at.simulated,
        readers=tuple(_reader(condition, now) for condition in at.conditions()),
        boxes=at.read_boxes(),
        journal=at.journal.health(at.table.checked),
        trouble=trouble,
        uptime=at.clock() - at.since,
        clock=time.time(),
        clock_set_back=any(said.text == CLOCK for said in trouble),
        board=board,
        unwired=at.unwired,
        unwritten=at.table.unwritten,
        stuck=tuple(at.stuck_buttons()),
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
            self._at.table.tell()

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
