"""A real table: wires, decks, journal and games brought together by the daemon.

Law: a reader without a deck has nothing to say. Until the box is enrolled, cards are tapped on the
phones, which is a normal way to play.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.cli.hosting import Hosted
from companion.cli.places import deck_path
from companion.cli.shelf import Shelf
from companion.cli.sitters import MOST_SEATS
from companion.daemon import Daemon
from companion.deck import Deck
from companion.deck_file import load
from companion.errors import Malformed, Refusal, refusal
from companion.events import Started
from companion.games.rulebook import Rulebook
from companion.house import BoxHealth
from companion.journal import Journal
from companion.pin import Pin
from companion.table import Table
from hardware.ports import Lamps, Senses
from hardware.readers import Condition
from web.seats import Seats


class Wires:
    """What senses, what shines, and the profile by which they are wired."""

    def __init__(self, senses: Senses, lamps: Lamps, profile: str) -> None:
        self.senses, self.lamps, self.profile = senses, lamps, Path(profile).stem


class Real(Hosted):
    """The table that wires and the decks in a folder describe."""

    simulated = False

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        rules: Rulebook,
        journal: Journal,
        folder: Path,
        wires: Wires,
        seats: Seats,
        pin: Pin | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._senses, self.wiring, self._folder = wires.senses, wires.profile, folder
        self._deck, self._shelf = self._load(rules), Shelf(folder)
        table = Table(rules, journal, self._deck, time.time)
        table.resume()
        super().__init__(table, journal, seats, pin, clock)
        sense = wires.senses.sense
        self._daemon = Daemon(table, lambda: self.heard(sense()), wires.lamps.light, MOST_SEATS)

    def turn(self) -> None:
        """Take in what happened, then set every lamp."""
        self._daemon.turn()

    # Boxes.

    def _load(self, rules: Rulebook) -> Deck | None:
        path = deck_path(rules.box.game, self._folder)
        return load(path, rules.box) if path.exists() else None

    def deck(self, _rules: Rulebook) -> Deck | None:
        """What is known of the box on the table."""
        return self._deck

    def _other_box(self, rules: Rulebook) -> Refusal | None:
        """The box of this game from now on, if its deck can be read."""
        try:
            deck = self._load(rules)
        except Malformed:
            text = "The deck of {title} cannot be read; type: companion enrol {game} --check"
            box = rules.box
            return refusal("bad_deck", "T.host", text, title=box.title, game=box.game)
        refused = self.table.choose(rules, deck)
        if refused is None:
            self._deck = deck
        return refused

    def boxes(self) -> tuple[BoxHealth, ...]:
        """What the decks in the folder say."""
        return self._shelf.boxes()

    def _lay_out(self, _started: Started) -> None:
        """People do that."""

    def _put_away(self) -> None:
        """People do that."""

    # Wires.

    def steps(self) -> int:
        """How many visits the wires have had."""
        return self._senses.steps()

    def conditions(self) -> Sequence[Condition]:
        """The health of every reader."""
        return self._senses.conditions()

    def stuck(self) -> Sequence[int]:
        """The seats whose button stays down."""
        return self._senses.stuck_buttons()

    def moment(self) -> float:
        """What the clock of this machine shows."""
        return time.monotonic()

    def close(self) -> None:
        """Lamps and fields off."""
        self._senses.close()
