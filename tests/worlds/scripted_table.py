"""A physical table on a data folder whose wires the test speaks for: no chips, only evidence."""

from collections.abc import Sequence
from pathlib import Path

from companion.app.health_monitor import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.wires import TableWires
from companion.core.deck import Deck
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Lamp,
    ReaderCondition,
    ReaderFound,
)
from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.deck_file import load_deck, save_deck
from tests.worlds.left_open import closed_later
from tests.worlds.presence_profile import presence_profile

RULES = make_rulebook("bankueberfall")
TWO = NewGame("bankueberfall", ("Ana", "Ben"))
SALT = "5a" * 16
LATER = 5.0
"""Seconds between two things that happen."""


class SpokenWires:
    """Both ports of a table, which report what the test says."""

    def __init__(self) -> None:
        self.said: list[Evidence] = [ReaderFound(0.0, place) for place in range(1, 9)]

    def sense(self) -> Sequence[Evidence]:
        said, self.said = self.said, []
        return said

    def light(self, seat: int, lamp: Lamp) -> None: ...

    def conditions(self) -> list[ReaderCondition]:
        return []

    def stuck_buttons(self) -> list[int]:
        return []

    def steps(self) -> int:
        return 0

    def close(self) -> None: ...


class ScriptedTable:
    """Banküberfall on a data folder, enrolled, with a reader under every place."""

    def __init__(self, folder: Path, enrolled: bool = True) -> None:
        self.folder, self.now = folder, 0.0
        self.tags = {
            thing: [f"04{n:02x}{copy:02x}b7c5d3e1" for copy in range(count)]
            for n, (thing, count) in enumerate(RULES.box.tagged_pieces().items())
        }
        marks = Deck({}, SALT)
        things = {marks.mark(tag): thing for thing, tags in self.tags.items() for tag in tags}
        if enrolled:
            save_deck(self.deck_path, Deck(things, SALT), RULES.box, "2026-11-20")
        self.where: dict[str, int] = {}
        self.journal = closed_later(Journal(folder / "journal.sqlite3"))
        self.switch_on()

    def switch_on(self) -> None:
        """Begin on the folder as it is; the readers tell what lies there."""
        self.wires, seats = SpokenWires(), Seats()
        lying = [Arrived(self.now, place, tag) for tag, place in self.where.items()]
        self.wires.said[:0] = lying
        wires = TableWires(presence_profile(), lambda _wiring: (self.wires, self.wires))
        self.source = PhysicalTable(RULES, self.journal, self.folder, wires, seats)
        self.host = build_host(self.source, self.journal, seats)
        self.source.poll()

    def pull_the_plug(self) -> None:
        """Off, and on again."""
        self.close()
        self.journal = closed_later(Journal(self.folder / "journal.sqlite3"))
        self.switch_on()

    def close(self) -> None:
        self.source.close()
        self.journal.close()

    @property
    def deck_path(self) -> Path:
        return deck_path(RULES.box.game, self.folder)

    def load_deck(self) -> Deck:
        """The deck as it is on disk."""
        return load_deck(self.deck_path, RULES.box)

    def lay(self, tag: str, place: int) -> None:
        """Lay a tag at a place."""
        self.now += LATER
        self.where[tag] = place
        self.wires.said.append(Arrived(self.now, place, tag))
        self.source.poll()

    def silence(self, tag: str) -> None:
        """A tag is no longer heard: lifted, or ruined."""
        self.now += LATER
        place = self.where.pop(tag)
        self.wires.said.append(FellSilent(self.now, place, tag, self.now))
        self.source.poll()
