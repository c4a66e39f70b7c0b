"""An evening at a simulated table: its pieces, the game, the daemon's turn, bots in free seats.

Laws: nothing is pretended. Whoever moves a piece, person or bot, moves it on the simulated
readers, and only what they see counts. What a reader fails to notice a bot taps, as people do.
Everything here happens on one thread; `call` brings it there from any other.
"""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Protocol, TypeVar

from companion.bots import Bot, Move
from companion.daemon import Daemon
from companion.door import Author
from companion.errors import Refusal
from companion.events import Event
from companion.games import rulebook
from companion.journal import Journal
from companion.table import Table
from companion.tracking import Deck
from companion.view import View
from hardware.simulator.pieces import Pieces
from hardware.simulator.tabletop import Tabletop
from hardware.table import WARM_UP
from web.forms import event
from web.seats import Seats

GAME = "bankueberfall"
NAMES = ("Ana", "Ben", "Cleo", "Dario", "Emma")
YOURS = 1
"""The seat that waits for a person; bots play the others until somebody takes them."""

LISTENING = 0.2
"""Seconds after the warm-up in which every reader has said that it listens."""

T = TypeVar("T")


class Call(Protocol):
    """Has something done on the thread where everything happens."""

    def __call__(self, act: Callable[[], T], /) -> T: ...


def at_once(act: Callable[[], T], /) -> T:
    """On this very thread."""
    return act()


class Evening:
    """One simulated table, from the first deal to the last."""

    def __init__(self, journal: Journal, seats: Seats, players: int, seed: int | None) -> None:
        rules = rulebook(GAME)
        seed = secrets.randbits(32) if seed is None else seed
        self._top = top = Tabletop()
        self._pieces = Pieces(rules.box, top, Random(f"{seed} pieces"))  # type: ignore[arg-type]
        self.table = Table(rules, journal, Deck(self._pieces.things), time.time)
        self.names = NAMES[:players]
        self.call: Call = at_once
        self.house_rules: dict[str, str] = {}
        self._seats = seats
        self._daemon = Daemon(self.table, top.sense, top.light, players)
        top.pass_time(WARM_UP + LISTENING)
        self.bots = [
            Bot(seat, Random(f"{seed} {seat}")) for seat in range(1, players + 1) if seat != YOURS
        ]

    # What a page asks for.

    def hand(self, seat: int) -> list[str]:
        """The cards in the hand of a seat."""
        return self._pieces.hand(seat)

    def move(self, seat: int, do: str, **fields: Any) -> bool:
        """Move the pieces; whether the readers took notice."""
        return self.call(lambda: self._move(seat, do, fields))

    def deal(self) -> Refusal | None:
        """Begin a game, and another when that is over."""
        return self.call(self._deal)

    def close(self) -> None:
        """Let go of the simulated wires."""
        self._top.close()

    # What happens on the one thread.

    def _deal(self) -> Refusal | None:
        started = self.table.rules.started(
            id=secrets.token_hex(6), players=self.names, house_rules=self.house_rules
        )
        if self.table.history.over:  # What lies there when a game begins is of that game.
            self._pieces.deal(len(self.names))
            self._daemon.turn()
        return self.table.start(started, Author(0, "table"))

    def _move(self, seat: int, do: str, fields: dict[str, Any]) -> bool:
        before = self.table.at
        with suppress(LookupError, StopIteration):  # What is not on the table cannot be moved.
            self._pieces.move(seat, do, **fields)
        self._daemon.turn()
        return self.table.at > before

    def sense(self) -> None:
        """Take in what the readers saw."""
        self._daemon.turn()

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
        return wish is not None and self._ask(bot.seat, wish)

    def _ask(self, seat: int, asked: Event) -> bool:
        return self.table.request(asked, Author(seat, f"bot {seat}")) is None

    def _plays(self, bot: Bot, view: View) -> bool:
        """A bot plays while nobody took its seat; a hand that it closed it still opens."""
        if view.table.frozen or view.table.ended:
            return False
        if bot.seat not in self._seats.taken():
            return True
        return bool(view.public.phase == "open") and bot.closed(view)

    def _tap(self, seat: int, move: Move) -> bool:
        return self._ask(seat, event(move.do, move.fields, seat, self.table.rules))
