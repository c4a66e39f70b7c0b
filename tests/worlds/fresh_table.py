"""A table that was never set up: its wires, a simulated hand, and the set-up pages.

Law: its clock is moved by the test alone, and everything that the table does it does meanwhile.
"""

from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import TypeVar

from companion.app.hosting import Runtime, build_host
from companion.app.physical_table import PhysicalTable
from companion.app.setup import SetupWizard
from companion.app.setup.rehearsal_hand import RehearsalHand
from companion.app.wires import OpenedWires, TableWires, load_wiring
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from hardware.simulated_table import SimulatedHardware
from hardware.wiring import Wiring
from tests.worlds.left_open import closed_later
from tests.worlds.visitor import UNHURRIED
from web.app import create_app
from web.context import AppContext

STEP = 0.25
A_TAP = 2.5
"""Seconds in which a card is laid, heard, lifted, and missed."""
ADDRESSES = ("http://192.168.4.20:8000/", "http://tisch.local:8000/")
T = TypeVar("T")


class Fresh:
    """One such table; what is learnt of it is kept in a folder."""

    def __init__(self, folder: Path, profile: str | None = None, language: str = "en") -> None:
        self.now, self._busy = 0.0, RLock()
        self.hand = RehearsalHand()
        self.wires = TableWires(load_wiring(folder, profile), self._simulated)
        self.journal, seats = closed_later(Journal(folder / "journal.sqlite3")), Seats()
        rules = make_rulebook("bankueberfall")
        self.real = PhysicalTable(
            rules, self.journal, folder, self.wires, seats,
            simulated=True, clock=lambda: self.hand.now,
        )  # fmt: skip
        runtime = Runtime(run_on_loop=self._call)
        self.host = build_host(self.real, self.journal, seats, runtime=runtime)
        self.first = SetupWizard(self.host, self.real, profile, self.hand)
        room = AppContext(
            self.real.table,
            seats,
            host=self.host,
            setup=self.first,
            language=language,
            addresses=lambda: ADDRESSES,
            on_language=self.first.memory.save_language,
            on_calm=self.first.memory.save_calm,
            on_place=self.first.memory.save_place,
        )
        self.app = create_app(room, limits=UNHURRIED)

    def monotonic(self) -> float:
        """What the clock of the table shows."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Nothing here waits."""
        self.now += seconds

    def _simulated(self, wiring: Wiring) -> OpenedWires:
        table = self.hand.attach_to(SimulatedHardware(wiring, self), wiring)
        return table, table

    def _call(self, act: Callable[[], T], /) -> T:
        with self._busy:
            return act()

    def wait(self, seconds: float = A_TAP) -> None:
        """Time passes, and the table takes in what its readers and buttons noticed."""
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            self._call(self.real.poll)
            self._call(self.first.run_due_work)

    def shut(self) -> None:
        """Pull the wires."""
        self.wires.close()
        self.journal.close()
