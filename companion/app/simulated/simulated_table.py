"""An evening at a simulated table: its pieces, the game, the daemon's turn, bots in free seats.

Laws: nothing is pretended. Whoever moves a piece, person or bot, moves it on the simulated
readers, and only what they see counts. Everything here happens on one thread; `call` brings it
there from any other.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.app.physical_table import TablePoller
from companion.app.simulated.bot_driver import MOST_SEATS, NAMES
from companion.app.simulated.faults import FaultInjector
from companion.app.simulated.gathered import gathered
from companion.app.simulated.hands import Fingers
from companion.app.simulated.memory import SimulatedRoom
from companion.bots import Bot
from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.events import Event, Started
from companion.core.sensor_events import ReaderCondition
from companion.games import RULEBOOKS, make_rulebook
from companion.games.rulebook import Rulebook
from companion.host.health import BoxHealth
from companion.host.pin import Pin
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.history import History
from companion.table.table import Table
from hardware.assembly import WARM_UP
from hardware.simulator.pieces import pieces_of

YOURS = 1
"""The seat that waits for a person; bots play the others until somebody takes them."""


class Company(NamedTuple):
    """Who sits down, what shuffles, and which seat waits for a person (0 for none)."""

    players: Sequence[str]
    seed: object
    yours: int = YOURS


class Evening(Fingers):
    """One simulated table, from the first deal to the last."""

    simulated = True

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        rules: Rulebook,
        journal: Journal,
        room: SimulatedRoom,
        company: Company,
        seats: Seats,
        pin: Pin | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.room, self.yours, self._company = room, company.yours, company
        self.top, self.drawer = room.top, FaultInjector(room.top)
        self.wiring, self._boxes = room.top.table.wiring.name, 0
        self._unpack(rules)
        memory = room.recall_table(rules.box.game)
        if memory is not None:
            self.pieces.restore(memory["pieces"])
            for bot, held in zip(self._all_bots, memory["bots"], strict=True):
                bot.recall(held)
        table = Table(rules, journal, Deck(self.pieces.things), time.time)
        self.resumed = memory is not None and table.resume()
        super().__init__(table, journal, seats, pin, clock)
        self._followed = table.history
        lamps = max(room.top.table.wiring.lamps, default=0)
        self._daemon = TablePoller(
            table, lambda: self.heard(room.top.sense()), room.top.light, lamps
        )
        room.top.pass_time(WARM_UP * 1.5)
        self.poll()

    def _unpack(self, rules: Rulebook) -> None:
        """The pieces of a box, and bots that know its game; no two boxes are shuffled alike."""
        seed = f"{self._company.seed}{f' {self._boxes}' if self._boxes else ''}"
        self._boxes += 1
        self.pieces = pieces_of(rules.box, self.room.top, Random(f"{seed} pieces"))
        seats = range(1, MOST_SEATS + 1)
        self._all_bots = [Bot(seat, Random(f"{seed} {seat}"), rules.box) for seat in seats]
        self._unswept: list[str] = []

    def _remember(self) -> None:
        bots = [bot.remember() for bot in self._all_bots]
        game = self.table.rules.box.game
        self.room.save_table({"game": game, "pieces": self.pieces.save(), "bots": bots})

    # What a page asks for.

    def hand(self, seat: int) -> list[str]:
        """The cards in the hand of a seat."""
        return self.pieces.hand(seat)

    def deal_again(self) -> Refusal | None:
        """Begin a game, and another when that is over: as the last one, if there was one."""
        wish = self.wish
        if not wish.players:
            wish = msgspec.structs.replace(wish, players=tuple(self._company.players))
        return self.begin_game(wish)

    def begin_with_bots(self, game: str) -> Refusal | None:
        """Begin a game of this box: people where they sit, bots round them."""
        return self.begin_game(gathered(game, self.seats, len(self._company.players), NAMES))

    def close(self) -> None:
        """Let go of the simulated wires."""
        self.room.top.close()

    # What happens on the one thread.

    def poll(self) -> None:
        """Take in what the readers saw; what pieces mean follows, and people clear up."""
        self._sweep()
        self.look_after_hands()
        self.sense()
        if self.table.history is not self._followed:
            self._tidy()

    def sense(self) -> None:
        """Take in what the readers saw."""
        self._daemon.poll()

    @property
    def bots(self) -> list[Bot]:
        """A bot for every seat of this game."""
        return self._all_bots[: self.table.seats]

    def conditions(self) -> Sequence[ReaderCondition]:
        """The health of every reader."""
        return self.room.top.table.conditions()

    def count_visits(self) -> int:
        """How many visits the wires have had."""
        return self.room.top.table.steps()

    def stuck_buttons(self) -> Sequence[int]:
        """The seats whose button stays down."""
        return self.room.top.table.stuck_buttons()

    def read_clock(self) -> float:
        """What the clock of the simulated table shows."""
        return self.room.top.world.now

    # What the host decides.

    def deck(self, _rules: Rulebook) -> Deck:
        """Every piece is known."""
        return Deck(self.pieces.things)

    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """Every simulated piece has its tag."""
        boxes = [make_rulebook(game).box for game in RULEBOOKS]
        totals = [sum(box.tagged_pieces().values()) for box in boxes]
        return tuple(
            BoxHealth(box.game, box.title, "", total, total)
            for box, total in zip(boxes, totals, strict=True)
        )

    def change_box(self, rules: Rulebook) -> Refusal | None:
        """Unpack the box of this game."""
        self._put_away()
        self._unpack(rules)
        return self.table.choose_box(rules, self.deck(rules))

    def _lay_out(self, started: Started) -> None:
        self.pieces.deal(len(started.players), **msgspec.structs.asdict(started))
        self._remember()
        self.sense()

    def _put_away(self) -> None:
        self.pieces.put_away()
        self._remember()
        self.sense()
        self._unswept = list(self.pieces.things)

    def _sweep(self) -> None:
        """While the box is checked, a hand draws one piece after the other over a reader."""
        if self._checking is None or not self._unswept:
            return
        well = [condition.place for condition in self.conditions() if condition.word == "well"]
        tag = self._unswept.pop(0)
        for place in well[:1]:
            self.room.top.lay(tag, place)
            self.room.top.lift(tag)

    def _tidy(self) -> None:
        """Pieces mean what the game has; what the rules no longer have there people take off."""
        rules, history = self.table.rules, self.table.history
        before, self._followed = self._followed, history
        if history.state is not None:
            lies, public = rules.expected_cards(history.state), rules.public_view(history.state)
            self.pieces.follow(_since(before, history), lies, public)
            self.pieces.tidy(lies, public)
            self._moved()
            self._daemon.poll()

    def _move(self, seat: int, do: str, fields: dict[str, Any]) -> bool:
        before = self.table.version
        with suppress(LookupError):  # What is not on the table cannot be moved.
            self.pieces.move(seat, do, **fields)
        self._remember()
        self.poll()
        return self.table.version > before


def _since(before: History, history: History) -> list[Event]:
    """What has happened since then; in another game all that has."""
    known = len(before.moments)
    same = history.moments[:known] == before.moments
    return [moment.event for moment in history.moments[known if same else 0 :]]
