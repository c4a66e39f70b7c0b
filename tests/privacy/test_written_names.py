"""Names that an earlier version wrote into the journal go from it, from backups and from copies."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.backup import RestoreTarget, open_backup, restore_backup, write_backup
from companion.core.i18n import get_language
from companion.core.table_events import Ended
from companion.journal import Journal
from companion.journal.game_index import index_path
from companion.records.check_texts import describe_report
from companion.records.checks import check_record
from companion.records.format import fingerprint, to_bytes
from companion.records.past_games import list_past_games
from companion.records.store import make_record
from tests.worlds.named_table import NAMES, NamedTable

SEATS = ("Seat ①", "Seat ②", "Seat ③")
OTHERS = ("Vera", "Wim")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[NamedTable]:
    """A table of an earlier version with two games, a backup and an index."""
    table = NamedTable(tmp_path, keeps_apart=False)
    table.play(*OTHERS)
    table.clear()
    table.play(*NAMES)
    back_up(table, "companion-2026-01-01.zip")
    list(list_past_games(table.journal, index_path(table.journal.path)))
    table.switch_off()
    table.keeps_apart = True
    table.switch_on()
    table.names.count_time()
    yield table
    table.switch_off()


def back_up(room: NamedTable, name: str) -> Path:
    path = room.folder / "backups" / name
    write_backup(room.folder, None, path, "2026-01-01T12:00:00")
    return path


def is_anyone_named(room: NamedTable, *names: str) -> bool:
    return bool(room.find_names(names or (*NAMES, *OTHERS)))


def ids(room: NamedTable) -> list[str]:
    return [game.id for game in room.journal.list_games()]


def test_names_of_earlier_games_are_kept_for_their_days_from_the_update_on(
    room: NamedTable,
) -> None:
    assert {game.names for game in room.names.list_games()} == {NAMES, OTHERS}
    room.live(29)
    assert room.shown() == NAMES
    room.live(2)
    assert room.shown() == SEATS
    assert not is_anyone_named(room)
    assert room.names.list_games() == []


def test_every_record_still_verifies_and_says_that_it_was_rewritten(room: NamedTable) -> None:
    before = {id: fingerprint(make_record(room.journal, id)) for id in ids(room)}
    room.names.erase_all()
    assert not is_anyone_named(room)
    for id in ids(room):
        report = check_record(to_bytes(make_record(room.journal, id)), [before[id]])
        assert report.failed == ()
        assert report.answer("known") == "yes"
        said = [get_language("en")(one) for one in describe_report(report)]
        assert any("names were erased" in one and before[id] in one for one in said)


def test_the_journal_is_whole_after_a_restart_and_plays_on(room: NamedTable) -> None:
    room.names.erase_all()
    lines = len(list(room.journal.read_lines()))
    room.switch_off()
    room.switch_on()
    assert room.journal.notices == []
    assert len(list(room.journal.read_lines())) == lines
    assert room.shown() == SEATS
    room.play("Nora", "Ole")
    with closing(Journal(room.journal.path, read_only=True)) as read:
        assert len(list(read.read_lines())) > lines


@pytest.mark.wide
def test_the_names_of_one_game_or_one_seat_go_alone(room: NamedTable) -> None:
    first, second = ids(room)
    room.names.erase_games([first])
    assert not is_anyone_named(room, *OTHERS)
    assert room.shown() == NAMES
    from companion.privacy.orders import EraseOrder

    room.names.erase(EraseOrder({second: (2,)}))
    assert room.shown() == ("Zoë", "Seat ②", "Änne")
    assert not is_anyone_named(room, "Ben")
    assert is_anyone_named(room, "Zoë")
    assert [game.names for game in room.names.list_games()] == [("Zoë", "Seat ②", "Änne")]


def test_a_restored_backup_brings_no_erased_name_back(room: NamedTable, tmp_path: Path) -> None:
    old = (room.folder / "backups" / "companion-2026-01-01.zip").read_bytes()
    room.names.erase_all()
    room.switch_off()
    stick = tmp_path / "stick.zip"
    stick.write_bytes(old)
    with open_backup(stick) as backup:
        restore_backup(backup, RestoreTarget(room.folder, None, {}), "2026-01-02")
    stick.unlink()
    room.switch_on()
    assert room.holds("Zoë")
    room.names.count_time()
    assert room.shown() == SEATS
    assert not is_anyone_named(room)


def test_a_rewritten_backup_restores_on_another_table_and_verifies(
    room: NamedTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    room.names.erase_all()
    other = tmp_path_factory.mktemp("other")
    with open_backup(room.folder / "backups" / "companion-2026-01-01.zip") as backup:
        restore_backup(backup, RestoreTarget(other, None, {}), "2026-01-02")
    with closing(Journal(other / "journal.sqlite3")) as journal:
        for game in journal.list_games():
            report = check_record(to_bytes(make_record(journal, game.id)))
            assert report.failed == ()
            assert report.record is not None
            assert report.record.header.former


@pytest.mark.wide
@pytest.mark.parametrize("end", ["damaged-1", "newer-2", "newer-2-wal"])
def test_a_copy_of_the_journal_goes_with_the_names(end: str, room: NamedTable) -> None:
    copy = room.folder / f"journal.sqlite3.{end}"
    copy.write_bytes(b"Zo\xc3\xab and others")
    room.names.erase_all()
    assert not copy.exists()
    assert not is_anyone_named(room)


@pytest.mark.wide
def test_a_game_under_way_loses_its_names_and_goes_on(room: NamedTable) -> None:
    room.switch_off()
    room.keeps_apart = False
    room.switch_on()
    room.begin(*NAMES)
    room.switch_off()
    room.keeps_apart = True
    room.switch_on()
    room.names.erase_all()
    assert room.shown() == SEATS
    assert room.request(Ended()) is None
    assert not is_anyone_named(room)
