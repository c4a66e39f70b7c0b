"""A seat that is offered, one that is not heard any more, and who is told of it."""

import pytest

from companion.seating.seats import UNHEARD_SECONDS, SeatHolder, Seats
from companion.seating.waiting import NEWS_SECONDS
from tests.seating.test_seats import Hours


@pytest.fixture
def clock() -> Hours:
    return Hours()


@pytest.fixture
def seats(clock: Hours) -> Seats:
    """An open house: Ana at seat 1 with a page open, Ben at seat 2 with none."""
    seats = Seats(open_house=True, clock=clock)
    seats.take_seat(1, "ana")
    seats.take_seat(2, "ben")
    seats.count_open_page("ana", +1)
    return seats


def test_a_seat_is_unheard_after_a_minute_without_an_open_page(seats, clock):
    clock.now += UNHEARD_SECONDS - 1
    assert seats.unheard_seats() == frozenset()
    clock.now += 1
    assert seats.unheard_seats() == {2}


def test_the_screen_beside_a_phone_claims_no_other_seat(seats, clock):
    seats.ask_for_seat("phone", 1, "Ana")
    (guest,) = seats.guests_asking_for(1)
    seats.answer_seat_request(1, guest.number, yes=True, beside=True)
    clock.now += UNHEARD_SECONDS
    assert 2 in seats.unheard_seats()
    assert seats.take_seat(2, "ana", keep_others=True).code == "seat_taken"


def test_only_a_newcomer_claims_an_unheard_seat(seats, clock):
    assert seats.take_seat(2, "cleo").code == "seat_taken"
    clock.now += UNHEARD_SECONDS
    assert seats.take_seat(2, "ana").code == "seat_taken", "who sits has seen a hand already"
    assert seats.take_seat(2, "ana", keep_others=True).code == "seat_taken"
    assert seats.take_seat(2, "cleo", name="Ben") is None
    assert seats.holder_of(2) == "cleo"
    assert seats.take_seat(2, "ben").code == "seat_taken"


def test_the_phone_that_lost_its_seat_is_told_why_until_it_has_one(seats, clock):
    clock.now += UNHEARD_SECONDS
    seats.take_seat(2, "cleo")
    former = seats.handovers.former_seat("ben")
    assert (former.seat, former.reason) == (2, "unheard")
    assert seats.handovers.former_seat("cleo") is None
    seats.take_seat(3, "ben")
    assert seats.handovers.former_seat("ben") is None


def test_an_offered_seat_is_taken_by_the_next_newcomer_even_where_buttons_decide(clock):
    seats = Seats({2: SeatHolder("ben")}, clock=clock)
    seats.offer_seat(2)
    assert seats.holder_of(2) == "ben", "until then its phone plays on"
    assert seats.take_seat(2, "cleo") is None
    assert (seats.holder_of(2), seats.handovers.offered) == ("cleo", frozenset())
    assert seats.handovers.former_seat("ben").reason == "given"
    assert seats.take_seat(2, "dora").code == "seat_taken"


def test_everyone_is_told_of_a_change_of_hands_for_a_while(seats, clock):
    assert seats.handovers.news == {}, "who comes in has changed nothing"
    told: list[object] = []
    seats.watch(lambda: told.append(dict(seats.handovers.news)))
    seats.free_seat(2)
    seats.take_seat(2, "cleo")
    seats.swap_seats(1, 2)
    assert told == [{2: "left"}, {2: "taken"}, {1: "moved", 2: "moved"}]
    clock.now += NEWS_SECONDS
    seats.expire_guests()
    assert told[-1] == {}


def test_watchers_learn_when_a_seat_is_not_heard_any_more(seats, clock):
    told: list[object] = []
    seats.watch(lambda: told.append(seats.unheard_seats()))
    clock.now += UNHEARD_SECONDS
    for _ in range(3):
        seats.expire_guests()
    assert told == [{2}]
