"""Hosting: what the host decides, done alike at a simulated table and at a real one.

Laws: it all happens on the one thread where everything happens, and everything that the game hears
of it comes from the host. What is asked for and cannot be is refused before anything is touched. A
press says first whose phone or whose PIN it is; only then it says something to the game.
"""

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from companion.app.health_monitor import HealthMonitor
from companion.core.deck import Deck
from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Started
from companion.core.i18n import Message
from companion.core.sensor_events import ButtonPressed, Evidence, ReaderCondition
from companion.core.table_events import Cleared, Ended
from companion.enrol.box_check import Checking
from companion.games.new_game import NewGame, same_game_again, prepare_game
from companion.games.rulebook import Rulebook
from companion.host.calls import RunOnLoop, run_here
from companion.host.health import BoxCheckProgress, BoxHealth, Light, TableHealth
from companion.host.pin import Pin
from companion.host.status import health_lights
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.lamps_and_buttons import meaning
from companion.table.permissions import HOSTED
from companion.table.table import Table

AT_BOOT = 15.0
"""Seconds after the start in which a held button makes a new PIN. Later it calls the judge, and
must not sign the host out."""
ABANDONED = "nobody plays any more"
"""Why a game was ended at which nobody did anything for a long time."""


class Host(ABC):
    """A table with a host; of which kind the table is, its children know."""

    wiring: str
    simulated: bool
    by_hand: bool = True
    """Whether somebody at the machine started it, and nobody from a page."""
    unwired: Message | None = None
    """Why the wires cannot be opened."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        seats: Seats,
        pin: Pin | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table, self.journal, self.seats = table, journal, seats
        self.pin = pin or Pin()
        self.run_on_loop: RunOnLoop = run_here
        self.clock, self.since = clock, clock()
        self.wish = same_game_again(self.table.history)
        self._checking: Checking | None = None
        self.health_monitor = HealthMonitor(self)
        self.felt: Callable[[Evidence], None] = lambda _noticed: None
        self.asks_first: Callable[[Evidence], bool] = lambda _noticed: False
        """Who hears all before the game; what is kept there the game does not hear."""

    # What the host asks for.

    def begin_game(self, wish: NewGame) -> Refusal | None:
        """Begin a game, in whichever box, where none is under way."""
        return self.run_on_loop(lambda: self._begin(wish))

    def reset_table(self) -> Refusal | None:
        """For the next group: the game ended and put away, the seats free, the box checked."""
        return self.run_on_loop(self._reset)

    def abandon_game(self) -> Refusal | None:
        """Nobody plays any more: the same, in the journal with its reason; on the one thread."""
        return self._reset(ABANDONED)

    def start_box_check(self) -> Refusal | None:
        """Check from now on that everything of this box comes by a reader once."""
        return self.run_on_loop(self._check)

    def box_check(self) -> BoxCheckProgress | None:
        """How far the check has come; None if there is none."""
        checking = self._checking
        return checking.shown() if checking else None

    def stop_box_check(self) -> None:
        """Check no longer."""
        self.run_on_loop(self._stop_check)

    def read_health(self) -> TableHealth:
        """How the table is."""
        return self.run_on_loop(self.health_monitor.read_health)

    def health_lights(self) -> tuple[Light, ...]:
        """How it was when somebody looked last, at most a moment ago; waits for nobody."""
        return self.health_monitor.lights or health_lights(self.read_health())

    # How that is done.

    def _begin(self, wish: NewGame) -> Refusal | None:
        if not self.table.history.over:
            return refusal("under_way", self.table.rules.start_rule, "A game is under way.")
        found = prepare_game(wish, secrets.token_hex(6))
        if isinstance(found, Refusal):
            return found
        rules, started = found
        if rules.box.game != self.table.rules.box.game:
            refused = self.change_box(rules)
            if refused is not None:
                return refused
        self._stop_check()
        self._lay_out(started)
        refused = self.table.start(started, HOSTED)
        if refused is None:
            self.wish = wish
        self.poll()
        return refused

    def _reset(self, reason: str = "") -> Refusal | None:
        steps: list[Event] = [] if self.table.history.over else [Ended(reason)]
        steps += [] if self.table.state is None else [Cleared()]
        for step in steps:
            refused = self.table.request(step, HOSTED)
            if refused is not None:
                return refused
        self.seats.clear()
        self.wish = same_game_again(self.table.history)
        self._put_away()
        self._check()  # Where nothing can be checked, nothing is.
        self.table.tell()
        return None

    def _check(self) -> Refusal | None:
        table = self.table
        title, deck = table.rules.box.title, self.deck(table.rules)
        if not table.history.over:
            return refusal("under_way", table.rules.start_rule, "A game is under way.")
        if deck is None:
            text = "{title} is not enrolled yet: no reader knows its cards."
            return refusal("not_enrolled", "T.host", text, title=title)
        if not table.reports.listening:
            return refusal("no_readers", "T.host", "No reader of this table listens.")
        self._put_away()
        self._checking = Checking(table.rules.box, deck, table.reports.again())
        table.tell()
        return None

    def _stop_check(self) -> None:
        if self._checking is not None:
            self._checking = None
            self.table.tell()

    # What is sensed.

    def heard(self, noticed: Sequence[Evidence]) -> list[Evidence]:
        """What the game is to hear of what was noticed."""
        for evidence in noticed:
            self.felt(evidence)
        return [evidence for evidence in noticed if not self._ours(evidence)]

    def _ours(self, evidence: Evidence) -> bool:
        """Whether this says something to the host or at the door, and nothing to the game."""
        if self._checking is not None and self._checking.hear(evidence):
            self.table.tell()
        if self.asks_first(evidence):
            return True
        if not isinstance(evidence, ButtonPressed):
            return False
        if evidence.held:
            return self._new_pin()
        nobodys = 0 < self.table.seats < evidence.seat  # Before the first game every seat counts.
        if nobodys or self._is_awaited(evidence):
            return False
        return self.seats.pressed(evidence.seat)

    def _is_awaited(self, press: ButtonPressed) -> bool:
        """Whether the game waits for this press of somebody who sits there.

        Such a press gives no seat away to a stranger who asked for it, even if its phone sleeps.
        """
        return press.seat in self.seats.taken() and meaning(self.table.history, press) is not None

    def _new_pin(self) -> bool:
        """Make a new PIN, just after the start: whoever holds a button stands at the table."""
        if not self.by_hand or self.clock() - self.since > AT_BOOT:
            return False
        self.pin.renew_pin()
        self.table.tell()
        return True

    # What is not the same everywhere.

    @abstractmethod
    def poll(self) -> None:
        """Take in what happened, then set every lamp."""

    @abstractmethod
    def deck(self, rules: Rulebook) -> Deck | None:
        """What is known of the stickers in the box of this game, if it is the one on the table."""

    @abstractmethod
    def change_box(self, rules: Rulebook) -> Refusal | None:
        """Have the box of this game on the table."""

    @abstractmethod
    def _lay_out(self, started: Started) -> None:
        """Lay the cards as this game begins, where that is ours to do."""

    @abstractmethod
    def _put_away(self) -> None:
        """Put everything into the box, where that is ours to do."""

    @abstractmethod
    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """What is known of every box."""

    @abstractmethod
    def conditions(self) -> Sequence[ReaderCondition]:
        """The health of every reader."""

    @abstractmethod
    def stuck_buttons(self) -> Sequence[int]:
        """The seats whose button stays down."""

    @abstractmethod
    def read_clock(self) -> float:
        """What the clock shows by which the readers count."""

    @abstractmethod
    def count_visits(self) -> int:
        """How many visits the wires have had."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the wires."""
