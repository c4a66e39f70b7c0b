"""The set-up at a terminal: the same steps as on the page, in lines of text and with keys.

Laws: what a line says was found is on disk. It is the same table and the same game as the service
has, so no second program may have its readers. A new sticker counts once nothing has come or gone
for a second, so that of two in one hand neither counts. With `--sim` a hand at a simulated table
does what is asked; its stickers are the same every time, so that a deck can be checked later.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.health_monitor import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.settings import journal_path
from companion.app.setup.wizard import SetupWizard
from companion.app.wires import OpenedWires, TableWires, configured_profile, load_wiring
from companion.core.errors import Refusal
from companion.core.i18n import Message, message
from companion.games import make_rulebook
from companion.host.settings import TableSettings
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.replacement import ReplaceRequest
from companion.setup.steps import SetupView, WizardAction, WizardStep
from hardware.backends import connect
from hardware.wiring import Wiring

if TYPE_CHECKING:
    from hardware.simulator.hands_on_table import SimulatedTabletop

STOP = "q"
"""The key that ends a step."""
ACTIONS: dict[str, WizardAction] = {"u": "undo", "s": "skip", "r": "renew"}
POLL_INTERVAL = 0.03
"""Seconds between two looks at the readers."""
SETTLE, LATEST = 1.0, 5.0
"""Seconds until every reader has looked at what lies there from before; and at the latest."""
GLANCE = 0.12
"""Seconds between two looks at the walk."""
HAND_TRIES = 3
"""Moves of a simulated hand after which it gives up if nothing has changed."""
STILL = 1.0
"""Seconds without a change on the readers, after which what lies there counts."""
NEW_STICKER = "04fedcba987654"
"""The sticker that a simulated hand lays to replace another one."""


class TerminalSetup:
    """A table that is set up at a terminal; with a simulated hand, if there is one.

    `tell` prints a sentence, and `read_keys` returns the keys pressed since the last call.
    """

    def __init__(
        self,
        game: str,
        folder: Path,
        profile: str | None,
        read_keys: Callable[[], str],
        tell: Callable[[Message], None],
        *,
        simulated: bool,
    ) -> None:
        self._read_keys, self._tell, self._told = read_keys, tell, dict[str, object]()
        self._hand: SimulatedTabletop | None = None
        seats, wiring = Seats(), load_wiring(folder, profile or configured_profile(folder))
        self._journal = Journal(journal_path(folder))
        wires = TableWires(wiring, self._simulate_wires if simulated else partial(connect, "pi"))
        self._source = PhysicalTable(make_rulebook(game), self._journal, folder, wires, seats)
        host = build_host(self._source, self._journal, seats)
        self._wizard = SetupWizard(host, self._source, TableSettings(folder), profile)

    def _simulate_wires(self, wiring: Wiring) -> OpenedWires:
        # A Pi that enrols a real box loads nothing of the simulator.
        from hardware.simulator.hands_on_table import (  # noqa: PLC0415
            SimulatedTabletop,
            StillClock,
        )

        self._hand = SimulatedTabletop(wiring, StillClock())
        return self._hand, self._hand

    def close(self) -> None:
        """Switch the lamps off, and close the journal."""
        self._source.close()
        self._journal.close()

    def attend(self, step: WizardStep, keys: Message) -> SetupView | Refusal:
        """Tell the keys, then go through a step until nothing is asked for any more, or STOP is
        pressed."""
        self._settle()
        refused = self._wizard.go_to(step)
        if refused is not None:
            return refused
        self._tell(keys)
        seen, tries = None, 0
        while True:
            view = self._wizard.view()
            self._tell_news(view)
            is_over = _is_over(view)
            pressed = "" if is_over else self._read_keys()
            for key in pressed.partition(STOP)[0]:
                self._take_key(key, step)
            if is_over or STOP in pressed:
                break
            if self._hand is not None:
                tries = tries + 1 if view == seen else 0
                if tries == HAND_TRIES:
                    break  # It can do no more than that.
                seen = view
                self._act_as_asked(self._hand, self._wizard.view())
            self._wait(GLANCE)
        if is_over:
            self._wizard.apply_action("next", step)
        self._wizard.go_to("done")
        return view

    def _act_as_asked(self, hand: "SimulatedTabletop", view: SetupView) -> None:
        """Lay, press or look as the step asks."""
        self._source.poll()  # The lamps show it, too.
        match view.step:
            case "buttons":
                hand.press_button(view.asked)
            case "lamps":
                lit = [seat for seat, _ in view.found if hand.is_lit(seat)]
                self._wizard.locate_lamp(next(iter(lit), 0))
            case "banks":
                _tap(hand, sticker_uid(0), view.asked)
            case "stickers" if view.thing:
                _tap(hand, sticker_uid(view.done))
            case "check":
                for n in range(sum(self._source.table.rules.box.tagged_pieces().values())):
                    _tap(hand, sticker_uid(n))

    def _tell_news(self, view: SetupView) -> None:
        """Print the changes since the last look."""
        self._tell_new("says", view.says, view.says)
        if not _is_over(view):
            self._tell_new("asks", view.asks, view.asks)
        if view.step == "check":
            missing = message("Still missing: {things}.", things=list(view.missing))
            self._tell_new("missing", view.missing, missing if view.missing else None)
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
        waited = SETTLE
        self._wait(SETTLE)
        while waited < LATEST and not self._source.table.reports.is_listening:
            self._wait(GLANCE)
            waited += GLANCE

    def _wait(self, seconds: float) -> None:
        """Let the table live for so long; a simulated one need not wait."""
        for _ in range(1 if self._hand is not None else round(seconds / POLL_INTERVAL)):
            if self._hand is not None:
                self._hand.pass_time(seconds)
            else:
                time.sleep(POLL_INTERVAL)
            self._source.poll()
            self._wizard.run_due_work()

    def replace_sticker(self, request: ReplaceRequest) -> bool:
        """Wait for the new sticker and give it to the piece; return False if it was stopped first.

        What lies there and cannot be the new sticker is told, and waited for to change.
        """
        if self._hand is not None:
            self._hand.put_tag(NEW_STICKER, next(iter(self._hand.wiring.readers)))
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


def sticker_uid(n: int) -> str:
    """Return the UID of the simulated sticker on the n-th thing that is enrolled, from 0."""
    return f"0451{n:010x}"


def _tap(hand: "SimulatedTabletop", uid: str, place: int = 0) -> None:
    """Hold a sticker to the reader of a place, else to one that is well."""
    well = [reader.place for reader in hand.conditions() if reader.word == "well"]
    hand.lay_tag(uid, place or next(iter([*well, *hand.wiring.readers])))
    hand.lift_tags(uid)


def _is_over(view: SetupView) -> bool:
    """Return whether a step asks for nothing any more."""
    if view.step == "check":
        return view.total > 0 and not view.missing
    return "skip" not in view.may
