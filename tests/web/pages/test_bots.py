"""Bots at a simulated table: how fast they play, from which seats, and bear with people."""

import pytest

from companion.app.default_players import NAMES
from companion.core import commitment
from tests.worlds.presence_profile import presence_profile
from tests.worlds.simulated_hands import does, faces, looks, spots
from tests.worlds.visitor import NONCE


def test_a_seat_is_taken_from_a_bot_and_given_back(visit, evening):
    ana = visit(1)
    assert evening.bots.played_by_bots() == [2, 3]
    assert ana.hands("take", seat=2).status_code == 204
    assert evening.bots.played_by_bots() == [3]
    ana.seat = 2
    assert faces(evening, 2, "hand") == evening.source.pieces.hand_cards(2)
    assert ana.hands("lift", spot="hand", n=1).status_code == 204
    ana.seat = 1
    assert ana.hands("give", seat=2).status_code == 204
    assert evening.bots.played_by_bots() == [2, 3]
    assert len(spots(evening, 2)["hand"].lies) == 5
    assert ana.get("/play/2").status_code == 303


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


def test_another_game_is_laid_out_for_more_people(visit, evening):
    ana = visit(1)
    assert evening.bots.game_sizes()["robby_solo"] == (3, 6)
    assert ana.hands("seats", seats=4, game="robby_solo").status_code == 204
    view = evening.host.table.view(1)
    assert view.public.phase == "fill"
    assert evening.host.seats.names.names_of(view.public.id) == NAMES[:4]
    assert spots(evening, 1)["pile"].wanted
    assert "Robby Solo" in ana.reads("/play")
    assert evening.bots.played_by_bots() == [2, 3, 4]


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
