"""Why bots closed their hands as they did: told when the game is over, and never before."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import Simulation, build_simulation
from companion.core.bot_pace import Strength
from companion.core.i18n import LANGUAGES, get_language
from companion.core.table_events import Ended
from companion.games import game_names, make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.campaign import pick


@contextmanager
def seated(folder: Path, game: str, strength: Strength = "strong") -> Iterator[Simulation]:
    """Bots alone at a table without readers, whose files are kept."""
    journal, seats = Journal(folder / "journal.sqlite3"), Seats(open_house=True)
    room = SimulatedRoom("phones-only", StillClock(), memory=folder)
    company = Lineup(NAMES[:3], 7, persons_seat=0, strength=strength)
    evening = build_simulation(make_rulebook(game), journal, room, company, seats)
    try:
        yield evening
    finally:
        evening.source.close()
        journal.close()


@pytest.mark.parametrize("game", pick(game_names()[1:2], game_names(), game_names()))
def test_bots_tell_why_once_the_game_is_over_and_not_before(tmp_path: Path, game: str) -> None:
    with seated(tmp_path, game) as evening:
        evening.bots.deal_again()
        while not evening.host.table.history.is_over:
            assert evening.bots.reasons() == ()
            assert evening.bots.play_one()
        told = evening.bots.reasons()
        rounds = evening.host.table.state.hands.round - 1
        assert {reason.round for reason in told} == set(range(1, rounds + 1))
        assert {reason.name for reason in told} == set(NAMES[:3])
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


def test_the_strength_of_the_bots_is_chosen_and_changed(tmp_path: Path) -> None:
    with seated(tmp_path, "robby_solo", "weak") as evening:
        evening.bots.deal_again()
        assert {bot.strategy for bot in evening.source.game_bots} == {"weak"}
        evening.bots.set_strength("strong")
        assert evening.bots.strength == "strong"
        assert {bot.strategy for bot in evening.source.game_bots} == {"strong"}
        assert evening.bots.change_game("banque_fatale", 3) is None
        assert {bot.strategy for bot in evening.source.game_bots} == {"strong"}
