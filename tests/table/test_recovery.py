"""Which game a table takes up again, and which it leaves where it lies."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.deck import Deck
from companion.core.events import to_json
from companion.core.table_events import Ended
from companion.games import make_rulebook
from companion.journal import Journal
from companion.records.format import build_record, parse_record, to_bytes
from companion.records.store import import_record, make_record
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.table import Table
from tests.worlds.event_story import from_text
from tests.worlds.journal_lines import append
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Evening
from tests.worlds.standing_tables import SEATS, play_on

GAME = make_rulebook("bankueberfall")
STARTED = GAME.start_event(id="g1", players=2)
TILE = from_text('tile_turned seat=1 tile="place"', GAME.event_types)
LATE = 5e10
"""What the clock of another table said."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def written(path: Path, *events: bytes, game: str = "bankueberfall") -> None:
    with closing(Journal(path)) as journal:
        for event in events:
            append(journal, game, "g1", 5.0, "phone 1", event)


def resumed(path: Path) -> tuple[bool, Table]:
    with closing(Journal(path)) as journal:
        table = Table(GAME, journal, Deck({}), lambda: 1000.0)
        return table.resume(), table


SWEPT: dict[str, dict[str, Any]] = {
    "bankueberfall": {"sweep": "always"}, "robby_solo": {"sweep": "always", "junior": True},
}  # fmt: skip
"""Where cards are always shown one by one, a game comes through every phase."""


@cache
def played(game: str) -> Evening:
    """A whole game through every phase, the same each time."""
    return Evening(game, Random(game), SEATS[game], **SWEPT.get(game, {})).play()


def phases() -> Iterator[tuple[str, str]]:
    """Every game with each of its phases."""
    for game in own_games():
        rows = make_rulebook(game).rows
        yield from ((game, phase) for phase in sorted({p for row in rows for p in row.next_phases}))


@pytest.mark.parametrize(("game", "phase"), list(phases()))
def test_a_table_that_is_killed_in_any_phase_is_found_as_it_stood(
    tmp_path: Path, game: str, phase: str
) -> None:
    """The files are copied while the table has them open, after a verdict if the phase comes again
    then, and both tables play on alike."""
    evening, rules = played(game), make_rulebook(game)
    after = [n for n, state in enumerate(evening.states) if state and state.phase == phase]
    at = next((n for n in after if evening.states[n].verdict), after[0])
    (tmp_path / "here").mkdir()
    with closing(Journal(tmp_path / "here" / "journal.sqlite3")) as journal:
        here = Table(rules, journal, Deck({}), lambda: 1000.0)
        play_on(here, evening.events[:at])
        shutil.copytree(tmp_path / "here", tmp_path / "there")
        with closing(Journal(tmp_path / "there" / "journal.sqlite3")) as copied:
            there = Table(rules, copied, Deck({}), lambda: 1000.0)
            assert there.resume()
            for rest in (evening.events[at : at + 3], evening.events[at + 3 : at + 6]):
                assert there.history == here.history
                for seat in range(SEATS[game] + 1):
                    assert there.view(seat) == here.view(seat)
                    assert there.lamp_state(seat) == here.lamp_state(seat)
                for table in (here, there):
                    play_on(table, rest)


def test_a_game_with_a_line_that_nobody_understands_is_not_taken_up(path: Path) -> None:
    written(path, to_json(STARTED), b'{"event":"walked"}')
    went_on, table = resumed(path)
    assert (went_on, table.version, table.state) == (False, 0, None)


def test_a_game_by_other_rules_is_not_taken_up(path: Path) -> None:
    written(path, to_json(msgspec.structs.replace(STARTED, rules=STARTED.rules + 1)))
    assert resumed(path)[0] is False


def test_a_game_that_came_in_is_not_taken_up_even_after_damage(path: Path) -> None:
    started = to_json(STARTED)
    elsewhere = build_record(GAME, "g1", STARTED.rules, [(LATE, "table", started)])
    with closing(Journal(path)) as journal:
        import_record(journal, parse_record(to_bytes(elsewhere)))
    assert resumed(path)[0] is False
    with closing(sqlite3.connect(path, isolation_level=None)) as disk:
        disk.execute("UPDATE game SET first = 7")
    assert resumed(path)[0] is False
    with closing(Journal(path)) as journal:
        assert [game.imported for game in journal.list_games()] == [True]
        assert make_record(journal, "g1") == elsewhere
    assert list(path.parent.glob("*damaged*"))


def test_a_late_copy_from_an_earlier_game_counts_once_after_a_restart(path: Path) -> None:
    """A phone that heard no answer asks again, when another game has begun meanwhile."""
    again = msgspec.structs.replace(STARTED, id="g2")
    with closing(Journal(path)) as journal:
        table = Table(GAME, journal, Deck({}), lambda: 1000.0)
        for started in (STARTED, again):
            assert table.start(started, HOST_AUTHOR) is None
            if started is STARTED:
                assert table.request(TILE, Author(1, "phone 1"), key="k") is None
                assert table.request(Ended(), HOST_AUTHOR) is None
    with closing(Journal(path)) as journal:
        table = Table(GAME, journal, Deck({}), lambda: 1000.0)
        assert table.resume()
        at = table.version
        assert table.request(TILE, Author(1, "phone 1"), key="k") is None
        assert (table.state.id, table.state.phase, table.version) == ("g2", "tile", at)
