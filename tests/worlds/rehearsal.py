"""The set-up rehearsal on simulated chips, driven by a test with a clock of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.app.hosting import Runtime, build_host
from companion.app.physical_table import PhysicalTable
from companion.app.setup import SetupWizard
from companion.app.setup.rehearsal_hand import RehearsalHand
from companion.app.wires import OpenedWires, TableWires, load_wiring
from companion.core.errors import Refusal
from companion.core.i18n import get_language
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.steps import SetupView, WizardStep
from hardware.simulated_table import SimulatedHardware
from hardware.simulator.world import World
from hardware.wiring import Wiring
from tests.worlds.left_open import closed_later

TURN = 0.03
EN = get_language("en")


class Clock:
    """Time that passes when a test says so."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Rehearsal:
    """A table fresh from the iron, its first start, the hand at it, and somebody who looks on."""

    def __init__(
        self,
        folder: Path,
        said: str | None = None,
        game: str = "bankueberfall",
        *,
        patient: bool = False,
        hand: RehearsalHand | None = None,
    ) -> None:
        self.folder, self.clock, self.hand = folder, Clock(), hand or RehearsalHand()
        self.journal = closed_later(Journal(folder / "journal.sqlite3"))
        wiring, now = load_wiring(folder, said), self.clock.monotonic
        wires = TableWires(wiring, self._opened, patient=patient, clock=now)
        self.seats = Seats(clock=self.clock.monotonic)
        self.real = PhysicalTable(
            make_rulebook(game), self.journal, folder, wires, self.seats,
            simulated=True, clock=lambda: self.hand.now,
        )  # fmt: skip
        self.host = build_host(self.real, self.journal, self.seats, runtime=Runtime(clock=now))
        self.first = SetupWizard(self.host, self.real, said, self.hand, now)
        self.passes(2)

    def _opened(self, wiring: Wiring) -> OpenedWires:
        self.opens(wiring)
        self.table = self.hand.attach_to(SimulatedHardware(wiring, self.clock), wiring)
        return self.table, self.table

    def opens(self, _wiring: Wiring) -> None:
        """Here a test can refuse to open a wiring."""

    @property
    def world(self) -> World:
        return self.table.world

    @property
    def shown(self) -> SetupView:
        return self.first.view()

    def passes(self, seconds: float) -> None:
        """So much time passes at the table."""
        for _ in range(round(seconds / TURN)):
            self.clock.now += TURN
            self.real.poll()
            self.first.run_due_work()

    def does(self, what: str = "asked") -> SetupView:
        """The hand does something, and the readers have time to notice."""
        assert self.first.move_hand(what) is None
        self.passes(2.4)
        return self.shown

    def goes(self, step: WizardStep) -> SetupView:
        assert self.first.go_to(step) is None
        self.passes(2)
        return self.shown

    def says(self) -> str:
        said = self.shown.says
        return EN(said) if said is not None else ""

    def asks(self) -> str:
        asked = self.shown.asks
        return EN(asked) if asked is not None else ""

    def missing(self) -> list[str]:
        return [EN(said) for said in self.shown.missing]

    def through(self, step: WizardStep) -> SetupView:
        """A step from its beginning to its end, the hand doing what is asked for."""
        showing = self.goes(step)
        while "skip" in showing.may:
            before, showing = showing, self.does()
            assert showing != before, self.says()
        return showing

    def found(self) -> dict[int, str]:
        return dict(self.shown.found)

    def end(self) -> None:
        self.real.close()
        self.journal.close()


@contextmanager
def rehearsing(
    folder: Path,
    said: str | None = None,
    game: str = "bankueberfall",
    hand: RehearsalHand | None = None,
) -> Iterator[Rehearsal]:
    made = Rehearsal(folder, said, game, hand=hand)
    try:
        yield made
    finally:
        made.end()


def code(refused: Refusal | None) -> str:
    return refused.code if refused is not None else ""
