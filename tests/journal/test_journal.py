"""The journal: lines that survive, and that nobody can change unnoticed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.core.events import Passed, to_json
from companion.core.i18n import get_language
from companion.games import make_rulebook
from companion.journal import Journal, JournalFailed
from companion.journal.line import MAX_LINE_BYTES
from tests.worlds.event_story import from_text
from tests.worlds.journal_lines import append, every_line

EVENTS = make_rulebook("bankueberfall").event_types
TOLD = [
    'started id="g1" players=2',
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
            append(opened, "bankueberfall", "g1", 1000.5 + second, "phone 1", to_json(event))
        yield opened


def moments(id: str, n: int) -> list[tuple[str, str, float, str, bytes]]:
    return [("bankueberfall", id, 100.0 + k, "phone 1", to_json(Passed(k))) for k in range(n)]


def prove(journal: Journal) -> list[str]:
    """All is proven, as the daemon does when it is idle; what there was to be said."""
    while not journal.check_next():
        pass
    return [get_language("en")(notice) for notice in journal.notices]


def tampered(path: Path, *sql: str) -> str:
    """Somebody writes into the file by hand; what is said once it has been opened and proven."""
    with closing(sqlite3.connect(path)) as disk, disk:
        for statement in sql:
            disk.execute(statement)
    with closing(Journal(path)) as journal:
        (said, *_) = prove(journal)
    with closing(Journal(path)) as journal:
        assert prove(journal) == [], "what was stated once is not stated again"
    return said


def test_a_line_is_visible_to_other_readers_when_append_returns(
    path: Path, journal: Journal
) -> None:
    with closing(sqlite3.connect(path)) as disk:
        assert disk.execute("SELECT count(*) FROM line").fetchone() == (4,)
        assert disk.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._disk.execute("PRAGMA synchronous").fetchone() == (2,)


def test_what_an_earlier_log_left_behind_is_no_write_that_was_cut_short(
    path: Path, journal: Journal
) -> None:
    """SQLite writes its log from the front again once all of it is in the file."""
    journal._disk.execute("PRAGMA wal_checkpoint(RESTART)")
    append(journal, "bankueberfall", "g1", 9.0, "phone 2", to_json(Passed(2)))
    for name in (path.name, path.name + "-wal"):
        (path.parent / f"copy-{name}").write_bytes((path.parent / name).read_bytes())
    with closing(Journal(path.parent / f"copy-{path.name}")) as again:
        assert (len(every_line(again)), again.notices) == (5, [])


# The chain.


@pytest.mark.parametrize("n", [1, 3, 4])
@pytest.mark.parametrize(
    "change",
    [
        "event = replace(event, 'e', 'x')",
        "game = 'banque_fatale'",
        "id = 'g2'",
        "at = at + 1",
        "via = 'phone 2'",
        "via = 7",
        "key = 'mine'",
        "tag = 'mine'",
        "over = 1",
        "chain = zeroblob(32)",
        "n = n + 100",
    ],
)
def test_a_game_with_an_edited_line_is_lost_and_named(
    path: Path, journal: Journal, change: str, n: int
) -> None:
    journal.import_game(moments("sound", 3), True)
    journal.close()
    said = tampered(path, f"UPDATE line SET {change} WHERE n = {n}")
    kept = f"{path.name}.damaged-{date.today()}"
    assert said == (
        "The journal was damaged. These games are lost: 1970-01-01 (g1); all others are sound, and"
        f" the damaged file is kept as {kept}."
    )
    with closing(Journal(path)) as again:
        assert [game.id for game in again.list_games()] == ["sound"]
        assert again.end == 7


@pytest.mark.parametrize("id", ["other", "g1"])
def test_a_line_slipped_in_costs_nothing(path: Path, journal: Journal, id: str) -> None:
    before = every_line(journal)
    journal.close()
    said = tampered(
        path,
        f"INSERT INTO line SELECT 5, game, '{id}', at, via, event, key, tag, over, chain"
        " FROM line WHERE n = 4",
    )
    assert "no game is lost" in said
    with closing(Journal(path)) as again:
        assert every_line(again) == before


@pytest.mark.parametrize("change", ["DELETE FROM game", *(
    f"UPDATE game SET {name} = {value}" for name, value in (
        ("at", 1), ("until", 9), ("first", 2), ("last", 9), ("lines", 9), ("imported", 1),
        ("over", 1), ("chain", "zeroblob(32)"), ("game", "'banque_fatale'"), ("id", "'g9'"),
    )
)])  # fmt: skip
def test_a_table_of_games_that_is_wrong_is_told_anew_from_the_lines(
    path: Path, journal: Journal, change: str
) -> None:
    before = journal.list_games()
    journal.close()
    tampered(path, change)
    with closing(Journal(path)) as again:
        assert again.list_games() == before


@pytest.mark.parametrize("change", ["first = 99", "at = 9e99"])
def test_a_row_of_the_table_of_games_that_cannot_be_is_no_lost_game(
    path: Path, journal: Journal, change: str
) -> None:
    journal.close()
    assert "no game is lost" in tampered(path, f"UPDATE game SET id = 'g9', {change}")


def test_a_game_whose_end_was_hit_is_lost_even_if_the_table_of_games_knows_nothing(
    path: Path, journal: Journal
) -> None:
    journal.close()
    tampered(path, "DELETE FROM game", "UPDATE line SET via = 'x' WHERE n = 4")
    with closing(Journal(path)) as again:
        assert again.list_games() == []


def test_a_change_while_the_journal_is_open_is_repaired_on_reading(
    path: Path, journal: Journal
) -> None:
    journal.import_game(moments("sound", 3), True)
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("UPDATE line SET chain = zeroblob(32) WHERE n = 2")
    assert journal.read_lines("g1") == []
    assert len(journal.notices) == 2
    assert append(journal, "bankueberfall", "g2", 9.0, "phone 2", to_json(Passed(2))).n == 8


def test_a_journal_that_is_only_read_tells_damage_and_changes_nothing(
    path: Path, journal: Journal
) -> None:
    journal.import_game(moments("sound", 3), True)
    journal.close()
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("UPDATE line SET via = 'x' WHERE n = 2")
    before = path.read_bytes()
    with closing(Journal(path, read_only=True)) as looking:
        assert len(looking.read_lines("sound")) == 3
        with pytest.raises(JournalFailed, match="is damaged"):
            looking.read_lines("g1")
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*damaged*"))


# What is kept aside.


def test_keys_and_tags_are_kept_by_game_and_line(path: Path, journal: Journal) -> None:
    event = to_json(Passed(1))
    append(journal, "bankueberfall", "g1", 5.0, "phone 1", event, key="k1", tag="t1")
    append(journal, "bankueberfall", "g2", 5.0, "phone 1", event, key="k2")
    for _ in range(2):
        assert [(line.key, line.tag) for line in journal.read_lines("g1")[4:]] == [("k1", "t1")]
        assert [(line.key, line.tag) for line in journal.read_lines("g2")] == [("k2", "")]
        assert [journal.find_request(key) for key in ("k1", "k2", "k3")] == [event, event, None]
        journal.close()
        journal = Journal(path)
    journal.close()


# In turn.


def test_opening_proves_the_game_played_last_and_idling_the_others(
    path: Path, journal: Journal
) -> None:
    append(journal, "bankueberfall", "g2", 9.0, "phone 2", to_json(Passed(2)))
    append(journal, "bankueberfall", "g3", 9.0, "phone 2", to_json(Passed(2)))
    journal.close()
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("UPDATE line SET via = 'x' WHERE n = 5")
    with closing(Journal(path)) as again:
        assert again.notices == []
        assert not again.check_next()
        assert again.notices == []
        again.check_next()
        assert [game.id for game in again.list_games()] == ["g1", "g3"]
        assert len(again.notices) == 1


def test_a_line_that_would_not_fit_is_refused(journal: Journal) -> None:
    for at, event in ((1.0, b'"' + b"x" * MAX_LINE_BYTES + b'"'), (float("nan"), b"{}")):
        with pytest.raises(Malformed, match="does not fit into a line"):
            append(journal, "bankueberfall", "g1", at, "phone 1", event)
    assert len(every_line(journal)) == 4
