"""An evening at a simulated table: its pieces, the game, the daemon's turn, bots in free seats.

Laws: nothing is pretended. Whoever moves a piece, person or bot, moves it on the simulated
readers, and only what they see counts. What a reader fails to notice a bot taps, as people do.
Everything here happens on one thread; `call` brings it there from any other.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from companion.amendments import Settled
from companion.bots import Bot, Move
from companion.cli.room import Room
from companion.daemon import Daemon
from companion.deck import Deck
from companion.door import HOST, Author
from companion.errors import Refusal
from companion.events import Event, Sealed
from companion.games.rulebook import Rulebook
from companion.journal import Journal
from companion.table import Table
from companion.view import View
from hardware.readers import Condition
from hardware.simulator.pieces import pieces_of
from hardware.table import WARM_UP
from web.forms import event
from web.seats import Seats

NAMES = ("Ana", "Ben", "Cleo", "Dario", "Emma", "Finn")
MOST_SEATS = len(NAMES)
YOURS = 1
"""The seat that waits for a person; bots play the others until somebody takes them."""

T = TypeVar("T")


class Call(Protocol):
    """Has something done on the thread where everything happens."""

    def __call__(self, act: Callable[[], T], /) -> T: ...


def at_once(act: Callable[[], T], /) -> T:
    """On this very thread."""
    return act()


class Company(NamedTuple):
    """Who sits down, what shuffles, and which seat waits for a person (0 for none)."""

    players: Sequence[str]
    seed: object
    yours: int = YOURS


class Evening:
    """One simulated table, from the first deal to the last."""

    def __init__(
        self, rules: Rulebook, journal: Journal, room: Room, company: Company, seats: Seats
    ) -> None:
        players, seed = company.players, company.seed
        self.room, self.yours = room, company.yours
        self.pieces = pieces_of(rules.box, room.top, Random(f"{seed} pieces"))
        self._all_bots = [
            Bot(seat, Random(f"{seed} {seat}"), rules.box) for seat in range(1, MOST_SEATS + 1)
        ]
        memory = room.recall(rules.box.game)
        if memory is not None:
            self.pieces.restore(memory["pieces"])
            for bot, held in zip(self._all_bots, memory["bots"], strict=True):
                bot.recall(held)
        self.table = Table(rules, journal, Deck(self.pieces.things), time.time)
        self.names, self.seats = tuple(players), seats
        self.call: Call = at_once
        self.started: dict[str, Any] = {}
        lamps = max(room.top.table.wiring.lamps, default=0)
        self._daemon = Daemon(self.table, room.top.sense, room.top.light, lamps)
        self.resumed = memory is not None and self.table.resume()
        if self.resumed:
            self.names = tuple(player.name for player in self.table.state.players)
        room.top.pass_time(WARM_UP * 1.5)
        self.turn()

    def _remember(self) -> None:
        bots = [bot.remember() for bot in self._all_bots]
        game = self.table.rules.box.game
        self.room.remember({"game": game, "pieces": self.pieces.save(), "bots": bots})

    # What a page asks for.

    def hand(self, seat: int) -> list[str]:
        """The cards in the hand of a seat."""
        return self.pieces.hand(seat)

    def move(self, seat: int, do: str, **fields: Any) -> bool:
        """Move the pieces; whether the readers took notice."""
        return self.call(lambda: self._move(seat, do, fields))

    def deal(self) -> Refusal | None:
        """Begin a game, and another when that is over."""
        return self.call(self._deal)

    def close(self) -> None:
        """Let go of the simulated wires."""
        self.room.top.close()

    # What happens on the one thread.

    def turn(self) -> None:
        """Take in what the readers saw; people clear up after it."""
        before = self.table.at
        self.sense()
        if self.table.at != before:
            self._tidy()

    def sense(self) -> None:
        """Take in what the readers saw."""
        self._daemon.turn()

    @property
    def bots(self) -> list[Bot]:
        """A bot for every seat of this game."""
        return self._all_bots[: len(self.names)]

    def conditions(self) -> Sequence[Condition]:
        """The health of every reader."""
        return self.room.top.table.conditions()

    def steps(self) -> int:
        """How many visits the wires have had."""
        return self.room.top.table.steps()

    def _deal(self) -> Refusal | None:
        started = self.table.rules.agreed(secrets.token_hex(6), self.names, **self.started)
        if self.table.history.over and self.table.rules.refuse(None, started) is None:
            self.pieces.deal(len(self.names), **msgspec.structs.asdict(started))
            self._remember()
            self.sense()
        refused = self.table.start(started, Author(0, HOST))
        self.turn()
        return refused

    def _tidy(self) -> None:
        """What the rules no longer have on the table people take off."""
        rules, state = self.table.rules, self.table.state
        if state is not None:
            self.pieces.tidy(rules.lies(state), rules.public(state))
            self._remember()
            self._daemon.turn()

    def _move(self, seat: int, do: str, fields: dict[str, Any]) -> bool:
        before = self.table.at
        with suppress(LookupError):  # What is not on the table cannot be moved.
            self.pieces.move(seat, do, **fields)
        self._remember()
        self.turn()
        return self.table.at > before

    # Bots.

    def let_a_bot_act(self) -> bool:
        """Let one bot act, if one is asked to; whether it did."""
        return any(self._act(bot) for bot in self.bots)

    def _act(self, bot: Bot) -> bool:
        view = self.table.view(bot.seat)
        if view is None or not self._plays(bot, view):
            return False
        wish = bot.decide(view, self.hand(bot.seat))
        if isinstance(wish, Move):
            return self._move(bot.seat, wish.do, wish.fields) or self._tap(bot.seat, wish)
        if isinstance(wish, Sealed):
            self._remember()  # A phone keeps what it sealed before it sends the seal.
        return wish is not None and self._ask(bot.seat, wish)

    def _plays(self, bot: Bot, view: View) -> bool:
        """A bot plays while nobody took its seat; the round for which it closed a hand it ends."""
        if view.table.frozen or view.table.paused or view.table.ended:
            return False
        if bot.seat != self.yours and bot.seat not in self.seats.taken():
            return True
        return view.public.phase in ("declare", "change", "open") and bot.closed(view)

    def _ask(self, seat: int, asked: Event) -> bool:
        refused = self.table.request(asked, Author(seat, f"bot {seat}"))
        if refused is not None and refused.code == "in_doubt":
            return self._agree(seat)
        self.turn()
        if refused is None:
            self._tidy()
        return refused is None

    def _agree(self, seat: int) -> bool:
        """Cards and log differ where it matters: people put the cards right, or trust the log."""
        if self.pieces.strayed():
            self.pieces.put_right()
            self.turn()
            return True
        view = self.table.view()
        places = {todo.place for todo in view.table.todos} if view else set()
        author = Author(seat, f"bot {seat}")
        return any(self.table.request(Settled(p, "log"), author) is None for p in sorted(places))

    def _tap(self, seat: int, move: Move) -> bool:
        """Tap what no reader noticed, with what the pieces show where the table asks for it."""
        view = self.table.view(seat)
        ways = [way for may in view.may if may.do == move.do for way in may.choices] if view else []
        asked = next((way for way in ways if move.fields.items() <= way.items()), {})
        try:
            shown = self.pieces.truth(seat, move.do, move.fields).items()
        except LookupError:  # Nobody taps what is not there.
            return False
        fields = {**move.fields, **{field: thing for field, thing in shown if field in asked}}
        return self._ask(seat, event({**fields, "event": move.do}, seat, self.table.rules))
