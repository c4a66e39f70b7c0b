"""The room of a simulated table outlives the program, with each box for itself."""

import stat
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.simulation import Simulation
from companion.journal import Journal
from tests.worlds.simulated_hands import deal, simulated


def evening(folder: Path, journal: Journal, game: str) -> Simulation:
    return simulated(journal, game, players=NAMES[:4], memory=folder)


def plays_on(made: Simulation, moments: int = 12) -> None:
    for _ in range(400):
        if made.host.table.version > moments:
            return
        if not made.bots.play_one():
            made.source.tabletop.pass_time(0.5)
            made.source.poll()
    pytest.fail(f"stuck at moment {made.host.table.version}")


def test_each_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        for game in ("bankueberfall", "bankueberfall", "banque_fatale", "bankueberfall"):
            again = evening(tmp_path, journal, game)
            if not again.source.resumed:
                assert deal(again) is None
            plays_on(again, again.host.table.version + 8)
            again.source.wires.close()
        assert [game.game for game in journal.list_games()] == ["bankueberfall", "banque_fatale"]


@pytest.mark.parametrize("spoilt", ["", "{", "[]", "{}"])
def test_what_cannot_be_read_is_made_anew_for_its_owner_only(tmp_path: Path, spoilt: str) -> None:
    memory = tmp_path / "simulated-robby_solo.json"
    memory.write_text(spoilt)
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        made = evening(tmp_path, journal, "robby_solo")
        assert not made.source.resumed
        assert deal(made) is None
        plays_on(made)
        made.source.wires.close()
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
