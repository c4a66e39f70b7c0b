"""Names are kept apart from the journal, found again as long as they are kept, and gone after."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.events import Started
from companion.core.i18n import get_language
from companion.core.pseudonyms import hide_names, pseudonyms, word_seats
from companion.core.table_events import Corrected, Ended
from companion.games import make_rulebook
from companion.games.start import LONGEST_NAME, fold_name, is_visible
from companion.journal import Journal
from companion.journal.names import GameNames
from companion.records.format import to_bytes
from companion.records.parse import parse_record
from companion.records.store import make_record
from companion.records.verify import prove_record
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from tests.worlds.left_open import closed_later

ID = "game-1"
GAME = Started(ID, ("Zoë", "Ben"))


def is_name(text: str) -> bool:
    return is_visible(text) and text == " ".join(text.split())


NAMES = st.lists(
    st.text(min_size=1, max_size=LONGEST_NAME).filter(is_name),
    min_size=2, max_size=5, unique_by=fold_name,
)  # fmt: skip


def begin(folder: Path, players: tuple[str, ...] = GAME.players) -> tuple[Journal, Table]:
    journal = closed_later(Journal(folder / "journal.sqlite3", keeps_names_apart=True))
    table = Table(make_rulebook("bankueberfall"), journal, None, lambda: 0.0)
    if not journal.has_game(ID):
        started = table.rules.start_event(ID, players)
        assert table.start(started, HOST_AUTHOR) is None
    return journal, table


def players_of(table: Table) -> list[str]:
    assert table.state is not None
    return [player.name for player in table.state.players]


def every_byte(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_the_journal_and_the_record_hold_no_name_and_the_table_knows_them(tmp_path: Path) -> None:
    journal, table = begin(tmp_path)
    assert table.request(Ended("Zoë is tired"), HOST_AUTHOR) is None
    assert players_of(table) == ["Zoë", "Ben"]
    record = to_bytes(make_record(journal, ID))
    journal.close()
    written = (tmp_path / "journal.sqlite3").read_bytes() + record
    assert "Zoë".encode() not in written
    assert "Seat ①".encode() in written
    prove_record(parse_record(record))


def test_a_game_is_resumed_with_its_names_and_reasons(tmp_path: Path) -> None:
    journal, table = begin(tmp_path)
    assert table.request(Ended("Zoë is tired"), HOST_AUTHOR, key="1") is None
    journal.close()
    journal, again = begin(tmp_path)
    assert again.resume()
    assert again.history.moments == table.history.moments
    assert again.request(Ended("Zoë is tired"), HOST_AUTHOR, key="1") is None
    assert again.history.moments == table.history.moments, (
        "a request that is sent again counts once"
    )
    journal.close()


@pytest.mark.parametrize(("seat", "left"), [(1, ["Seat ①", "Ben"]), (0, ["Seat ①", "Seat ②"])])
def test_what_is_erased_is_in_no_byte(tmp_path: Path, seat: int, left: list[str]) -> None:
    journal, table = begin(tmp_path)
    assert table.request(Ended("Zoë is tired"), HOST_AUTHOR) is None
    journal.names.erase_names(ID, seat)
    assert table.resume()
    assert players_of(table) == left
    journal.close()
    assert "Zoë".encode() not in every_byte(tmp_path)
    assert (b"Ben" in every_byte(tmp_path)) == bool(seat)


def test_the_last_name_takes_the_file_with_it(tmp_path: Path) -> None:
    journal, _ = begin(tmp_path)
    for seat in (2, 1):
        journal.names.erase_names(ID, seat)
    assert list(journal.names.list_games()) == []
    assert list(journal.names.folder.iterdir()) == []
    journal.close()


def test_what_was_being_written_when_the_power_went_is_removed(tmp_path: Path) -> None:
    journal, _ = begin(tmp_path)
    (left,) = journal.names.folder.iterdir()
    left.rename(left.with_name(f".{left.name}.new"))
    assert list(GameNames(tmp_path / "journal.sqlite3", keeps_apart=True).folder.iterdir()) == []
    journal.close()


def test_a_name_that_looks_like_a_seat_is_not_mixed_up(tmp_path: Path) -> None:
    journal, _ = begin(tmp_path, ("Seat 2", "Ben"))
    journal.names.erase_names(ID, 2)
    again = Table(make_rulebook("bankueberfall"), journal, None, lambda: 0.0)
    assert again.resume()
    assert players_of(again) == ["Seat ①", "Seat ②"]
    journal.close()


@given(NAMES)
def test_any_names_are_hidden_and_the_game_still_begins(names: list[str]) -> None:
    started = make_rulebook("bankueberfall").start_event(ID, tuple(names))
    hidden = hide_names(started)
    assert isinstance(hidden, Started)
    assert hidden.players == pseudonyms(len(names))
    assert make_rulebook("bankueberfall").refuse(None, hidden) is None


def test_a_reason_within_a_correction_is_hidden() -> None:
    told = hide_names(Corrected(3, {"event": "found", "reason": "Zoë"}, "Ben said so"))
    assert told == Corrected(3, {"event": "found", "reason": ""})


@pytest.mark.parametrize(("code", "said"), [("en", "Seat 3"), ("fr", "Place 3"), ("de", "Platz 3")])
def test_a_pseudonym_is_worded_for_its_reader(code: str, said: str) -> None:
    assert word_seats("1. Seat ③ +5", get_language(code)) == f"1. {said} +5"
