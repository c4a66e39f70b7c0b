"""How the table is: gathered for the host's page, and for whoever is asked for help.

Law: built from nothing, number by number; no path, no tag, nobody's name.
"""

import platform
import sys
import time
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from companion import __version__
from companion.core.sensor_events import Condition
from companion.host.board import Board
from companion.host.health import Health, ReaderHealth
from companion.table.faults import CLOCK
from hardware.advice import HOME
from hardware.wiring import profiles

if TYPE_CHECKING:
    from companion.host.host import Hosted


OWN = "own"


def health(at: "Hosted", board: Board) -> Health:
    """How this table is now, on this machine."""
    trouble, now = at.table.troubles(), at.moment()
    return Health(
        companion=__version__,
        python=platform.python_version(),
        wiring=built_after(at.wiring),
        simulated=at.simulated,
        readers=tuple(_reader(condition, now) for condition in at.conditions()),
        boxes=at.boxes(),
        journal=at.journal.health(at.table.checked),
        trouble=trouble,
        uptime=at.clock() - at.since,
        clock=time.time(),
        clock_set_back=any(said.text == CLOCK for said in trouble),
        board=board,
        unwired=at.unwired,
        unwritten=at.table.unwritten,
        stuck=tuple(at.stuck()),
        outdated=is_outdated(Path(sys.prefix)),
    )


def built_after(profile: str) -> str:
    """A profile that comes along, by its name; one of somebody's own may be called like them."""
    name = PurePath(profile).stem
    return name if name in profiles() else OWN


def is_outdated(runs: Path, home: Path = HOME) -> bool:
    """Whether another version is installed by now than the one that `runs`."""
    current = home / "current"
    ours = runs.parent == home / "versions" and current.is_symlink()
    return ours and current.resolve() != runs.resolve()


def _reader(condition: Condition, now: float) -> ReaderHealth:
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
