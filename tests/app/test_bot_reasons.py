"""Why bots closed their hands as they did: told when the game is over, and never before."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.bot_driver import announced_verdicts
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import Simulation, build_simulation
from companion.core.events import Opened
from companion.core.i18n import LANGUAGES, get_language, seat_keys
from companion.core.table_events import Ended, Undone
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.campaign import pick
from tests.worlds.left_open import closed_later
from tests.worlds.own_games import own_games


@contextmanager
def seated(folder: Path, game: str) -> Iterator[Simulation]:
    """Bots alone at a table without readers, whose files are kept."""
    journal, seats = closed_later(Journal(folder / "journal.sqlite3")), Seats(open_house=True)
    room = SimulatedRoom("phones-only", StillClock(), memory=folder)
    company = Lineup(NAMES[:3], 7, persons_seat=0)
    evening = build_simulation(make_rulebook(game), journal, room, company, seats)
    try:
        yield evening
    finally:
        evening.source.close()
        journal.close()


@pytest.mark.parametrize("game", pick(own_games()[1:2], own_games(), own_games()))
def test_bots_tell_why_once_the_game_is_over_and_not_before(tmp_path: Path, game: str) -> None:
    with seated(tmp_path, game) as evening:
        evening.bots.deal_again()
        while not evening.host.table.history.is_over:
            assert evening.bots.reasons() == ()
            assert evening.bots.play_one()
        told = evening.bots.reasons()
        rounds = evening.host.table.state.hands.round - 1
        assert {reason.round for reason in told} == set(range(1, rounds + 1))
        assert {reason.name for reason in told} == set(seat_keys(3))
        for code in LANGUAGES:
            words = get_language(code)
            assert all(words(reason.why) and "{" not in words(reason.why) for reason in told)
        assert evening.bots.deal_again() is None
        assert evening.bots.reasons() == ()


@pytest.mark.wide
def test_what_was_thought_outlives_a_restart(tmp_path: Path) -> None:
    with seated(tmp_path, "robby_solo") as evening:
        evening.bots.deal_again()
        while evening.host.table.state.hands.round < 3:
            assert evening.bots.play_one()
    with seated(tmp_path, "robby_solo") as again:
        while not again.host.table.history.is_over:
            assert again.bots.play_one()
        assert {1, 2, 3} <= {reason.round for reason in again.bots.reasons()}


def test_of_a_hand_that_never_opened_nothing_is_told(tmp_path: Path) -> None:
    with seated(tmp_path, "robby_solo") as evening:
        evening.bots.deal_again()
        while evening.host.table.state.phase != "declare":
            assert evening.bots.play_one()
        assert evening.host.table.request(Ended(), HOST_AUTHOR) is None
        assert evening.bots.reasons() == ()


def test_what_was_undone_no_bot_has_heard(tmp_path: Path) -> None:
    with seated(tmp_path, "robby_solo") as evening:
        evening.bots.deal_again()
        table = evening.host.table
        while table.state.hands.round < 3:
            assert evening.bots.play_one()
        heard = announced_verdicts(table.history)
        assert len(heard) == 2
        assert heard[-1] == table.view().public.verdict
        opened = next(m.at for m in reversed(table.history.moments) if isinstance(m.event, Opened))
        for moment in table.history.moments[:opened:-1]:
            assert table.request(Undone(moment.at), HOST_AUTHOR) is None
        assert announced_verdicts(table.history) == heard
        assert table.request(Undone(opened), HOST_AUTHOR) is None
        assert announced_verdicts(table.history) == heard[:1]
