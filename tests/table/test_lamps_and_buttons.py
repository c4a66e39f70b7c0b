"""Buttons and lamps: done, next, ask me again, judge; whose turn it is, and what for."""

from pathlib import Path

import pytest

from tests.worlds.watched_table import EN, Watched, code_of


@pytest.fixture
def table(tmp_path: Path) -> Watched:
    """A game without readers."""
    return Watched(tmp_path / "journal.sqlite3", readers=())


def lamps(table: Watched) -> list[str]:
    return [table.table.lamp_state(seat) for seat in range(1, 7)]


def test_a_button_only_wakes_while_the_host_has_paused_the_game(table: Watched) -> None:
    table.do(1, 'tile_turned seat=1 tile="spy"').do(0, "paused")
    for held in (True, False):
        table.press(1, held=held)
    assert (table.last(), lamps(table)) == (("table", "paused"), ["off"] * 6)
    assert woken(table, 1) == 2


def woken(table: Watched, seat: int) -> int:
    view = table.table.view(seat)
    assert view is not None
    return view.table.woken


def test_a_short_press_is_to_do_without_where_that_may_be(table: Watched) -> None:
    table.do(1, 'tile_turned seat=1 tile="spy"')
    table.press(2)
    assert table.state.phase == "spy", "it is Ana who looks at a card"
    table.press(1)
    assert (table.state.phase, table.state.active) == ("tile", 2)
    assert table.last() == ("button 1", "passed")


def test_where_there_is_something_to_choose_a_press_wakes_the_phone(table: Watched) -> None:
    lines, told = len(table.written()), list[int]()
    table.table.watch(lambda: told.append(1))
    table.press(1)
    table.press(1)
    assert (woken(table, 1), woken(table, 2), len(told)) == (2, 0, 2)
    assert len(table.written()) == lines
    table.press(6)
    assert len(told) == 2, "nobody sits there"


def test_held_it_calls_the_judge_and_held_again_the_table_goes_on(table: Watched) -> None:
    table.press(3, held=True)
    assert lamps(table) == ["off", "off", "fast", "off", "off", "off"]
    table.press(1)
    assert table.last() == ("button 3", "frozen")
    refused = table.ask(1, 'tile_turned seat=1 tile="place"')
    assert code_of(refused) == "frozen"
    assert refused is not None
    said = "Cleo has called the judge. The game is paused."
    assert EN(refused.say) == said
    table.press(1, held=True)
    assert table.last() == ("button 1", "thawed")
    assert lamps(table) == ["on", "off", "off", "off", "off", "off"]


def test_lamps_follow_the_hands(table: Watched) -> None:
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    assert lamps(table)[:3] == ["slow", "slow", "slow"]
    table.close(0, 1, 2)
    assert lamps(table)[:3] == ["slow", "slow", "slow"], "closed, and not open yet"
    table.show(0)
    assert lamps(table)[:3] == ["off", "slow", "slow"]
