"""The simulated table: free hands move pieces, readers see them, bots play on, faults are made.

A seat may play from a phone of its own, beside the screen with its cards.
"""

import pytest

from tests.worlds.journal_lines import every_line
from tests.worlds.simulated_hands import faces, looks, spots
from tests.worlds.visitor import Visitor


def lays(visitor, evening, spot, to, n=1):
    """Lift the nth piece of a spot and put it down somewhere."""
    assert visitor.hands("lift", spot=spot, n=n).status_code == 204
    assert visitor.hands("put", spot=to).status_code == 204
    looks(evening)


def test_a_card_laid_at_a_bank_leaves_the_hand(visit, evening, journal):
    ana = visit(1)
    lays(ana, evening, "tiles", "place-8", len(spots(evening, 1)["tiles"].lies))
    card = evening.source.pieces.hand_cards(1)[2]
    lays(ana, evening, "hand", "place-4", 3)
    assert len(evening.host.table.view().public.banks[3]) == 2
    *_, line = every_line(journal)
    assert line.via == "reader 4"
    assert "face down, known to you" in ana.reads("/phone")
    assert "face down, known to you" not in visit(2).reads("/phone")
    assert faces(evening, 1, "place-4") == [None, card]
    assert faces(evening, 2, "place-4") == [None, None]
    assert len(evening.source.pieces.hand_cards(1)) == 5
    assert not evening.source.pieces.misplaced_tags()


@pytest.mark.parametrize(
    ("act", "fields", "says"),
    [
        ("lift", {"spot": "hand-2", "n": 1}, "This cannot be moved now"),
        ("lift", {"spot": "cellar", "n": 1}, "This cannot be moved now"),
        ("put", {"spot": "place-1"}, "This cannot be moved now"),
        ("turn", {"spot": "hand", "n": 1}, "This cannot be moved now"),
        ("faults", {"fault": "cable", "at": 9}, "No card of this game lies at place 9."),
        ("faults", {"fault": "stack", "at": 8}, "No card of this game lies at place 8"),
        ("faults", {"fault": "bounce", "at": 9}, "Seat 9 has no button at this table."),
        ("seats", {"seats": 7}, "is for 2 to 5 players, not 7."),
        ("take", {"seat": 2}, "Seat 2 is taken"),
        ("take", {"seat": 4}, "No one plays at seat 4."),
        ("give", {"seat": 2}, "This browser does not play from that seat."),
    ],
)
def test_an_impossible_gesture_is_refused_in_a_sentence(visit, evening, act, fields, says):
    ana, _ben = visit(1), visit(2)
    answer = ana.hands(act, **fields)
    assert answer.status_code == 409, answer.text
    assert says in answer.text


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
    assert evening.source.pieces.fingers.get(1) is None


def test_a_stranger_moves_nothing(beside, visit, evening):
    stranger = visit(2)
    stranger.post("/api/play/1/lift", spot="tiles", n=7)
    assert evening.source.pieces.fingers.get(1) is None
    assert stranger.hands("take", seat=1).status_code == 409
