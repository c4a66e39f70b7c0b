"""A game whose own code raises is told so, law by law, and no check ends in a traceback."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from lantern_night.game import GAME, LanternNight

from companion.app.game_checks import SAME, SCREENS, SIZES, check_everything
from companion.testing.laws import LAWS
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
    told = list(check_everything(msgspec.structs.replace(GAME, rulebook=rulebook), 2))
    assert [check.law for check in told][: len(LAWS) + 2] == [*LAWS, SCREENS, SIZES]
    broken = [check for check in told if check.answer == "broken"]
    assert len(broken) >= len(LAWS)
    assert "KeyError: 8" in broken[0].finding
    assert all("KeyError: 8" in check.finding or check.finding == SAME for check in broken)
    assert all("\n" not in check.finding for check in broken)
