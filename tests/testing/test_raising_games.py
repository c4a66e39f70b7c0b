"""A game whose own code raises is told so, law by law, and no check ends in a traceback."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from lantern_night.game import GAME, LanternNight

from companion.testing.laws import LAWS, first_finding
from tests.worlds.lantern_night import on_the_shelf


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    with on_the_shelf():
        yield


def test_a_game_that_raises_while_it_is_played_is_told_law_by_law() -> None:
    def explode(_state: Any, _event: Any) -> Any:
        return {}[8]

    first, *others = LanternNight.rows
    rows = (msgspec.structs.replace(first, change=explode), *others)
    rulebook: Any = type("Raising", (LanternNight,), {"rows": rows})
    game = msgspec.structs.replace(GAME, rulebook=rulebook)
    found = [first_finding(game, law, range(2)) for law in LAWS]
    assert found
    for finding in found:
        assert finding is not None
        assert "KeyError: 8" in finding
        assert "\n" not in finding
