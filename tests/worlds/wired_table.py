"""A table of wires, as `companion run` has it on a Pi; only the chips behind
the wires are simulated."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.app.health_monitor import build_host
from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.wires import OpenedWires, TableWires
from companion.core.deck import Deck
from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.deck_file import save_deck
from hardware.simulated_table import SimulatedHardware
from hardware.simulator.air.airs import IdealAir
from hardware.simulator.air.poses import pose_card
from hardware.simulator.world import tag_of
from hardware.wiring import Wiring
from tests.worlds.left_open import closed_later
from tests.worlds.presence_profile import presence_profile

RULES = make_rulebook("bankueberfall")
TWO = NewGame("bankueberfall", ("Ana", "Ben"))
TURN = 0.03
"""Seconds of simulated time that a turn of the table takes."""
MOST_TURNS = 2_000


class TurnClock:
    """A clock that goes on only when time passes for the table."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let these seconds pass."""
        self.now += seconds


class WiredTable:
    """A box with stickers on it, its deck file, and the table."""

    def __init__(self, folder: Path, enrolled: bool = True, turn: float = TURN) -> None:
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
        self.clock, self._turn = TurnClock(), turn
        self.journal = closed_later(Journal(folder / "journal.sqlite3"))
        wires = TableWires(presence_profile(), self._opened, clock=self.clock.monotonic)
        seats = Seats()
        self.real = PhysicalTable(
            RULES, self.journal, folder, wires, seats, clock=self.clock.monotonic
        )
        self.host = build_host(self.real, self.journal, seats)

    def _opened(self, wiring: Wiring) -> OpenedWires:
        hardware = SimulatedHardware(wiring, pace=self.clock, air=IdealAir())
        self.world = hardware.world
        return hardware, hardware

    def put(self, thing: str, place: int, copy: int = 0) -> None:
        pose = pose_card(copy % 4, self.world.air.slot_pitch)
        self.world.lay(tag_of(self.tags[thing][copy]), place - 1, pose)

    def until(self, so: Callable[[Any], bool]) -> None:
        """Turn after turn until it is so."""
        for _ in range(MOST_TURNS):
            if so(self.real.table):
                return
            self.clock.sleep(self._turn)
            self.real.poll()
        raise AssertionError(self.real.table.view())

    def close(self) -> None:
        self.real.close()
        self.journal.close()
