"""The checks of a game's pages: our games pass, and a game whose page breaks is caught."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lantern_night.game import GAME, LanternNight

from companion.app.page_checks import (
    BROWSERS,
    PHONES,
    NoBrowser,
    check_phone_sizes,
    check_screens,
    find_browser,
)
from companion.games import find_game, game_names
from companion.games.game import Game
from tests.worlds.lantern_night import on_the_shelf


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    with on_the_shelf():
        yield


def lantern_game(**changed: Any) -> Game:
    rulebook: Any = type("Broken", (LanternNight,), changed)
    return msgspec.structs.replace(GAME, rulebook=rulebook)


@pytest.mark.parametrize("name", [*game_names(), "lantern_night"])
def test_every_phase_of_our_games_is_on_every_page(name: str) -> None:
    assert list(check_screens(find_game(name), 1)) == []


def test_a_page_that_lacks_a_fact_is_told() -> None:
    def without_seats(self: Any, state: Any) -> Any:
        return msgspec.structs.replace(LanternNight.public_view(self, state), places=None)

    found = list(check_screens(lantern_game(public_view=without_seats), 1))
    assert found
    assert found[0].startswith("The page table (en) in the phase “light”: ")


def test_a_page_that_is_wider_than_a_phone_is_told() -> None:
    if not any(map(shutil.which, BROWSERS)):
        assert os.environ.get("CI") != "true"
        pytest.skip("there is no chromium-headless-shell: apt install chromium-headless-shell")
    now = {**LanternNight.now, "seal": "W" * 200}
    found = list(check_phone_sizes(lantern_game(now=now), 1))
    assert len(found) == len(PHONES)
    assert all("“seal”" in each for each in found)


def test_without_debians_browser_playwrights_own_is_taken_if_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "chrome"
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoBrowser):
        find_browser(str(own))
    own.touch()
    assert find_browser(str(own)) == str(own)
    debians = tmp_path / BROWSERS[0]
    debians.touch(mode=0o755)
    assert find_browser(str(own)) == str(debians)
