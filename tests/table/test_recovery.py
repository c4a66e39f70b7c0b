"""Which game a table takes up again, and which it leaves where it lies."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.core.deck import Deck
from companion.core.events import to_json
from companion.core.table_events import Ended
from companion.games import make_rulebook
from companion.journal import Journal
from companion.records.format import build_record, to_bytes
from companion.records.parse import parse_record
from companion.records.store import import_record, make_record
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.table import Table
from tests.worlds.event_story import from_text
from tests.worlds.journal_lines import append

GAME = make_rulebook("bankueberfall")
STARTED = GAME.start_event(id="g1", players=2)
TILE = from_text('tile_turned seat=1 tile="place"', GAME.event_types)
LATE = 9e10
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
