"""A game that a table begins for a sheet: its record counts, and holds no name of a player."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.core.events import Event, Started
from companion.games import make_rulebook
from companion.games.new_game import NewGame, prepare_game
from companion.journal import Journal
from companion.league.acts import add_record, pair_next_round
from companion.league.sheet_words import read_sheet_code, sheet_words
from companion.records.store import export_record
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.table import Table
from tests.worlds.league_folder import GAME, begin_for, found
from tests.worlds.signed_records import reseal_under

NAMES = ("Wilhelmine", "Zoë", "Ben")


def play_at_table(folder: Path, code: str) -> bytes:
    """The record of a game that a table has begun with this code, journalled and exported."""
    prepared = prepare_game(NewGame(GAME, NAMES, league=code), "9f3c01d2ab44")
    assert isinstance(prepared, tuple)
    started = prepared[1]
    with closing(Journal(folder / "journal.sqlite3", keeps_names_apart=True)) as journal:
        table = Table(make_rulebook(GAME), journal, None, lambda: 0.0)
        assert table.start(started, HOST_AUTHOR) is None
        for event in events_of_game(started):
            seats = [getattr(event, "seat", 0)] if getattr(event, "seat", 0) else [1, 2, 3]
            authors = [Author(seat, f"phone {seat}") for seat in seats]
            assert any(table.request(event, author) is None for author in authors), event
        return export_record(journal, started.id)


def events_of_game(started: Started) -> list[Event]:
    """What happens after the beginning of a whole game of this id."""
    return list(reseal_under(begin_for("0" * 32, 1), started.id))[1:]


@pytest.mark.wide
def test_a_game_that_a_table_begins_with_the_words_of_a_sheet_counts_for_it(tmp_path: Path) -> None:
    store = found(tmp_path / "league")
    sheet = pair_next_round(store).open_sheets[1]
    data = play_at_table(tmp_path, read_sheet_code(sheet_words(sheet.code)))
    assert not any(name.encode() in data for name in NAMES)
    assert add_record(store, data) == sheet
