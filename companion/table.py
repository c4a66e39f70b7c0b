"""The table: the one writer, and the one way round.

    a request or a reading -> an event -> a line in the journal -> the next state -> everyone told

Laws: whatever asks — a phone, a button, a bot, the simulator — comes through the same door and is
refused there or written; what is written is on disk before anybody hears of it; watchers are
told that something changed, and fetch their own view of it.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from companion.deck import Deck
from companion.errors import Refusal, refusal
from companion.events import Event, Started, to_json
from companion.evidence import Arrived, Evidence, Lamp
from companion.games.rulebook import Row, Rulebook
from companion.games.sealing import closes_again
from companion.journal import Journal, Line
from companion.tracking import fact
from companion.view import TABLE, View, open_view, seat_view

Clock = Callable[[], float]


HOST = "table"
"""The device through which the table as a whole speaks: the host's page, or the command line."""


class Author(msgspec.Struct, frozen=True):
    """Who speaks: for which seat (0 for nobody's), and through what device."""

    seat: int
    via: str

    @property
    def reads(self) -> bool:
        """Whether this is a reader, which states what lies somewhere."""
        return self.seat == 0 and self.via.startswith("reader ")


def stranger(author: Author, row: Row, state: Any, event: Any) -> Refusal | None:
    """Why this author cannot speak for this event; None if they can.

    A reader states what lies where, and no more. What the table decides any player may tap, in
    sight of all; but what a hand holds that cannot open only the host enters. A spectator may do
    nothing.
    """
    seat = getattr(event, "seat", None)
    match row.who:
        case "active" | "each":
            mine = author.seat == (state.active if seat is None else seat)
            speaks = mine or (author.reads and row.who == "active")
        case "anyone":
            speaks = author.seat > 0 or author.reads
        case "table":
            speaks = author == Author(0, HOST) or (author.seat > 0 and seat is None)
        case "reader":
            speaks = author.reads
    return None if speaks else refusal("not_yours", row.rule, "This is not yours to do.")


class Table:
    """One game at one table."""

    def __init__(self, rules: Rulebook, journal: Journal, deck: Deck, clock: Clock) -> None:
        self.rules = rules
        self.state: Any = None
        self.at = 0
        self._journal = journal
        self._deck = deck
        self._clock = clock
        self._door = threading.RLock()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, told: Callable[[], None]) -> None:
        """Have this called after every change, by whichever thread made it."""
        self._watchers.append(told)

    def start(self, event: Started, author: Author) -> Refusal | None:
        """Begin a game where none is under way."""
        with self._door:
            if self.state is not None and self.state.phase != "over":
                return refusal("under_way", self.rules.begins, "A game is under way.")
            refused = self.rules.refuse(None, event) or self._used(event)
            if refused is None:
                self._write(event, author, None, 0)
            return refused

    def request(self, event: Event, author: Author) -> Refusal | None:
        """Ask for something to happen: refused with a reason, or on disk and done."""
        with self._door:
            if self.state is None:
                return refusal("not_started", self.rules.begins, "No game has been started yet.")
            row = self.rules.row(self.state, type(event))
            refused = stranger(author, row, self.state, event) if row else None
            refused = refused or self.rules.refuse(self.state, event)
            if refused is None:
                self._write(event, author, self.state, self.at)
            return refused

    def sense(self, evidence: Evidence) -> Refusal | None:
        """Take a piece of evidence for what it means, if it means anything."""
        if not isinstance(evidence, Arrived):
            return None
        with self._door:
            event = fact(self.rules.box.game, self.state, evidence, self._deck)
            if event is None:
                return None
            return self.request(event, Author(0, f"reader {evidence.place}"))

    def view(self, seat: int = 0, viewer: str = TABLE) -> View | None:
        """What a seat may know now, or the table screen, or a spectator."""
        with self._door:
            if self.state is None:
                return None
            if seat:
                return seat_view(self.rules, self.state, self.at, seat)
            return open_view(self.rules, self.state, self.at, viewer)

    def lamp(self, seat: int) -> Lamp:
        """What the lamp of a seat shows: off, your turn, your seal is missing."""
        with self._door:
            if self.state is None or seat not in self.rules.waiting(self.state):
                return "off"
            return "slow" if self.state.phase in ("seal", "open") else "on"

    def _write(self, event: Event, author: Author, state: Any, at: int) -> Line:
        """To disk first; only what is there has happened, and then everyone is told."""
        id = event.id if isinstance(event, Started) else state.id
        game = self.rules.box.game
        line = self._journal.append(game, id, self._clock(), author.via, to_json(event))
        again = closes_again(state, event)
        self.state = self.rules.apply(state, event)
        if not again:  # That a hand was closed again is nobody's business.
            self.at = at + 1
            self._tell()
        return line

    def _tell(self) -> None:
        for told in self._watchers:
            try:
                told()
            except Exception:  # What is on disk has happened, whoever may have missed it.
                logging.exception("Somebody who watches the table could not be told.")

    def _used(self, event: Started) -> Refusal | None:
        """Each game has an id of its own, or old seals would fit again."""
        if not self._journal.holds(event.id):
            return None
        text = "A game of this id is in the journal already."
        return refusal("id", self.rules.begins, text)
