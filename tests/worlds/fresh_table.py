"""A table that was never set up: crossed wires, a hand at them, its wizard, and its pages.

Law: its clock is moved by the test alone, and everything that the table does it does meanwhile.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from flask import Flask

from companion.app.build_host import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.setup.wizard import SetupWizard
from companion.app.wires import OpenedWires, TableWires, load_wiring
from companion.core.errors import Refusal
from companion.core.i18n import get_language
from companion.games import make_rulebook
from companion.host.settings import TableSettings
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.steps import SetupView, WizardAction, WizardStep
from hardware.simulator.hands_on_table import SimulatedTabletop
from hardware.simulator.world import World
from hardware.wiring import Wiring, load_profile
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.left_open import closed_later
from tests.worlds.visitor import UNHURRIED, PlacedMachine, words
from web.app import create_app
from web.context import AppContext

TURN = 0.03
HELD = 1.2
"""Seconds for which a card is held on a reader, and in which it is missed again."""
ADDRESSES = ("http://192.168.4.20:8000/", "http://tisch.local:8000/")
CARD, OTHER = "04a0b1c2d3e4f5", "04a0b1c2d3e4f6"
CLASSIC, STRANGER = "9a8b7c6d", "04fedcba987654"
EN = get_language("en")
T = TypeVar("T")


def cross_wires(profile: str) -> Wiring:
    """A profile as it was soldered: two readers, two buttons and two lamps are crossed."""
    swap = {2: 3, 3: 2}
    return load_profile(profile).with_learnt(banks=swap, buttons=swap, lamps={1: 4, 4: 1})


def sticker_uid(n: int) -> str:
    """The sticker that the hand lays as the n-th, from 0."""
    return f"0451{n:010x}"


class Fresh:
    """One such table; what is learnt of it is kept in a folder."""

    def __init__(
        self,
        folder: Path,
        profile: str | None = None,
        game: str = "bankueberfall",
        *,
        language: str = "en",
        patient: bool = False,
        soldered: Callable[[str], Wiring] = cross_wires,
    ) -> None:
        self.folder, self.now, self._busy, self._soldered = folder, 0.0, RLock(), soldered
        self._lying = dict[str, int]()
        self.deeds = 0
        """So often the hand did something."""
        self.journal = closed_later(Journal(folder / "journal.sqlite3"))
        self.seats, clock = Seats(clock=self.monotonic), self.monotonic
        self.wires = TableWires(
            load_wiring(folder, profile), self._simulated, patient=patient, clock=clock
        )
        self.real = PhysicalTable(make_rulebook(game), self.journal, folder, self.wires, self.seats)
        self.host = build_host(
            self.real, self.journal, self.seats, run_on_loop=self._call, clock=clock
        )
        settings = TableSettings(folder, usual_language=language)
        self.first = SetupWizard(self.host, self.real, settings, profile, clock)
        self.wait(2)

    @cached_property
    def app(self) -> Flask:
        """Its pages."""
        context = AppContext(
            self.real.table,
            self.seats,
            host=self.host,
            setup=self.first,
            settings=self.first.settings,
            machine=PlacedMachine(*ADDRESSES),
        )
        return create_app(context, limits=UNHURRIED)

    def monotonic(self) -> float:
        """What the clock of the table shows."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Nothing here waits."""
        self.now += seconds

    def _simulated(self, wiring: Wiring) -> OpenedWires:
        self.opens(wiring)
        self.table, self._known = SimulatedTabletop(wiring, self), wiring
        self._real = self._soldered(wiring.learnt_from)
        for uid, place in self._lying.items():
            self.lay(uid, place)
        return self.table, self.table

    def opens(self, _wiring: Wiring) -> None:
        """Here a test can refuse to open a wiring."""

    def _call(self, act: Callable[[], T], /) -> T:
        with self._busy:
            return act()

    @property
    def world(self) -> World:
        """Its chips and fields."""
        return self.table.world

    def wait(self, seconds: float = 2 * HELD) -> None:
        """Time passes, and the table takes in what its readers and buttons noticed."""
        for _ in range(round(seconds / TURN)):
            self.now += TURN
            self._call(self.real.poll)
            self._call(self.first.run_due_work)

    def shut(self) -> None:
        """Pull the wires."""
        self.real.wires.close()
        self.journal.close()

    # The hand: it acts where things really are.

    def lay(self, uid: str, place: int) -> None:
        """Lay a sticker on the reader that was soldered at this place."""
        self._lying[uid] = place
        for called in _called(self._known.readers, self._real.readers, place):
            self.table.put_tag(uid, called)

    def lift_all(self) -> None:
        """Take everything off the table."""
        self.table.take_tags(*self._lying)
        self._lying.clear()

    def press(self, seat: int) -> None:
        """Press the button that was soldered at this seat."""
        for called in _called(self._known.buttons, self._real.buttons, seat):
            self.world.tap(called)

    def shining_seat(self) -> int:
        """The seat at which a lamp really shines; 0 for none."""
        lit = {pin for seat, pin in self._known.lamps.items() if self.table.is_lit(seat)}
        return next((seat for seat, pin in self._real.lamps.items() if pin in lit), 0)

    def does(self, what: str = "asked") -> SetupView:
        """What the step asks, or something wrong; or all is taken off."""
        self.deeds += 1
        self.wait(TURN)  # The lamps show what is asked.
        shown, wrong = self.shown, what == "wrong"
        known = [number for number, how in shown.found if how == "found"]
        others = [number for number, _ in shown.found if number != shown.asked]
        at = (known or [*others, shown.asked])[0 if known else -1] if wrong else shown.asked
        readers = [*self._real.readers]
        match shown.step:
            case _ if what == "off" or (self._lying and not wrong):
                self.lift_all()
            case "banks":
                self.lay(CARD, at)
                if wrong and not known:
                    self.lay(OTHER, next(place for place in readers if place != at))
            case "buttons":
                self.press(at)
            case "lamps":
                self.first.locate_lamp(at if wrong else self.shining_seat())
            case "stickers" | "check" if wrong:
                self.lay(CLASSIC if shown.step == "stickers" else STRANGER, min(readers))
            case "stickers" if shown.thing:
                self.lay(sticker_uid(shown.done), self._working_place())
            case "check":
                for n, place in enumerate(readers, shown.done):
                    self.lay(sticker_uid(n), place)
        self.wait(HELD)
        if not wrong:
            self.lift_all()
        self.wait(HELD)
        return self.shown

    def _working_place(self) -> int:
        """A place whose reader answers."""
        well = {self._known.readers[c.place] for c in self.table.conditions() if c.word == "well"}
        found = [place for place, address in self._real.readers.items() if address in well]
        return next(iter([*found, *self._real.readers]))

    # What is seen.

    @property
    def shown(self) -> SetupView:
        """What the page shows."""
        return self.first.view()

    def goes(self, step: WizardStep) -> SetupView:
        """The host goes to a step."""
        assert self.first.go_to(step) is None
        self.wait(2)
        return self.shown

    def acts(self, action: WizardAction) -> Refusal | None:
        """The host does this at the step that is shown."""
        return self.first.apply_action(action, self.shown.step)

    def through(self, step: WizardStep) -> SetupView:
        """A step from its beginning to its end, the hand doing what is asked for."""
        showing = self.goes(step)
        while "skip" in showing.may:
            before, showing = showing, self.does()
            assert showing != before, self.says()
        return showing

    def says(self) -> str:
        """What was said last."""
        said = self.shown.says
        return EN(said) if said is not None else ""

    def asks(self) -> str:
        """What is to be done now."""
        asked = self.shown.asks
        return EN(asked) if asked is not None else ""

    def missing(self) -> list[str]:
        """What is missing."""
        return [EN(said) for said in self.shown.missing]

    def found(self) -> dict[int, str]:
        """How each place or seat stands."""
        return dict(self.shown.found)


