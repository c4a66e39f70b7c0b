"""A verdict is told step by step, to all screens by one clock."""

from pathlib import Path

import pytest

from companion.core.table_events import Frozen, Undone
from companion.table.telling import HELD, LONGEST, STANDS, Telling, TellingClock, telling_seconds
from tests.worlds.hand_clock import HandClock
from tests.worlds.watched_table import Watched


@pytest.mark.parametrize("steps", range(1, 40))
def test_every_step_is_told_in_its_turn(steps: int) -> None:
    telling = Telling(steps, lambda _seat: None, opened_at=0.0, decided_at=0.0)
    now, told = 0.0, [telling.told(0.0)]
    while (rest := telling.next_change(now)) is not None:
        assert rest > 0 or telling.told(now) == told[-1]
        now += rest + 1e-4
        told.append(telling.told(now))
    assert told == [*range(steps + 1), steps]
    assert now == pytest.approx(telling_seconds(steps) + STANDS, abs=0.1)


def test_a_late_screen_joins_where_the_others_are() -> None:
    clock = TellingClock(watch := HandClock(100.0))
    clock.begin(8, lambda _seat: None)
    telling = clock.current()
    assert telling is not None
    seen = []
    for _ in range(100):
        seen.append(clock.told(telling))
        watch.now += 0.1
    assert (seen[:20], seen[-1]) == ([0] * 20, 8), "for two seconds all look at the open hands"
    assert seen == sorted(seen)
    watch.now += STANDS
    assert clock.current() is None


def test_the_last_verdict_of_a_game_keeps_the_stage_before_the_end_is_shown() -> None:
    clock = TellingClock(watch := HandClock(100.0))
    clock.begin(8, lambda _seat: None, is_last=True)
    watch.now += LONGEST + 0.01
    telling = clock.unfinished()
    assert telling is not None
    assert clock.told(telling) == 8
    watch.now += STANDS
    assert clock.unfinished() is None


def swept_robbery(folder: Path) -> Watched:
    """Bank 1 is robbed, and its card is to be shown to the reader once all hands are open."""
    table = Watched(folder / "journal.sqlite3", readers=range(1, 6), sweep="always")
    for bank, card in enumerate(("10", "2", "3", "4", "5"), 1):
        table.lay(card, bank)
    return table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1").close(3, 2, 1)


def test_why_a_turn_passed_is_held_for_two_seconds(tmp_path: Path) -> None:
    table, watch = Watched(tmp_path / "journal.sqlite3", readers=()), HandClock(100.0)
    clock = table.table.telling
    clock.use_clock(watch)
    table.do(1, 'tile_turned seat=1 tile="reveal"')
    said = table.table.view().public.skipped
    assert said is not None, "no bank has two hidden cards"
    table.do(2, 'tile_turned seat=2 tile="place"')
    assert table.table.view().public.skipped is None
    assert (clock.skipped(), clock.next_change()) == (said, HELD)
    watch.now += HELD
    assert clock.skipped() is clock.next_change() is None


def test_the_clock_knows_when_the_hands_were_open_and_when_it_was_decided(tmp_path: Path) -> None:
    table, watch = swept_robbery(tmp_path), HandClock(100.0)
    table.table.telling.use_clock(watch)
    table.show(3, 2, 1)
    assert table.table.telling.current() is None, "there is nothing to tell yet"
    history = table.table.history
    assert history.opened_at == history.at
    watch.now += 7
    table.do(1, 'card_shown bank=1 card="10"')
    telling = table.table.telling.current()
    assert telling is not None
    assert telling.decided_at - telling.opened_at == 7
    assert table.table.history.decided_at == history.opened_at + 1
    assert table.table.telling.told_history(table.table.history).state == history.state


@pytest.mark.parametrize("ends", ["frozen", "undone"])
def test_the_judge_and_an_undo_end_the_telling(tmp_path: Path, ends: str) -> None:
    table, watch = swept_robbery(tmp_path), HandClock(100.0)
    table.table.telling.use_clock(watch)
    table.show(3, 2, 1).do(1, 'card_shown bank=1 card="10"')
    assert table.table.telling.unfinished() is not None
    at = table.table.version
    table.do(1, Frozen(1)) if ends == "frozen" else table.do(0, Undone(at))
    assert table.table.telling.current() is None
