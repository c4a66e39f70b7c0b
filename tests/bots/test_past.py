"""The public past that bots learn from: as the history has it, after undo and restart, too."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import Simulation, build_simulation
from companion.bots.past import PublicPast
from companion.core.events import Opened
from companion.core.table_events import Undone
from companion.games import game_names, make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR
from hardware.simulator.hands_on_table import StillClock


def play_rounds(folder: Path, game: str, rounds: int, follow: PublicPast) -> Simulation:
    """Bots alone at a table without readers, until so many rounds are over."""
    journal, seats = Journal(folder / "journal.sqlite3"), Seats(open_house=True)
    room, company = SimulatedRoom("phones-only", StillClock()), Lineup(NAMES[:3], 7, persons_seat=0)
    evening = build_simulation(make_rulebook(game), journal, room, company, seats)
    evening.bots.deal_again()
    while evening.host.table.state.hands.round <= rounds:
        assert evening.bots.play_one()
        follow.follow(evening.host.table.history)
    return evening


def heard(evening: Simulation) -> Sequence[Any]:
    """The verdicts of the game, read from its history at once."""
    return PublicPast().follow(evening.host.table.history)


@pytest.mark.parametrize("game", game_names())
def test_followed_step_by_step_or_read_at_once_it_is_the_same(tmp_path: Path, game: str) -> None:
    past = PublicPast()
    evening = play_rounds(tmp_path, game, 3, past)
    followed = past.follow(evening.host.table.history)
    assert followed == heard(evening)
    assert len(followed) == 3
    assert followed[-1] == evening.host.table.view().public.verdict


def test_what_was_undone_was_never_heard(tmp_path: Path) -> None:
    past = PublicPast()
    evening = play_rounds(tmp_path, "robby_solo", 2, past)
    table = evening.host.table
    opened = next(m.at for m in reversed(table.history.moments) if isinstance(m.event, Opened))
    while table.history.moments[-1].at > opened:
        assert table.request(Undone(table.history.moments[-1].at), HOST_AUTHOR) is None
    assert table.request(Undone(opened), HOST_AUTHOR) is None
    assert len(past.follow(table.history)) == 1
    assert past.follow(table.history) == heard(evening)


def test_another_game_begins_without_a_past(tmp_path: Path) -> None:
    past = PublicPast()
    evening = play_rounds(tmp_path, "robby_solo", 2, past)
    assert evening.bots.change_game("robby_solo", 4) is None
    assert list(past.follow(evening.host.table.history)) == []
