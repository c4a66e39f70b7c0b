"""Replace one sticker from a terminal: the table as it was left, until the new sticker lies on it.

Laws: it is the same table and the same game as the service has, so no second program may have its
readers. A sticker counts once nothing has come or gone for a second, so that of two in one hand
neither counts.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.app.enrolment import POLL_INTERVAL
from companion.app.physical_table import PhysicalTable
from companion.app.settings import data_folder, journal_path
from companion.app.setup.simulated_enrolment import STRANGER
from companion.app.wires import OpenedWires, TableWires, load_wiring
from companion.core.errors import Refusal
from companion.enrol.replacement import ReplaceRequest
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from hardware.backends import connect
from hardware.clock import Clock
from hardware.simulated_table import SimulatedHardware
from hardware.wiring import Wiring

STILL = 1.0
"""Seconds without a change on the readers, after which what lies there counts."""


class TurnClock:
    """A clock that goes on only while the table waits."""

    def __init__(self) -> None:
        self._now = 0.0

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float, /) -> None:
        """Let these seconds pass at once."""
        self._now += seconds


class StickerTable:
    """A table at which one new sticker is waited for."""

    def __init__(self, source: PhysicalTable, clock: Clock) -> None:
        self._source, self._clock = source, clock
        self._lying: list[object] = []
        self._since = clock.monotonic()
        self._judged = False

    def _wait_for_news(self) -> bool:
        """Let a moment pass; return whether what lies there now counts, and was not judged yet."""
        self._clock.sleep(POLL_INTERVAL)
        self._source.poll()
        lying: list[object] = [*self._source.table.reports.current_evidence()]
        now = self._clock.monotonic()
        if lying != self._lying:
            self._lying, self._since, self._judged = lying, now, False
        if self._judged or now - self._since < STILL:
            return False
        self._judged = True
        return True

    def replace_when_laid(
        self,
        request: ReplaceRequest,
        is_stopped: Callable[[], bool],
        tell: Callable[[Refusal], None],
    ) -> bool:
        """Wait for the new sticker and give it to the piece; return False if it was stopped first.

        What lies there and cannot be the new sticker is told, and waited for to change.
        """
        while not is_stopped():
            if self._wait_for_news():
                refused = self._source.replace_sticker(request)
                if refused is None:
                    return True
                tell(refused)
        return False


@contextmanager
def open_sticker_table(
    game: str, data: Path | None, profile: str | None, *, simulated: bool
) -> Iterator[StickerTable]:
    """Open the table of a data folder, with its game; a simulated hand lays a new sticker on it."""
    folder, clock = data or data_folder(), TurnClock() if simulated else time

    def open_wires(wiring: Wiring) -> OpenedWires:
        if not simulated:
            return connect("pi", wiring)
        hardware = SimulatedHardware(wiring, pace=clock)
        hardware.world.lay(STRANGER, 0)
        return hardware, hardware

    with closing(Journal(journal_path(folder))) as journal:
        wires = TableWires(load_wiring(folder, profile), open_wires)
        with closing(PhysicalTable(make_rulebook(game), journal, folder, wires, Seats())) as source:
            yield StickerTable(source, clock)
