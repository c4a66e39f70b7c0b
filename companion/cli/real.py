"""A real table: wires, deck, journal and game brought together by the daemon.

Law: a reader without a deck has nothing to say. Until the box is enrolled, cards are tapped on the
phones, which is a normal way to play.
"""

import secrets
import time
from collections.abc import Sequence
from typing import Any

from companion.cli.evening import MOST_SEATS
from companion.daemon import Daemon
from companion.deck import Deck
from companion.door import HOST, Author
from companion.errors import Refusal
from companion.evidence import Evidence, Pressed
from companion.games.rulebook import Rulebook
from companion.journal import Journal
from companion.table import Table
from hardware.ports import Lamps, Senses
from hardware.readers import Condition


class Real:
    """The table that wires and a deck describe, with this game on it."""

    def __init__(
        self, rules: Rulebook, journal: Journal, deck: Deck | None, wires: tuple[Senses, Lamps]
    ) -> None:
        self._senses, lamps = wires
        self._enrolled = deck is not None
        self.table = Table(rules, journal, deck or Deck({}), time.time)
        self.table.resume()
        self.names: Sequence[str] = ()
        self.started: dict[str, Any] = {}
        self._daemon = Daemon(self.table, self._sense, lamps.light, MOST_SEATS)

    def turn(self) -> None:
        """Take in what happened, then set every lamp."""
        self._daemon.turn()

    def _sense(self) -> Sequence[Evidence]:
        """What was noticed; while nobody knows which tag is which card, only the buttons."""
        noticed = self._senses.sense()
        return [e for e in noticed if self._enrolled or isinstance(e, Pressed)]

    def deal(self) -> Refusal | None:
        """Begin a game with these players."""
        started = self.table.rules.agreed(secrets.token_hex(6), self.names, **self.started)
        return self.table.start(started, Author(0, HOST))

    def steps(self) -> int:
        """How many visits the wires have had."""
        return self._senses.steps()

    def conditions(self) -> Sequence[Condition]:
        """The health of every reader."""
        return self._senses.conditions()

    def close(self) -> None:
        """Lamps and fields off."""
        self._senses.close()
