"""Goofspiel beside OpenSpiel's: every random game comes to the same prizes and points."""

from random import Random
from typing import Any

import pytest
from goofspiel.game import GAME, PrizeTurned, resolve_bidding

from companion.core.commitment import make_seal
from companion.core.events import Opened, Sealed
from tests.worlds.campaign import pick

NAMES = ("Ana", "Ben", "Cleo", "Dan")
RULES = GAME.make_rulebook()


def test_equal_highest_cards_lose_the_prize_and_a_lower_one_does_not_win() -> None:
    assert resolve_bidding("9", {"Ana": "12", "Ben": "12", "Cleo": "3"}).winner == ""
    assert resolve_bidding("9", {"Ana": "12", "Ben": "9", "Cleo": "9"}).winner == "Ana"
    assert resolve_bidding("9", {"Ana": "2", "Ben": "13"}).winner == "Ben"


def play_both(spiel: Any, luck: Random, seats: int) -> tuple[list[int], list[int]]:
    """Play one game by both rules with the same prizes and bids; return both results."""
    other = spiel.load_game(
        f"goofspiel(players={seats},num_cards=13,points_order=random,returns_type=total_points)"
    ).new_initial_state()
    ours: Any = RULES.apply(None, RULES.make_start_event("g", NAMES[:seats]))
    while not other.is_terminal():
        prize = luck.choice(other.chance_outcomes())[0]
        other.apply_action(prize)
        bids = [luck.choice(other.legal_actions(seat)) for seat in range(seats)]
        other.apply_actions(bids)
        ours = play_round(ours, str(prize + 1), [str(bid + 1) for bid in bids])
    while ours.phase != "over":  # OpenSpiel plays the last cards by itself.
        ours = play_round(ours, ours.unseen[0], [player.suit[0] for player in ours.players])
    return [player.points for player in ours.players], [int(n) for n in other.returns()]


def play_round(state: Any, prize: str, bids: list[str]) -> Any:
    events: list[Any] = [PrizeTurned(prize)]
    seals = [make_seal("g", state.hands.round, n, bid, "0" * 32) for n, bid in enumerate(bids, 1)]
    events += [Sealed(seat, seal) for seat, seal in enumerate(seals, 1)]
    events += [Opened(seat, bid, "0" * 32) for seat, bid in enumerate(bids, 1)]
    for event in events:
        assert RULES.refuse(state, event) is None
        state = RULES.apply(state, event)
    return state


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_end_as_in_openspiel(seats: int) -> None:
    spiel = pytest.importorskip(
        "pyspiel", reason="open-spiel is not installed: the extra openspiel"
    )
    luck = Random(seats)
    for _ in range(pick(20, 667, 2_000)):
        ours, theirs = play_both(spiel, luck, seats)
        assert ours == theirs
