"""The set-up at a terminal: the same steps as on the page, in lines of text and with keys.

Laws: what a line says was found is on disk. It is the same table and the same game as the service
has, so no second program may have its readers. A new sticker counts once nothing has come or gone
for a second, so that of two in one hand neither counts.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.app.hosting import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.settings import journal_path
from companion.app.setup.rehearsal_hand import STRANGER, RehearsalHand
from companion.app.setup.wizard import SetupWizard
from companion.app.wires import OpenedWires, TableWires, configured_profile, load_wiring
from companion.core.errors import Refusal
from companion.core.i18n import Message, message
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.replacement import ReplaceRequest
from companion.setup.steps import SetupView, WizardAction, WizardStep
from hardware.backends import connect
from hardware.clock import Clock
from hardware.simulated_table import SimulatedHardware
from hardware.wiring import Wiring

STOP = "q"
"""The key that ends a step."""
ACTIONS: dict[str, WizardAction] = {"u": "undo", "s": "skip", "r": "renew"}
POLL_INTERVAL = 0.03
"""Seconds between two looks at the readers."""
SETTLE, LATEST = 1.0, 5.0
"""Seconds until every reader has looked at what lies there from before; and at the latest."""
GLANCE, HAND_PACE = 0.12, 2.4
"""Seconds between two looks at the walk; and between two moves of a simulated hand."""
HAND_TRIES = 4
"""Moves of that hand after which it gives up if nothing has changed."""
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


class TerminalSetup:
    """A table that is set up at a terminal; a simulated hand does what is asked, if there is one.

    `tell` prints a sentence, and `read_keys` returns the keys pressed since the last call.
    """

    def __init__(
        self,
        wizard: SetupWizard,
        source: PhysicalTable,
        hand: RehearsalHand | None,
        clock: Clock,
        read_keys: Callable[[], str],
        tell: Callable[[Message], None],
    ) -> None:
        self._wizard, self._source, self._hand, self._clock = wizard, source, hand, clock
        self._read_keys, self._tell = read_keys, tell
        self._told: dict[str, object] = {}

    def attend(self, step: WizardStep, keys: Message) -> SetupView | Refusal:
        """Tell the keys, then go through a step until nothing is asked for any more, or STOP is
        pressed."""
        self._settle()
        refused = self._wizard.go_to(step)
        if refused is not None:
            return refused
        self._tell(keys)
        looks = list[SetupView]()
        while True:
            view = self._wizard.view()
            looks = [*looks, view][-HAND_TRIES:]
            self._tell_news(view)
            is_over = _is_over(view)
            pressed = "" if is_over else self._read_keys()
            for key in pressed.partition(STOP)[0]:
                self._take_key(key, step)
            if is_over or STOP in pressed:
                break
            if self._hand is not None and looks == [view] * HAND_TRIES:
                break  # It can do no more than that.
            if self._hand is not None:
                self._wizard.move_hand("asked")
            self._wait(GLANCE if self._hand is None else HAND_PACE)
        if is_over:
            self._wizard.finish_step(step)
        self._wizard.go_to("done")
        return view

    def _tell_news(self, view: SetupView) -> None:
        """Tell what has changed since the last look."""
        self._tell_new("says", view.says, view.says)
        if not _is_over(view):
            self._tell_new("asks", view.asks, view.asks)
        if view.step == "check":
            text = "Still missing: {things}."
            missing = message(text, things=list(view.missing)) if view.missing else None
            self._tell_new("missing", view.missing, missing)
        if view.slot is not None:
            text = "If its sticker is not glued yet, take slot {slot} of the jig."
            card = (view.thing, view.slot, view.done)
            self._tell_new("slot", card, message(text, slot=view.slot))

    def _tell_new(self, what: str, fact: object, say: Message | None) -> None:
        if say is not None and self._told.get(what) != fact:
            self._tell(say)
        self._told[what] = fact

    def _take_key(self, key: str, step: WizardStep) -> None:
        if key in ACTIONS:
            self._wizard.apply_action(ACTIONS[key], step)
        elif key.isdecimal() and step == "lamps":
            self._wizard.locate_lamp(int(key))
        self._tell_news(self._wizard.view())

    def _settle(self) -> None:
        """Wait until the readers have looked at what lies there from before."""
        end = self._clock.monotonic() + LATEST
        self._wait(SETTLE)
        while self._clock.monotonic() < end and not self._source.table.reports.is_listening:
            self._wait(GLANCE)

    def _wait(self, seconds: float) -> None:
        """Let the table live for so long."""
        end = self._clock.monotonic() + seconds
        while self._clock.monotonic() < end:
            self._clock.sleep(POLL_INTERVAL)
            self._source.poll()
            self._wizard.run_due_work()

    def replace_sticker(self, request: ReplaceRequest) -> bool:
        """Wait for the new sticker and give it to the piece; return False if it was stopped first.

        What lies there and cannot be the new sticker is told, and waited for to change.
        """
        if self._hand is not None:
            self._hand.lay_tag(STRANGER, 1)
        reports, judged, lying = self._source.table.reports, list[object](), list[object]()
        while STOP not in self._read_keys():
            lying = [*reports.current_evidence()]
            self._wait(STILL)
            if lying != [*reports.current_evidence()] or lying == judged:
                continue
            judged = lying
            refused = self._source.replace_sticker(request)
            if refused is None:
                return True
            self._tell(refused.say)
        return False


def _is_over(view: SetupView) -> bool:
    """Return whether a step asks for nothing any more."""
    if view.step == "check":
        return view.total > 0 and not view.missing
    return "skip" not in view.may


@contextmanager
def open_setup(
    game: str,
    folder: Path,
    profile: str | None,
    read_keys: Callable[[], str],
    tell: Callable[[Message], None],
    *,
    simulated: bool,
) -> Iterator[TerminalSetup]:
    """Open the table of a data folder, with this box; its lamps are off afterwards."""
    hand, clock = (RehearsalHand(), TurnClock()) if simulated else (None, time)

    def open_wires(wiring: Wiring) -> OpenedWires:
        if hand is None:
            return connect("pi", wiring)
        hardware = hand.attach_to(SimulatedHardware(wiring, pace=clock), wiring)
        return hardware, hardware

    seats, rules = Seats(), make_rulebook(game)
    with closing(Journal(journal_path(folder))) as journal:
        wires = TableWires(load_wiring(folder, profile or configured_profile(folder)), open_wires)
        with closing(PhysicalTable(rules, journal, folder, wires, seats)) as source:
            wizard = SetupWizard(build_host(source, journal, seats), source, profile, hand)
            yield TerminalSetup(wizard, source, hand, clock, read_keys, tell)
