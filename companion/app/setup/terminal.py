"""The set-up at a terminal: the same steps as on the page, in lines of text and with keys.

Laws: what a line says was found is on disk. It is the same table and the same game as the service
has, so no second program may have its readers. With `--sim` a hand at a simulated table does what
is asked; its stickers are the same every time, so that a deck can be checked later.
"""

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
from companion.core.i18n import N_, Message, message
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
"""The key that ends a step."""
ACTIONS: dict[str, WizardAction] = {"u": "undo", "s": "skip", "r": "renew"}
KEYS: dict[WizardStep, str] = {
    "stickers": N_(
        "Keys: u takes the last one back, s skips, r makes a known sticker new, q stops."
    ),
    "check": N_("Press q to stop."),
}
WIRE_KEYS = N_(
    "Keys: u takes the last one back, s skips, a number says where a lamp shines, q stops."
)
POLL_INTERVAL = 0.03
"""Seconds between two looks at the readers."""
SETTLE, LOOKS = 1.0, 5
"""Seconds until every reader has looked at its old tags; so often at most."""
GLANCE = 0.12
"""Seconds between two looks at the walk."""
HAND_TRIES = 3
"""Moves of a simulated hand after which it gives up if nothing has changed."""


class TerminalSetup:
    """A table that is set up at a terminal; with a simulated hand, if there is one.

    `opened` closes what is opened here, `tell` prints a sentence, and `read_keys` returns the keys
    pressed since the last call.
    """

    def __init__(  # noqa: PLR0913
        self,
        game: str,
        folder: Path,
        profile: str | None,
        read_keys: Callable[[], str],
        tell: Callable[[Message], None],
        opened: ExitStack,
        *,
        simulated: bool,
    ) -> None:
        self._read_keys, self._tell, self._told = read_keys, tell, list[Message | None]()
        self._hand: SimulatedTabletop | None = None
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

        self._hand = SimulatedTabletop(wiring, StillClock())
        return self._hand, self._hand

    def attend(self, step: WizardStep) -> SetupView:
        """Go through a step until nothing is asked for any more, or STOP is pressed; Malformed if
        it cannot be begun."""
        for _ in range(LOOKS):
            self._wait(SETTLE)
            if self._source.table.reports.is_listening:
                break
        refused = self._wizard.go_to(step)
        if refused is not None:
            raise Malformed("--wires", refused.say.text, **refused.say.facts)
        self._tell(message(KEYS.get(step, WIRE_KEYS)))
        seen, tries = None, 0
        while True:
            view = self._wizard.view()
            self._tell_news(view)
            if is_over(view):
                break
            pressed = self._read_keys()
            for key in pressed.partition(STOP)[0]:
                self._take_key(key, step)
            if STOP in pressed:
                view = self._wizard.view()
                break
            if self._hand is not None:
                tries = tries + 1 if view == seen else 0
                if tries == HAND_TRIES:
                    break  # It can do no more than that.
                seen = view
                self._act_as_asked(self._hand, self._wizard.view())
            self._wait(GLANCE)
        if is_over(view):
            if view.asks is not None:
                self._tell(view.asks)
            self._wizard.apply_action("next", step)
        elif step == "stickers":
            self._tell(message("Not enrolled yet: {things}.", things=list(view.missing)))
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
        news = [view.says, None if is_over(view) else view.asks]
        if view.step == "check" and view.missing:
            news.append(message("Still missing: {things}.", things=list(view.missing)))
        if view.slot:
            text = "If its sticker is not glued yet: on its back, slot {slot} of the jig."
            news.append(message(text, slot=view.slot, of=(view.thing, view.done)))  # Of each one.
        for said in news:
            if said is not None and said not in self._told:
                self._tell(said)
        self._told = news

    def _take_key(self, key: str, step: WizardStep) -> None:
        if key in ACTIONS:
            self._wizard.apply_action(ACTIONS[key], step)
        elif key.isdecimal() and step == "lamps":
            self._wizard.locate_lamp(int(key))
        self._tell_news(self._wizard.view())

    def _wait(self, seconds: float) -> None:
        """Let the table live for so long; a simulated one need not wait."""
        for _ in range(1 if self._hand is not None else round(seconds / POLL_INTERVAL)):
            if self._hand is not None:
                self._hand.pass_time(seconds)
            else:
                time.sleep(POLL_INTERVAL)
            self._source.poll()
            self._wizard.run_due_work()


def sticker_uid(n: int) -> str:
    """Return the UID of the simulated sticker on the n-th thing that is enrolled, from 0."""
    return f"0451{n:010x}"


def _tap(hand: "SimulatedTabletop", uid: str, place: int = 0) -> None:
    """Hold a sticker to the reader of a place, else to one that is well."""
    well = [reader.place for reader in hand.conditions() if reader.word == "well"]
    hand.lay_tag(uid, place or next(iter([*well, *hand.wiring.readers])))
    hand.lift_tags(uid)


def is_over(view: SetupView) -> bool:
    """Return whether a step asks for nothing any more."""
    if view.step == "check":
        return view.total > 0 and not view.missing
    return "skip" not in view.may
