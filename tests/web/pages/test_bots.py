"""Bots at a simulated table: how fast they play, from which seats, and bear with people."""

import pytest

from companion.core import commitment
from tests.worlds.presence_profile import presence_profile
from tests.worlds.simulated_hands import does, looks
from tests.worlds.visitor import NONCE


@pytest.mark.parametrize("wiring", [presence_profile()])
def test_pieces_held_by_a_leaving_player_return_to_their_spots(visit, evening, seats):
    ana = visit(1)
    ana.hands("lift", spot="place-2", n=1)
    looks(evening)
    assert evening.host.table.view().table.todos
    seats.free_seat(1)
    looks(evening, 2)
    assert not evening.host.table.view().table.todos
    assert not evening.source.pieces.seats_holding()


def test_a_hand_that_its_person_left_closed_stops_nobody(visit, evening):
    evening.bots.change_game("robby_solo", 3)
    ana = visit(1)
    for bank in evening.host.table.view().public.banks:
        assert does(evening, 1, do="loot_laid", bank=bank.name)
    seal = commitment.make_seal(evening.host.table.state.id, 1, 1, "red", NONCE)
    while evening.bots.play_one():
        pass
    assert ana.asks("sealed", seal=seal).status_code == 204
    evening.bots.leave_seat(1)
    while evening.host.table.view().public.phase != "fill":
        assert evening.bots.play_one()
