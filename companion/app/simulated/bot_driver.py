"""Bots in the seats that nobody took: they move the pieces as people do, and tap what is left.

Law: a bot sees what its seat sees and asks at the same door. What a reader fails to notice it taps,
and where cards and log differ it puts the cards right, or trusts the log. A hand that was closed by
somebody who left it the seat it cannot open: it has all hands closed anew. While the game stands
still it waits.
"""

import math
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from companion.bots import Bot, PieceMove
from companion.core.events import Event, Resealed, Sealed
from companion.core.table_events import Settled
from companion.host.host import Host
from companion.table.permissions import Author
from companion.table.view import View
from hardware.simulator.pieces import Pieces
from web.context import Pace
from web.forms import parse_event

NAMES = ("Ana", "Ben", "Cleo", "Dario", "Emma", "Finn")
MOST_SEATS = len(NAMES)
PACES: dict[Pace, float] = {"slow": 3.5, "human": 1.6, "fast": 0.0, "still": math.inf}
"""Seconds that a bot thinks before it acts."""


class Sitters(Host):
    """A hosted table with pieces that bots can move."""

    pieces: Pieces
    yours: int
    """The seat that waits for a person; 0 for none."""
    pace: Pace = "human"
    """How fast the bots play."""

    @property
    @abstractmethod
    def bots(self) -> list[Bot]:
        """A bot for every seat of this game."""

    @abstractmethod
    def hand(self, seat: int) -> list[str]:
        """The cards in the hand of a seat."""

    @abstractmethod
    def _move(self, seat: int, do: str, fields: dict[str, Any]) -> bool:
        """Move the pieces; whether the readers took notice."""

    @abstractmethod
    def _remember(self) -> None:
        """What lies there and what is held outlives the program."""

    def play_one(self) -> bool:
        """Let one bot act, if one is asked to; whether it did."""
        return any(self._act(bot) for bot in self.bots)

    def _act(self, bot: Bot) -> bool:
        view = self.table.view(bot.seat)
        if view is None or not self._plays(bot, view):
            return False
        wish = bot.decide(view, self.hand(bot.seat))
        if wish is None and self._holds_a_strange_hand(bot, view):
            wish = Resealed()
        if isinstance(wish, PieceMove):
            return self._move(bot.seat, wish.do, wish.fields) or self._tap(bot.seat, wish)
        if isinstance(wish, Sealed):
            self._remember()  # A phone keeps what it sealed before it sends the seal.
        return wish is not None and self._ask(bot.seat, wish)

    def _plays(self, bot: Bot, view: View) -> bool:
        """A bot plays while nobody took its seat; the round for which it closed a hand it ends."""
        if view.table.is_stopped:
            return False
        if self._is_bots(bot.seat):
            return True
        return view.public.phase in ("declare", "change", "open") and bot.has_closed_hand(view)

    def _holds_a_strange_hand(self, bot: Bot, view: View) -> bool:
        """Whether the game waits for what only somebody knows who has left this seat."""
        asked = view.public.phase in ("open", "declare") and bot.seat in view.public.waiting
        return asked and self._is_bots(bot.seat) and not bot.has_closed_hand(view)

    def played_by_bots(self) -> list[int]:
        """The seats that nobody took, and that wait for nobody."""
        return [bot.seat for bot in self.bots if self._is_bots(bot.seat)]

    def _is_bots(self, seat: int) -> bool:
        return seat != self.yours and seat not in self.seats.taken_seats()

    def _ask(self, seat: int, asked: Event) -> bool:
        refused = self.table.request(asked, Author(seat, f"bot {seat}"))
        if refused is not None and refused.code == "in_doubt":
            return self._agree(seat)
        self.poll()
        return refused is None

    def _agree(self, seat: int) -> bool:
        """Cards and log differ where it matters: people put the cards right, or trust the log."""
        if self.pieces.strayed():
            self.pieces.put_right()
            self.poll()
            return True
        view = self.table.view()
        places = {todo.place for todo in view.table.todos} if view else set()
        author = Author(seat, f"bot {seat}")
        return any(self.table.request(Settled(p, "log"), author) is None for p in sorted(places))

    def _tap(self, seat: int, move: PieceMove) -> bool:
        """Tap what no reader noticed, with what the pieces show where the table asks for it."""
        view = self.table.view(seat)
        ways = [way for may in view.may if may.do == move.do for way in may.choices] if view else []
        asked = next((way for way in ways if move.fields.items() <= way.items()), {})
        try:
            shown = self.pieces.truth(seat, move.do, {**asked, **move.fields}).items()
        except LookupError:  # Nobody taps what is not there.
            return False
        fields = {**move.fields, **{field: thing for field, thing in shown if field in asked}}
        return self._tells(seat, move.do, fields) or (
            # A card that lies face down need not be named, if nobody believes its name.
            "card" in fields and "card" not in asked and self._tells(seat, move.do, fields, "card")
        )

    def _tells(self, seat: int, do: str, fields: dict[str, Any], but: str = "") -> bool:
        told = {field: thing for field, thing in fields.items() if field != but}
        return self._ask(seat, parse_event({**told, "event": do}, seat, self.table.rules))


def paced(sitters: Sitters) -> Callable[[], None]:
    """The turn of a table, with a pause before each act of a bot."""
    acted = time.monotonic()

    def turn() -> None:
        nonlocal acted
        sitters.poll()
        if time.monotonic() >= acted + PACES[sitters.pace] and sitters.play_one():
            acted = time.monotonic()

    return turn
