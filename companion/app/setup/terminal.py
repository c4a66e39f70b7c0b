"""The set-up at a terminal: the same steps as on the page, in lines of text and with letters.

Laws: what a line says was found is on disk. It is the same table and the same game as the service
has, so no second program may have its readers. With `--sim` a hand at a simulated table does what
is asked; its stickers are the same every time, so that a deck can be checked later.
"""

import os
import select
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.build_host import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.settings import journal_path
from companion.app.setup.wizard import SetupWizard
from companion.app.wires import OpenedWires, TableWires, configured_profile, load_wiring
from companion.core.errors import Malformed
from companion.core.i18n import Message, message
from companion.games import make_rulebook
from companion.host.settings import TableSettings
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.steps import SetupView, WizardAction, WizardStep
from hardware.backends import connect
from hardware.wiring import Wiring

if TYPE_CHECKING:
    from hardware.simulator.hands_on_table import SimulatedTabletop

STOP = "q"
"""The letter that ends a step."""
ACTIONS: dict[str, WizardAction] = {"u": "undo", "s": "skip", "r": "renew"}
POLL_INTERVAL, LOOK_INTERVAL = 0.03, 0.12
"""Seconds between two looks at the readers; and at the walk."""
SETTLE, LOOKS = 1.0, 5
"""Seconds until every reader has looked at what lies there from before; so often at most."""


class TerminalSetup:
    """A table that is set up at a terminal; with a simulated hand, if there is one.

    `opened` closes what is opened here, and `tell` prints a sentence.
    """

    def __init__(
        self,
        game: str,
        folder: Path,
        profile: str | None,
        tell: Callable[[Message], None],
        opened: ExitStack,
        *,
        simulated: bool,
    ) -> None:
        self._tell, self._told = tell, list[Message | None]()
        self._hand: SimulatedTabletop | None = None
        self._sleep: Callable[[float], None] = time.sleep
        seats, wiring = Seats(), load_wiring(folder, profile or configured_profile(folder))
        journal = opened.enter_context(closing(Journal(journal_path(folder))))
        wires = TableWires(wiring, self._simulate_wires if simulated else partial(connect, "pi"))
        opened.callback(wires.close)
        self._source = PhysicalTable(make_rulebook(game), journal, folder, wires, seats)
        host = build_host(self._source, journal, seats)
        self._wizard = SetupWizard(host, self._source, TableSettings(folder), profile)

    def _simulate_wires(self, wiring: Wiring) -> OpenedWires:
        # A Pi that enrols a real box loads nothing of the simulator.
        from hardware.simulator.hands_on_table import SimulatedTabletop, StillClock  # noqa: PLC0415

        self._hand = hand = SimulatedTabletop(wiring, StillClock())
        self._sleep = hand.pass_time
        return hand, hand

    def attend(self, step: WizardStep) -> SetupView:
        """Go through a step until nothing is asked for any more, or STOP is typed; Malformed if it
        cannot be begun."""
        for _ in range(LOOKS):
            self._wait(SETTLE)
            if self._source.table.reports.is_listening:
                break
        refused = self._wizard.go_to(step)
        if refused is not None:
            raise Malformed("--wires", refused.say.text, **refused.say.facts)
        text = (
            "Type a letter and Enter: u takes the last one back, s skips, r makes a known sticker "
            "new, a number says where a lamp is lit, q stops."
        )
        self._tell(message(text))
        seen: SetupView | None = None
        while not is_over(view := self._look()):
            typed, has_stopped, _ = read_typed().partition(STOP)
            for key in typed:
                if key in ACTIONS:
                    self._wizard.apply_action(ACTIONS[key], step)
                elif key.isdecimal():
                    self._wizard.locate_lamp(int(key))
                view = self._look()
            if has_stopped or view == seen:  # Where it changes nothing, a hand can do no more.
                break
            if self._hand is not None:
                seen = view
                self._act_as_asked(self._hand, view)
        left = message("Still missing: {things}.", things=list(view.missing))
        end = view.asks if is_over(view) else left if view.missing else None
        never = message("Not enrolled yet: {things}.", things=list(view.never))
        for said in filter(None, (end, *view.notes, view.lacking, never if view.never else None)):
            self._tell(said)
        if is_over(view):
            self._wizard.apply_action("next", step)
        return view

    def _look(self) -> SetupView:
        """Return the step a moment later, and print the news since the last look."""
        self._wait(LOOK_INTERVAL)
        view = self._wizard.view()
        news = [view.says, None if is_over(view) else view.asks]
        if view.slot:
            text = "If its sticker is not glued yet: on its back, slot {slot} of the jig."
            news.append(message(text, slot=view.slot, of=(view.thing, view.done)))  # Of each one.
        for said in news:
            if said is not None and said not in self._told:
                self._tell(said)
        self._told = news
        return view

    def _act_as_asked(self, hand: "SimulatedTabletop", view: SetupView) -> None:
        """Press, look or lay as the step asks."""
        match view.step:
            case "buttons":
                hand.press_button(view.asked)
            case "lamps":
                lit = (seat for seat, _ in view.found if hand.is_lit(seat))
                self._wizard.locate_lamp(next(lit, 0))
            case _:
                uid = sticker_uid(view.done)
                hand.lay_tag(uid, view.asked or min(hand.wiring.readers))
                hand.lift_tags(uid)

    def _wait(self, seconds: float) -> None:
        """Let the table live for so long."""
        for _ in range(round(seconds / POLL_INTERVAL)):
            self._sleep(POLL_INTERVAL)
            self._source.poll()


def sticker_uid(n: int) -> str:
    """Return the UID of the simulated sticker on the n-th thing that is enrolled, from 0."""
    return f"0451{n:010x}"


def is_over(view: SetupView) -> bool:
    """Return whether a step asks for nothing any more."""
    return not view.missing if view.step == "check" else "skip" not in view.may


def read_typed() -> str:
    """Return the letters typed since the last call, up to an Enter."""
    try:
        terminal = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # There is none.
        return ""
    is_ready = select.select([terminal], [], [], 0)[0]
    return os.read(terminal, 64).decode("ascii", "ignore").lower() if is_ready else ""
