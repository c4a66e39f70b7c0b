"""A physical table on a data folder whose wires the test speaks for, or with simulated chips."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.app.build_host import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.wires import OpenedWires, TableWires
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
from companion.seating.identity import IDENTITY_FILE, IdentityStore
from companion.seating.names import Names
from companion.seating.seats import Seats
from companion.setup.deck_file import load_deck, save_deck
from hardware.simulator.air.airs import IdealAir
from hardware.simulator.hands_on_table import SimulatedTabletop
from hardware.wiring import Wiring
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import presence_profile

RULES = make_rulebook("bankueberfall")
TWO = NewGame("bankueberfall", ("Ana", "Ben"))
SALT = "5a" * 16
LATER = 5.0
"""Seconds between two things that happen."""
TURN = 0.03
"""Seconds of simulated time that a turn of a wired table takes."""
MOST_TURNS = 2_000


def stickers(game: str) -> dict[str, list[str]]:
    """The tags of everything in a box."""
    holds = make_rulebook(game).box.tagged_pieces()
    return {
        thing: [f"04{n:02x}{copy:02x}b7c5d3e1" for copy in range(count)]
        for n, (thing, count) in enumerate(holds.items())
    }


def enrol(folder: Path, game: str, without: str = "") -> None:
    """Keep the deck of a box in a folder, in which one thing may be missing."""
    marks, known = Deck({}, SALT), stickers(game)
    known.pop(without, None)
    things = {marks.mark(tag): thing for thing, tags in known.items() for tag in tags}
    save_deck(deck_path(game, folder), Deck(things, SALT), make_rulebook(game).box, "2026-11-20")


class SpokenWires:
    """Both ports of a table, which report what the test says."""

    def __init__(self) -> None:
        self.said: list[Evidence] = [ReaderFound(0.0, place) for place in range(1, 9)]

    def sense(self) -> Sequence[Evidence]:
        said, self.said = self.said, []
        return said

    def light(self, seat: int, lamp: Lamp) -> None: ...

    def conditions(self) -> list[ReaderCondition]:
        return [ReaderCondition(1, "well")]

    def stuck_buttons(self) -> list[int]:
        return []

    def steps(self) -> int:
        return 0

    def close(self) -> None: ...


class ScriptedTable:
    """Banküberfall on a data folder, with a reader under every place."""

    profile = presence_profile()

    def __init__(self, folder: Path, enrolled: bool = True) -> None:
        self.folder, self.now = folder, 0.0
        self.tags = stickers("bankueberfall")
        if enrolled:
            enrol(folder, "bankueberfall")
        self.where: dict[str, int] = {}
        self.switch_on()

    def switch_on(self) -> None:
        """Begin on the folder as it is; the readers tell what lies there."""
        self.journal = closed_later(Journal(self.folder / "journal.sqlite3"))
        self.identity = closed_later(IdentityStore(self.folder / IDENTITY_FILE))
        self.kept = Names(self.identity.database)
        self.seats = Seats(self.identity.state.seats, self.identity.save_seats, self.kept)
        wires = TableWires(self.profile, self.open_wires)
        self.source = PhysicalTable(RULES, self.journal, self.folder, wires, self.seats)
        self.table, clock = self.source.table, self.monotonic
        self.host = build_host(self.source, self.journal, self.seats, self.identity, clock=clock)
        self.source.poll()

    def open_wires(self, _wiring: Wiring) -> OpenedWires:
        """Wires that report what the test says."""
        self.wires = SpokenWires()
        self.wires.said[:0] = [Arrived(self.now, at, tag) for tag, at in self.where.items()]
        return self.wires, self.wires

    def monotonic(self) -> float:
        """What the clock of the table shows."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let these seconds pass."""
        self.now += seconds

    def pull_the_plug(self) -> None:
        """Off, and on again."""
        self.close()
        self.switch_on()

    def close(self) -> None:
        self.source.wires.close()
        self.journal.close()
        self.identity.close()

    def tell(self, *said: Evidence) -> None:
        """The wires report this."""
        self.wires.said += said
        self.source.poll()

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
        self.tell(Arrived(self.now, place, tag))

    def silence(self, tag: str) -> None:
        """A tag is no longer heard: lifted, or ruined."""
        self.now += LATER
        place = self.where.pop(tag)
        self.tell(FellSilent(self.now, place, tag, self.now))


class WiredTable(ScriptedTable):
    """The same table, on wires to simulated chips: what is put down is heard as time passes."""

    def __init__(self, folder: Path, enrolled: bool = True, turn: float = TURN) -> None:
        self._turn = turn
        super().__init__(folder, enrolled)

    def open_wires(self, wiring: Wiring) -> OpenedWires:
        """Wires to simulated chips in an ideal air."""
        self.top = SimulatedTabletop(wiring, self, IdealAir())
        return self.top, self.top

    def put(self, thing: str, place: int, copy: int = 0) -> None:
        """Put a thing down at a place."""
        self.top.put_tag(self.tags[thing][copy], place)

    def until(self, so: Callable[[Any], bool]) -> None:
        """Turn after turn until it is so."""
        for _ in range(MOST_TURNS):
            if so(self.source.table):
                return
            self.sleep(self._turn)
            self.source.poll()
        raise AssertionError(self.source.table.view())
