"""The journal: lines that survive, and that nobody can change unnoticed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.errors import Malformed
from companion.events import Passed, from_text, to_json
from companion.games import rulebook
from companion.journal import SCHEMA, START, Journal, link

EVENTS = rulebook("bankueberfall").events
TOLD = [
    'started id="g1" players=["Ana","Ben"]',
    'tile_turned seat=1 tile="place"',
    'card_placed seat=1 bank=3 card="5"',
    'tile_turned seat=2 tile="spy"',
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """A journal with four lines."""
    with closing(Journal(path)) as opened:
        for second, told in enumerate(TOLD):
            event = from_text(told, EVENTS)
            opened.append("bankueberfall", "g1", 1000.5 + second, "phone 1", to_json(event))
        yield opened


def tampered(path: Path, sql: str) -> str:
    """Somebody writes into the file by hand; what is said when it is opened again."""
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute(sql)
    with pytest.raises(Malformed) as caught:
        Journal(path)
    return str(caught.value)


def test_what_is_appended_is_read_back_in_order(journal: Journal) -> None:
    lines = list(journal.lines())
    assert [line.n for line in lines] == [1, 2, 3, 4]
    assert [line.read(EVENTS) for line in lines] == [from_text(told, EVENTS) for told in TOLD]
    assert [line.at for line in lines] == [1000.5, 1001.5, 1002.5, 1003.5]
    assert {(line.game, line.id, line.via) for line in lines} == {
        ("bankueberfall", "g1", "phone 1")
    }


def test_an_appended_line_is_the_line_that_is_read(journal: Journal) -> None:
    line = journal.append("bankueberfall", "g1", 5.0, "bot 2", to_json(Passed(2)))
    (*_, last) = journal.lines()
    assert last == line
    assert last.read(EVENTS) == Passed(2)


def test_a_new_journal_is_empty(path: Path) -> None:
    with closing(Journal(path)) as journal:
        assert list(journal.lines()) == []


def test_when_append_returns_anyone_who_opens_the_file_sees_the_line(
    path: Path, journal: Journal
) -> None:
    with closing(sqlite3.connect(path)) as disk:
        assert disk.execute("SELECT count(*) FROM line").fetchone() == (4,)
        assert disk.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._disk.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_journal_is_continued_after_it_was_closed(path: Path, journal: Journal) -> None:
    before = list(journal.lines())
    journal.close()
    with closing(Journal(path)) as again:
        assert list(again.lines()) == before
        added = again.append("bankueberfall", "g1", 9.0, "phone 2", to_json(Passed(2)))
        assert (added.n, [line.n for line in again.lines()]) == (5, [1, 2, 3, 4, 5])
    with closing(Journal(path)) as once_more:
        assert list(once_more.lines()) == [*before, added]


def test_a_journal_that_was_never_closed_is_whole(path: Path, journal: Journal) -> None:
    with closing(Journal(path)) as after_the_plug_was_pulled:
        assert len(list(after_the_plug_was_pulled.lines())) == 4


def test_a_clock_that_counts_in_whole_seconds_does_not_break_the_chain(path: Path) -> None:
    with closing(Journal(path)) as journal:
        line = journal.append("bankueberfall", "g1", 5, "phone 1", to_json(Passed(1)))
        assert list(journal.lines()) == [line]


def test_names_and_odd_characters_are_kept(path: Path) -> None:
    started = from_text('started id="\U0001f3e6" players=["Jö \\"x\\"","O\'Neill"]', EVENTS)
    with closing(Journal(path)) as journal:
        journal.append("bankueberfall", "\U0001f3e6", 1.0, "phone 1", to_json(started))
        (line,) = journal.lines()
        assert line.read(EVENTS) == started


# The chain.


def test_each_line_carries_the_hash_of_the_one_before(journal: Journal) -> None:
    before = START
    for line in journal.lines():
        event = bytes(line.event).decode()
        assert line.chain == link(before, (line.n, line.game, line.id, line.at, line.via, event))
        before = line.chain


@pytest.mark.parametrize(
    "change",
    [
        "event = replace(event, '\"5\"', '\"10\"')",
        "game = 'banque_fatale'",
        "id = 'g2'",
        "at = at + 1",
        "via = 'phone 2'",
        "chain = replace(chain, 'a', 'b')",
    ],
)
def test_an_edited_line_is_noticed_and_named(path: Path, journal: Journal, change: str) -> None:
    journal.close()
    said = tampered(path, f"UPDATE line SET {change} WHERE n = 3")
    assert said == "Journal line 3 was changed by hand."


@pytest.mark.parametrize(("dropped", "named"), [(1, 2), (2, 3), (3, 4)])
def test_a_dropped_line_is_noticed_at_the_next_one(
    path: Path, journal: Journal, dropped: int, named: int
) -> None:
    journal.close()
    said = tampered(path, f"DELETE FROM line WHERE n = {dropped}")
    assert said == f"Journal line {named} was changed by hand."


def test_a_dropped_line_is_noticed_even_when_the_numbers_are_closed_up(
    path: Path, journal: Journal
) -> None:
    journal.close()
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("DELETE FROM line WHERE n = 3")
    assert tampered(path, "UPDATE line SET n = 3 WHERE n = 4").startswith("Journal line 3")


def test_an_inserted_line_is_noticed(path: Path, journal: Journal) -> None:
    journal.close()
    said = tampered(
        path,
        "INSERT INTO line SELECT 5, game, id, at, via, event, chain FROM line WHERE n = 4",
    )
    assert said == "Journal line 5 was changed by hand."


def test_two_lines_that_changed_places_are_noticed(path: Path, journal: Journal) -> None:
    journal.close()
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("UPDATE line SET n = 9 WHERE n = 2")
        disk.execute("UPDATE line SET n = 2 WHERE n = 3")
    assert tampered(path, "UPDATE line SET n = 3 WHERE n = 9").startswith("Journal line 2")


def test_a_change_is_noticed_while_the_journal_is_open(path: Path, journal: Journal) -> None:
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("UPDATE line SET via = 'phone 2' WHERE n = 2")
    with pytest.raises(Malformed, match="Journal line 2 was changed by hand"):
        list(journal.lines())


# Files that are not ours.


def test_a_newer_journal_is_refused_in_one_sentence_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as disk:
        disk.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    before = path.read_bytes()
    with pytest.raises(Malformed) as caught:
        Journal(path)
    assert str(caught.value) == (
        "evening.sqlite3 was written by a newer companion (journal version 2)."
    )
    assert path.read_bytes() == before


def test_a_file_that_is_no_journal_is_not_written_over(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 200)
    with pytest.raises(Malformed, match=f"{path.name} cannot be used as a journal"):
        Journal(path)
    assert path.read_bytes() == b"Dear diary, " * 200


def test_a_line_that_is_no_event_of_the_game_is_not_read_as_one(journal: Journal) -> None:
    line = journal.append("bankueberfall", "g1", 5.0, "phone 1", b'{"event":"walked"}')
    with pytest.raises(msgspec.ValidationError):
        line.read(EVENTS)