def _called(known: Mapping[int, object], real: Mapping[int, object], number: int) -> Iterator[int]:
    """What the table so far calls the wire that is soldered at this place or seat."""
    return (called for called, wire in known.items() if wire == real.get(number))


@contextmanager
def fresh_table(
    folder: Path,
    profile: str | None = None,
    game: str = "bankueberfall",
    soldered: Callable[[str], Wiring] = cross_wires,
) -> Iterator[Fresh]:
    """Such a table, shut at the end."""
    made = Fresh(folder, profile, game, soldered=soldered)
    try:
        yield made
    finally:
        made.shut()


def code(refused: Refusal | None) -> str:
    """The code of a refusal; "" where it was granted."""
    return refused.code if refused is not None else ""


class Host(HostsBrowser):
    """The host, who goes from step to step."""

    def does(self, what: str, /, **fields: Any) -> str:
        """Send a form of the page; return the page's words, or the refusal's."""
        answer = self.calls(f"first/{what}", **fields)
        page = self.get("/first") if answer.status_code == 204 else answer
        return words(re.sub(r"(?s)<nav.*?</nav>", "", page.text))

    def at(self, step: str) -> str:
        return self.does("step", step=step)


def host(table: Fresh) -> Host:
    made = Host(table.app)
    made.signs_in()
    return made
