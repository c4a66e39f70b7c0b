"""A table whose one reader serves all places by turns, with hands that hold cards to it."""

from typing import Any

from companion.core.sensor_events import Arrived, FellSilent, ReaderFound
from companion.journal import Journal
from companion.table.table import Table
from tests.worlds.left_open import closed_later
from tests.worlds.watched_table import EN, Watched

READER = 1
"""The place by which the reader is wired."""


class OneReader(Watched):
    """A table with one reader, to which every card is held."""

    def open(self) -> None:
        self.journal = closed_later(Journal(self.path))
        self.table = Table(
            self.rules,
            self.journal,
            self.deck,
            lambda: 1000.0 + self.now,
            lambda _game: frozenset(range(1, 9)),
            lambda: True,
        )
        self.resumed = self.table.resume()
        self.table.sense(ReaderFound(self.tick(0.0), READER))

    def hold(self, tag: str) -> str:
        """Hold this card to the reader for a moment."""
        self.table.sense(Arrived(self.tick(), READER, tag))
        self.table.sense(FellSilent(self.tick(1.0), READER, tag, self.now - 0.5))
        return tag

    def hold_new(self, thing: str) -> str:
        """Hold a card that was not used yet to the reader."""
        tag = next(tag for tag in self.tags[thing] if tag not in self.where)
        self.where[tag] = READER
        return self.hold(tag)

    def listening(self) -> tuple[str, int, list[int]]:
        """What is said of the reader, for which place it waits, and which there are to choose."""
        view: Any = self.table.view()
        said = view.table.listening
        return (EN(said.say), said.place, [*said.choices]) if said else ("", 0, [])
