"""A table of wires, as `companion run` has it on a Pi; only the chips behind the wires are ours."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

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
from companion.tracking import EIGHTH_SPOT
from hardware.ports import connect
from hardware.simulated_table import SimulatedHardware
from hardware.simulator.world import tag_of
from hardware.wiring import Wiring, load_profile

RULES = make_rulebook("bankueberfall")
TWO = NewGame("bankueberfall", ("Ana", "Ben"))
LONG = 60.0


class Wired:
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


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    with closing(Wired(tmp_path)) as made:
        yield made


def test_cards_on_the_readers_are_the_cards_in_the_game(wired: Wired) -> None:
    for bank in range(1, 6):
        wired.put("5", bank, copy=bank)
    assert wired.host.begin_game(TWO) is None
    wired.until(lambda table: all(bank[0].card == "5" for bank in table.state.banks))
    wired.put("tile place", EIGHTH_SPOT)
    wired.until(lambda table: table.state.phase == "place")
    wired.put("thief", 3)
    wired.until(lambda table: len(table.state.banks[2]) == 2)
    assert wired.real.table.state.banks[2][1].card == "thief"
    assert wired.real.table.view().table.todos == ()  # type: ignore[union-attr]
    steps = wired.real.count_visits()
    wired.real.poll()
    wired.until(lambda _: wired.real.count_visits() > steps)
    assert {condition.word for condition in wired.real.reader_conditions()} == {"well"}


def test_no_tag_is_in_any_file(wired: Wired, tmp_path: Path) -> None:
    wired.put("5", 1)
    assert wired.host.begin_game(TWO) is None
    wired.until(lambda table: table.state.banks[0][0].card == "5")
    wired.journal.flush()
    for path in filter(Path.is_file, tmp_path.rglob("*")):
        written = path.read_bytes()
        for tags in wired.tags.values():
            assert not any(tag.encode() in written or bytes.fromhex(tag) in written for tag in tags)


def test_without_a_deck_readers_are_silent_and_buttons_work(tmp_path: Path) -> None:
    with closing(Wired(tmp_path, enrolled=False)) as wired:
        wired.put("5", 1)
        assert wired.host.begin_game(TWO) is None
        wired.host.clock = lambda: time.monotonic() + 60  # At first it would ask for a new PIN.
        wired.world.tap(2, 2.5)
        wired.until(lambda table: table.history.frozen == 2)
        assert wired.real.table.state.banks[0][0].card is None
        assert wired.real.table.view().table.todos == ()  # type: ignore[union-attr]
