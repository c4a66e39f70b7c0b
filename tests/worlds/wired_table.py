"""A table of wires, as `companion run` has it on a Pi; only the chips behind
the wires are simulated."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.app.hosting import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.wires import OpenedWires, TableWires
from companion.core.deck import Deck
from companion.enrol.deck_file import save_deck
from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.seating.seats import Seats
from hardware.backends import connect
from hardware.simulated_table import SimulatedHardware
from hardware.simulator.world import tag_of
from hardware.wiring import Wiring, load_profile

RULES = make_rulebook("bankueberfall")
TWO = NewGame("bankueberfall", ("Ana", "Ben"))
LONG = 60.0


class WiredTable:
    """A box with stickers on it, its deck file, and the table."""

    def __init__(self, folder: Path, enrolled: bool = True) -> None:
        self.tags = {
            thing: [f"04{n:02x}{copy:02x}b7c5d3e1" for copy in range(count)]
            for n, (thing, count) in enumerate(RULES.box.tagged_pieces().items())
        }
        salt = "5a" * 16
        marks = Deck({}, salt)
        things = {marks.mark(tag): thing for thing, tags in self.tags.items() for tag in tags}
        if enrolled:
            path = deck_path(RULES.box.game, folder)
            save_deck(path, Deck(things, salt), RULES.box, "2026-11-20")
        self.journal = Journal(folder / "journal.sqlite3")
        wires = TableWires(load_profile(), self._opened)
        seats = Seats()
        self.real = PhysicalTable(RULES, self.journal, folder, wires, seats)
        self.host = build_host(self.real, self.journal, seats)

    def _opened(self, wiring: Wiring) -> OpenedWires:
        senses, lamps = connect("sim", wiring)
        assert isinstance(senses, SimulatedHardware)
        self.world = senses.world
        return senses, lamps

    def put(self, thing: str, place: int, copy: int = 0) -> None:
        self.world.put(tag_of(self.tags[thing][copy]), place - 1)

    def until(self, so: Callable[[Any], bool]) -> None:
        """Turn after turn until it is so."""
        end = time.monotonic() + LONG
        while not so(self.real.table):
            assert time.monotonic() < end, self.real.table.view()
            self.real.poll()
            time.sleep(0.005)

    def close(self) -> None:
        self.real.close()
        self.journal.close()
