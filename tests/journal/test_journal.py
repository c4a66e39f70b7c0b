"""The journal: lines that survive, and that nobody can change unnoticed."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.core.events import Passed, from_text, to_json
from companion.core.i18n import get_language
from companion.games import make_rulebook
from companion.journal import Journal
from companion.journal.line import CHAIN_START, MAX_LINE_BYTES, chain_hash, own_hash

EVENTS = make_rulebook("bankueberfall").event_types
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


def prove(journal: Journal) -> list[str]:
    """All is proven, as the daemon does when it is idle; what there was to be said."""
    for _ in range(100):
        if journal.check_lines():
            return [get_language("en")(notice) for notice in journal.notices]
    raise AssertionError("the check does not end")


def tampered(path: Path, *sql: str) -> str:
    """Somebody writes into the file by hand; what is said once it has been opened and proven."""
    with closing(sqlite3.connect(path)) as disk, disk:
        for statement in sql:
            disk.execute(statement)
    with closing(Journal(path)) as journal:
        (said,) = prove(journal)
    with closing(Journal(path)) as journal:
        assert prove(journal) == [], "what was stated once is not stated again"
    return said


def copied(path: Path, folder: Path) -> Path:
    """The files as they lie there while the journal is open, as after a pulled plug."""
    folder.mkdir()
    for name in (path.name, path.name + "-wal"):
        if path.with_name(name).exists():
            shutil.copy(path.with_name(name), folder / name)
    return folder / path.name


def test_appended_lines_are_read_back_in_order(journal: Journal) -> None:
    lines = list(journal.read_lines())
    assert [line.n for line in lines] == [1, 2, 3, 4]
    assert [line.decode_event(EVENTS) for line in lines] == [
        from_text(told, EVENTS) for told in TOLD
    ]
    assert [line.at for line in lines] == [1000.5, 1001.5, 1002.5, 1003.5]
    assert {(line.game, line.id, line.via) for line in lines} == {
        ("bankueberfall", "g1", "phone 1")
    }


def test_an_appended_line_is_the_line_that_is_read(journal: Journal) -> None:
    line = journal.append("bankueberfall", "g1", 5.0, "bot 2", to_json(Passed(2)))
    (*_, last) = journal.read_lines()
    assert last == line
    assert last.decode_event(EVENTS) == Passed(2)


def test_a_new_journal_is_empty(path: Path) -> None:
    with closing(Journal(path)) as journal:
        assert list(journal.read_lines()) == []


def test_a_line_is_visible_to_other_readers_when_append_returns(
    path: Path, journal: Journal
) -> None:
    with closing(sqlite3.connect(path)) as disk:
        assert disk.execute("SELECT count(*) FROM line").fetchone() == (4,)
        assert disk.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_journal_is_continued_after_it_was_closed(path: Path, journal: Journal) -> None:
    before = list(journal.read_lines())
    journal.close()
    with closing(Journal(path)) as again:
        assert list(again.read_lines()) == before
        added = again.append("bankueberfall", "g1", 9.0, "phone 2", to_json(Passed(2)))
        assert (added.n, [line.n for line in again.read_lines()]) == (5, [1, 2, 3, 4, 5])
    with closing(Journal(path)) as once_more:
        assert list(once_more.read_lines()) == [*before, added]


def test_a_journal_that_was_never_closed_is_whole(path: Path, journal: Journal) -> None:
    with closing(Journal(copied(path, path.parent / "plug"))) as after_the_plug_was_pulled:
        assert list(after_the_plug_was_pulled.read_lines()) == list(journal.read_lines())
        assert prove(after_the_plug_was_pulled) == []


def test_a_clock_that_counts_in_whole_seconds_does_not_break_the_chain(path: Path) -> None:
    with closing(Journal(path)) as journal:
        line = journal.append("bankueberfall", "g1", 5, "phone 1", to_json(Passed(1)))
        assert list(journal.read_lines()) == [line]


def test_names_and_odd_characters_are_kept(path: Path) -> None:
    started = from_text('started id="\U0001f3e6" players=["Jö \\"x\\"","O\'Neill"]', EVENTS)
    with closing(Journal(path)) as journal:
        journal.append("bankueberfall", "\U0001f3e6", 1.0, "phone 1", to_json(started))
        (line,) = journal.read_lines()
        assert line.decode_event(EVENTS) == started


# The chain.


def test_each_line_carries_its_own_hash_and_one_over_all_before(journal: Journal) -> None:
    before = CHAIN_START
    for line in journal.read_lines():
        event = bytes(line.event).decode()
        assert line.own == own_hash(line.game, line.id, line.at, line.via, event)
        assert line.chain == chain_hash(before, line.own)
        before = line.chain


@pytest.mark.parametrize(
    "change",
    [
        "event = replace(event, '\"5\"', '\"9\"')",
        "game = 'banque_fatale'",
        "id = 'g2'",
        "at = at + 1",
        "via = 'phone 2'",
        "own = zeroblob(32)",
        "via = 7",
    ],
)
def test_an_edited_line_is_noticed_and_named(path: Path, journal: Journal, change: str) -> None:
    journal.close()
    said = tampered(path, "PRAGMA secure_delete = ON", f"UPDATE line SET {change} WHERE n = 3")
    assert said == (
        "The journal was damaged: 3 lines are sound, these are lost: 3;"
        " the damaged file is kept as evening.sqlite3.damaged-1."
    )
    with closing(Journal(path)) as again:
        assert [line.n for line in again.read_lines()] == [1, 2, 4]
        assert not again.is_complete("g1")


@pytest.mark.parametrize("n", [1, 3, 4])
def test_an_edited_chain_is_put_right(path: Path, journal: Journal, n: int) -> None:
    before = list(journal.read_lines())
    journal.close()
    said = tampered(path, f"UPDATE line SET chain = zeroblob(32) WHERE n = {n}")
    assert "4 lines are sound, none is known to be lost" in said
    with closing(Journal(path)) as again:
        assert list(again.read_lines()) == before
        assert again.is_complete("g1")


def test_a_line_that_was_written_anew_with_its_hashes_breaks_the_chain(
    path: Path, journal: Journal
) -> None:
    _, two, three, _ = journal.read_lines()
    journal.close()
    forged = own_hash(three.game, three.id, three.at, "phone 2", bytes(three.event).decode())
    said = tampered(
        path,
        "PRAGMA secure_delete = ON",
        f"UPDATE line SET via = 'phone 2', own = x'{forged}',"
        f" chain = x'{chain_hash(two.chain, forged)}' WHERE n = 3",
    )
    assert said.startswith("The journal was changed by hand before these lines: 4;")
    with closing(Journal(path)) as again:
        assert not again.is_complete("g1")


@pytest.mark.parametrize("dropped", [1, 2, 3, 4])
def test_a_dropped_line_is_noticed(path: Path, journal: Journal, dropped: int) -> None:
    journal.close()
    said = tampered(path, "PRAGMA secure_delete = ON", f"DELETE FROM line WHERE n = {dropped}")
    assert f"3 lines are sound, these are lost: {dropped};" in said
    with closing(Journal(path)) as again:
        added = again.append("bankueberfall", "g1", 9.0, "phone 2", to_json(Passed(2)))
        assert added.n == 5, "a number that was given away is not given again"
        assert prove(again) == []


def test_lines_that_closed_up_or_changed_places_go_back_to_their_own(
    path: Path, journal: Journal
) -> None:
    before = list(journal.read_lines())
    journal.close()
    said = tampered(
        path,
        "UPDATE line SET n = 9 WHERE n = 2",
        "UPDATE line SET n = 2 WHERE n = 3",
        "UPDATE line SET n = 3 WHERE n = 9",
    )
    assert "4 lines are sound, none" in said
    with closing(Journal(path)) as again:
        assert list(again.read_lines()) == before


def test_a_line_slipped_in_is_noticed(path: Path, journal: Journal) -> None:
    journal.close()
    tampered(
        path,
        "INSERT INTO line SELECT 5, game, id, at, via, event, own, chain, key, tag, mark"
        " FROM line WHERE n = 4",
    )
    with closing(Journal(path)) as again:
        assert [line.n for line in again.read_lines()] == [1, 2, 3, 4]


def test_a_change_while_the_journal_is_open_is_mended_on_reading(
    path: Path, journal: Journal
) -> None:
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("UPDATE line SET chain = zeroblob(32) WHERE n = 2")
    assert [line.n for line in journal.read_lines()] == [1, 2, 3, 4]
    assert len(journal.notices) == 1
    assert journal.append("bankueberfall", "g1", 9.0, "phone 2", to_json(Passed(2))).n == 5


# Several games.


def moments(id: str, n: int) -> list[tuple[str, str, float, str, bytes]]:
    return [("bankueberfall", id, 100.0 + k, "phone 1", to_json(Passed(k))) for k in range(n)]


def test_each_game_is_read_by_its_id_wherever_its_lines_lie(journal: Journal) -> None:
    journal.import_game(moments("brought", 3))
    journal.append("bankueberfall", "g1", 9.0, "phone 2", to_json(Passed(2)))
    journal.append("bankueberfall", "g2", 10.0, "phone 2", to_json(Passed(2)))
    assert [line.n for line in journal.read_lines("g1")] == [1, 2, 3, 4, 8]
    assert [line.n for line in journal.read_lines("brought")] == [5, 6, 7]
    assert list(journal.read_lines("nobody")) == []
    told = [(game.id, game.lines, game.imported) for game in journal.list_games()]
    assert told == [("g1", 5, False), ("brought", 3, True), ("g2", 1, False)]
    assert journal.newest_game() == "g2"
    assert all(map(journal.has_game, ("g1", "brought", "g2")))
    assert not journal.has_game("g")
    assert prove(journal) == []


def test_an_imported_game_is_not_the_game_played_last(journal: Journal) -> None:
    journal.import_game(moments("brought", 3))
    assert journal.newest_game() == "g1"


def test_a_table_of_games_that_is_wrong_is_told_anew_from_the_lines(
    path: Path, journal: Journal
) -> None:
    journal.append("bankueberfall", "g2", 9.0, "phone 2", to_json(Passed(2)))
    before = journal.list_games()
    journal.close()
    for wrong in (
        "DELETE FROM stretch",
        "UPDATE stretch SET id = 'x'",
        "DELETE FROM stretch WHERE first = 5",
        "UPDATE stretch SET first = first + 1",
    ):
        with closing(sqlite3.connect(path)) as disk, disk:
            disk.execute(wrong)
        with closing(Journal(path)) as again:
            assert again.list_games() == before
            assert len(again.notices) == 1


# What is kept aside.


def test_keys_and_tags_are_kept_by_game_and_line(path: Path, journal: Journal) -> None:
    event = to_json(Passed(1))
    journal.append("bankueberfall", "g1", 5.0, "phone 1", event, key="k1", tag="t1")
    journal.append("bankueberfall", "g2", 5.0, "phone 1", event, key="k1")
    journal.append("bankueberfall", "g2", 5.0, "phone 1", event, tag="t2")
    for _ in range(2):
        assert journal.request_keys("g1") == {"k1": 5}
        assert journal.request_keys("g2") == {"k1": 6}
        assert (journal.line_tags("g1"), journal.line_tags("g2")) == ({5: "t1"}, {7: "t2"})
        with pytest.raises(Malformed, match="k1 is in the journal already"):
            journal.append("bankueberfall", "g1", 5.0, "phone 1", event, key="k1")
        journal.close()
        journal = Journal(path)
    journal.close()


def test_reader_log_entries_are_written_with_the_next_line_or_on_flush(
    path: Path, journal: Journal
) -> None:
    journal.note_reading(1.0, "reader 3 saw something")
    assert journal.reader_log() == []
    journal.append("bankueberfall", "g1", 5.0, "phone 1", to_json(Passed(1)))
    journal.note_reading(2.0, "reader 3 lost it")
    journal.flush()
    journal.note_reading(3.0, "x" * 9_000)
    journal.close()
    with closing(Journal(path)) as again:
        (one, two, (at, text)) = again.reader_log()
        assert (one, two) == ((1.0, "reader 3 saw something"), (2.0, "reader 3 lost it"))
        assert (at, len(text) < 1_000) == (3.0, True)


def test_only_the_latest_that_readers_said_is_kept(journal: Journal) -> None:
    for n in range(13):
        for k in range(2_000):
            journal.note_reading(n * 2_000.0 + k, "saw")
        journal.flush()
    kept = journal.reader_log()
    assert (len(kept), kept[-1]) == (20_000, (25_999.0, "saw"))


# Anchors.


def test_opening_proves_what_came_after_the_last_anchor_and_idling_proves_the_rest(
    path: Path, journal: Journal
) -> None:
    journal.import_game(moments("long", 600))
    journal.close()
    with closing(sqlite3.connect(path)) as disk, disk:
        assert [n for (n,) in disk.execute("SELECT n FROM anchor")] == [256, 512, 604]
        disk.execute("UPDATE line SET own = zeroblob(32) WHERE n = 300")
    with closing(Journal(path)) as again:
        assert again.notices == []
        asked = 0
        while not again.check_lines(100):
            asked += 1
        assert asked > 6
        assert "these are lost: 300" in get_language("en")(again.notices[0])


def test_an_end_that_was_cut_off_is_stated(path: Path, journal: Journal) -> None:
    journal.import_game(moments("long", 600))
    journal.close()
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("PRAGMA secure_delete = ON")
        disk.execute("DELETE FROM line WHERE n > 590")
    with closing(Journal(path)) as again:
        assert "590 lines are sound, these are lost: 591–604;" in get_language("en")(
            again.notices[0]
        )
        assert again.append("bankueberfall", "new", 1.0, "phone 1", to_json(Passed(1))).n == 605
    with closing(Journal(path)) as again:
        assert prove(again) == []
        assert (again.is_complete("new"), again.is_complete("long"), again.is_complete("g1")) == (
            False,
            False,
            True,
        )


def test_the_newest_time_is_known_when_the_clock_was_set_back(path: Path, journal: Journal) -> None:
    assert journal.last_at == 1003.5
    journal.append("bankueberfall", "g1", 5.0, "phone 1", to_json(Passed(1)))
    assert journal.last_at == 1003.5
    journal.close()
    with closing(Journal(path)) as again:
        assert again.last_at >= 1000.5
        assert [line.at for line in again.read_lines()][-1] == 5.0


def test_a_line_that_would_not_fit_is_refused(journal: Journal) -> None:
    for at, event in ((1.0, b'"' + b"x" * MAX_LINE_BYTES + b'"'), (float("nan"), b"{}")):
        with pytest.raises(Malformed, match="does not fit into a line"):
            journal.append("bankueberfall", "g1", at, "phone 1", event)
    assert len(list(journal.read_lines())) == 4


def test_a_line_that_is_no_event_of_the_game_is_not_read_as_one(journal: Journal) -> None:
    line = journal.append("bankueberfall", "g1", 5.0, "phone 1", b'{"event":"walked"}')
    with pytest.raises(msgspec.ValidationError):
        line.decode_event(EVENTS)
