"""Degraded play: without readers, without buttons, with fewer phones: each is a normal evening."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.worlds.campaign import pick
from tests.worlds.phone_players import Phones
from tests.worlds.rulebook_players import SETUPS
from tests.worlds.watched_table import Watched


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[pick(1, 0, 0) :: pick(4, 1, 1)])
def test_without_any_reader_the_phones_are_enough(
    tmp_path: Path, game: str, seats: int, started: dict[str, Any]
) -> None:
    table = Watched(tmp_path / "journal.sqlite3", game, seats, readers=(), **started)
    phones = Phones(table, Random(game))
    told: list[int] = []
    table.table.watch(lambda: told.append(table.table.version))
    places = tuple(table.rules.expected_cards(table.state))
    while not table.table.history.is_over:
        assert phones.step() is None
        view: Any = table.table.view()
        assert view.table.todos == (), "nobody is told to put anything right"
        assert view.table.by_hand == places, "and every place is marked as played by hand"
    assert told == sorted(told)
    assert all(via.startswith(("phone", "table")) for via, _ in table.written())
    assert table.state.score.winners
