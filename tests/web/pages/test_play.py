"""The simulated table: free hands move pieces, readers see them, bots play on, faults are made.

A seat may play from a phone of its own, beside the screen with its cards.
"""

import time

import pytest

from companion.core import commitment
from tests.worlds.journal_lines import every_line
from tests.worlds.presence_profile import presence_profile
from tests.worlds.simulated_hands import does, faces, looks, spots
from tests.worlds.visitor import NONCE, Visitor


def lays(visitor, evening, spot, to, n=1):
    """Lift the nth piece of a spot and put it down somewhere."""
    assert visitor.hands("lift", spot=spot, n=n).status_code == 204
    assert visitor.hands("put", spot=to).status_code == 204
    looks(evening)


def turn_tile(ana, evening):
    lays(ana, evening, "tiles", "place-8", len(spots(evening, 1)["tiles"].lies))
    assert evening.host.table.view().public.phase == "place"


def test_a_card_laid_at_a_bank_leaves_the_hand(visit, evening, journal):
    ana = visit(1)
    turn_tile(ana, evening)
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


@pytest.mark.parametrize("phase", ["spy", "reveal"])
def test_a_card_that_was_laid_just_now_can_be_turned_over_at_once(visit, evening, phase):
    ana, ben = visit(1), visit(2)
    turn_tile(ana, evening)
    ana.hands("lift", spot="hand", n=1)
    looks(evening)
    ana.hands("put", spot="place-4")
    looks(evening, 0.3)
    assert ben.asks("tile_turned", tile=phase).status_code == 204
    assert evening.host.table.view().public.phase == phase
    assert ben.hands("turn", spot="place-4", n=2).status_code == 204
    for _ in range(10):
        looks(evening, 0.3)
    assert evening.host.table.view().public.phase == "tile"


@pytest.mark.parametrize(
    ("act", "fields", "says"),
    [
        ("lift", {"spot": "hand-2", "n": 1}, "This cannot be moved now"),
        ("lift", {"spot": "hand", "n": 6}, "This cannot be moved now"),
        ("lift", {"spot": "pile", "n": 1}, "This cannot be moved now"),
        ("lift", {"spot": "cellar", "n": 1}, "This cannot be moved now"),
        ("put", {"spot": "place-1"}, "This cannot be moved now"),
        ("turn", {"spot": "hand", "n": 1}, "This cannot be moved now"),
        ("faults", {"fault": "cable", "at": 9}, "No reader lies at place 9 of this table."),
        ("faults", {"fault": "stack", "at": 8}, "No card lies at place 8"),
        ("faults", {"fault": "bounce", "at": 9}, "Seat 9 has no button at this table."),
        ("seats", {"seats": 7}, "is for 2 to 5 players, not 7."),
        ("take", {"seat": 2}, "Seat 2 is taken"),
        ("take", {"seat": 4}, "No one plays at seat 4."),
        ("give", {"seat": 2}, "This browser does not play from seat 2."),
    ],
)
def test_an_impossible_gesture_is_refused_in_a_sentence(visit, evening, act, fields, says):
    ana, _ben = visit(1), visit(2)
    answer = ana.hands(act, **fields)
    assert answer.status_code == 409, answer.text
    assert says in answer.text


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


def breaks(visitor, evening, fault, at=0, on=True):
    """Break something on purpose, or mend it."""
    asked = {"key": f"{fault}-{at}-{on}", "fault": fault, "at": at, "on": on}
    assert visitor.tells(f"/api/play/{visitor.seat}/faults", asked).status_code == 204
    looks(evening, 4)


def test_the_plug_is_pulled_once_the_answer_is_out(visit, evening):
    pulled = []
    evening.faults._restart = lambda: pulled.append(1)
    evening.host.clock = lambda: now
    ana, now = visit(1), time.monotonic()
    breaks(ana, evening, "plug", on=False)
    now += 1
    looks(evening)
    evening.faults.restart_if_due()
    assert not pulled
    breaks(ana, evening, "plug")
    assert not pulled
    now += 1
    evening.faults.restart_if_due()
    evening.faults.restart_if_due()
    assert pulled == [1]


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
