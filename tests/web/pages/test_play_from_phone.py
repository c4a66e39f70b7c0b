"""Beside the cards: a seat of the simulated table may play from a real phone of its own.

Whoever gives the seat to that phone keeps moving the pieces, and has the phone back by a tap.
"""

import pytest

from tests.worlds.visitor import Visitor


@pytest.fixture
def beside(visit, seats) -> tuple[Visitor, Visitor]:
    """The screen with the cards of Ana, and the phone to which it gave her seat."""
    screen, phone = visit(1), visit()
    phone.get("/")
    assert phone.post("/api/join/seats/1/guests").status_code == 204
    (guest,) = seats.guests_asking_for(1)
    to = f"/api/join/seats/1/guests/{guest.number}"
    assert screen.post(to, answer="yes").status_code == 204
    phone.seat = 1
    return screen, phone


def test_the_phone_comes_back_by_a_tap(beside, evening):
    screen, phone = beside
    assert screen.hands("take", seat=1).status_code == 204
    assert "<iframe" in screen.get("/play").text
    assert phone.get("/phone/1").location.endswith("/phone/elsewhere")
    phone.hands("lift", spot="tiles", n=7)
    assert evening.source.pieces.held_piece(1) is None


def test_the_seat_goes_back_to_its_bot_from_either(beside, evening):
    screen, phone = beside
    assert screen.hands("give", seat=1).status_code == 204
    assert 1 in evening.bots.played_by_bots() or evening.bots.persons_seat == 1
    assert phone.get("/phone/1").location.endswith("/phone/elsewhere")
    assert screen.get("/play/1").location == "/"


def test_a_stranger_moves_nothing(beside, visit, evening):
    stranger = visit(2)
    stranger.post("/api/play/1/lift", spot="tiles", n=7)
    assert evening.source.pieces.held_piece(1) is None
    assert stranger.hands("take", seat=1).status_code == 409
