"""A table of wires, as `companion run` has it on a Pi; only the chips behind the wires are ours."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.tracking.picture import EIGHTH_SPOT
from tests.worlds.scripted_table import TWO, WiredTable


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[WiredTable]:
    with closing(WiredTable(tmp_path)) as made:
        yield made


def test_cards_on_the_readers_are_the_cards_in_the_game(wired: WiredTable) -> None:
    for bank in range(1, 6):
        wired.put("5", bank, copy=bank)
    assert wired.host.begin_game(TWO) is None
    wired.until(lambda table: all(bank[0].card == "5" for bank in table.state.banks))
    wired.put("tile place", EIGHTH_SPOT)
    wired.until(lambda table: table.state.phase == "place")
    wired.put("thief", 3)
    wired.until(lambda table: len(table.state.banks[2]) == 2)
    assert wired.source.table.state.banks[2][1].card == "thief"
    assert wired.source.table.view().table.todos == ()  # type: ignore[union-attr]
    steps = wired.source.wires.steps()
    wired.source.poll()
    wired.until(lambda _: wired.source.wires.steps() > steps)
    assert {condition.word for condition in wired.source.wires.conditions()} == {"well"}


def test_no_tag_is_in_any_file(wired: WiredTable, tmp_path: Path) -> None:
    wired.put("5", 1)
    assert wired.host.begin_game(TWO) is None
    wired.until(lambda table: table.state.banks[0][0].card == "5")
    for path in filter(Path.is_file, tmp_path.rglob("*")):
        written = path.read_bytes()
        for tags in wired.tags.values():
            assert not any(tag.encode() in written or bytes.fromhex(tag) in written for tag in tags)


def test_without_a_deck_readers_are_silent_and_buttons_work(tmp_path: Path) -> None:
    with closing(WiredTable(tmp_path, enrolled=False)) as wired:
        wired.put("5", 1)
        assert wired.host.begin_game(TWO) is None
        wired.top.world.tap(2, 2.5)
        wired.until(lambda table: table.history.frozen == 2)
        assert wired.source.table.state.banks[0][0].card is None
        assert wired.source.table.view().table.todos == ()  # type: ignore[union-attr]
