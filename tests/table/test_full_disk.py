"""A table whose disk takes nothing more, or whose clock goes back: what has happened, and when."""

from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from companion.core.cards import TILE
from companion.core.table_events import Settled
from companion.tracking.mismatches import MOVED
from tests.worlds.failing_disk import room_for
from tests.worlds.watched_table import Watched

PAGE = 4_120
"""Bytes that a page takes up in the log of the journal."""


@pytest.fixture
def watched_table(tmp_path: Path) -> Watched:
    return Watched(tmp_path / "journal.sqlite3")


def room_in_log(table: Watched, more: int = 0) -> AbstractContextManager[None]:
    """Let the log of the journal grow by so many bytes and no more."""
    return room_for(table.path.with_name(table.path.name + "-wal").stat().st_size + more)


def test_a_card_that_cannot_be_noted_is_noted_once_there_is_room(watched_table: Watched) -> None:
    told: list[int] = []
    watched_table.table.watch(lambda: told.append(watched_table.table.version))
    before = watched_table.table.history
    with room_in_log(watched_table):
        watched_table.lay(f"{TILE}place", 8)
        for _ in range(50):
            watched_table.tick(0.03)
            watched_table.table.run_maintenance()
        assert watched_table.table.history is before
        assert len(watched_table.table.faults.messages()) == 1
        assert told == [1], "that the disk is full is told once"
    watched_table.tick()
    watched_table.table.run_maintenance()
    assert watched_table.last() == ("reader 8", "tile_turned")
    assert watched_table.table.faults.messages() == ()
    assert watched_table.state.phase == "place"


def test_a_full_disk_is_not_tried_again_on_every_turn(watched_table: Watched) -> None:
    with room_in_log(watched_table):
        watched_table.lay(f"{TILE}place", 8)
        watched_table.tick(0.6)
        assert watched_table.table.faults.write_failure is not None
        assert not watched_table.table.faults.is_retry_due
        watched_table.tick(0.6)
        assert watched_table.table.faults.is_retry_due


def test_an_answer_of_several_lines_is_on_disk_whole_or_not_at_all(watched_table: Watched) -> None:
    watched_table.lay(f"{TILE}place", 8)
    card = watched_table.lay("5", 1)
    watched_table.lay_tag(card, 2)
    assert (2, MOVED.text) in watched_table.todos()
    before, lines = watched_table.table.history, watched_table.written()
    for pages in range(40):
        with room_in_log(watched_table, pages * PAGE):
            refused = watched_table.ask(1, Settled(2, "cards"), key="k")
        if refused is None:
            break
        assert refused.code == "not_written"
        assert watched_table.table.history is before
        assert watched_table.written() == lines
    assert pages > 0
    assert [event["event"] for _, event in watched_table.written()[len(lines) :]] == [
        "found",
        "found",
    ]
    assert not {1, 2} & {place for place, _ in watched_table.todos()}
    assert watched_table.ask(1, Settled(2, "cards"), key="k") is None, (
        "a second copy counts as the first"
    )
    assert len(watched_table.written()) == len(lines) + 2


def test_a_clock_that_was_set_back_changes_no_order(watched_table: Watched) -> None:
    watched_table.do(1, 'tile_turned seat=1 tile="place"')
    watched_table.now -= 3 * 3600
    watched_table.do(1, "card_placed seat=1 bank=1")
    watched_table.pull_the_plug()
    assert (watched_table.state.phase, watched_table.state.active) == ("tile", 2)
