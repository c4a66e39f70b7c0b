"""Who gets which seat: by its button, by the host, by the phone that holds it, or by a tap."""

import pytest

from companion.core.errors import Malformed
from companion.seating.names import clean_name
from companion.seating.seats import UNHEARD_SECONDS, SeatHolder, Seats
from companion.seating.waiting import (
    ASK_SECONDS,
    LEFT,
    MAX_AWAY,
    MAX_GUESTS,
    NEWS_SECONDS,
    PASSED_ON,
)
from tests.worlds.hand_clock import HandClock


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def seats(clock: HandClock) -> Seats:
    return Seats(clock=clock)


def names(seats: Seats) -> list[str]:
    return [guest.name for guest in seats.waiting_guests()]


# By the button.


def test_the_one_who_waits_gets_the_seat_whose_button_is_pressed(seats):
    seats.wait_for_press("a", "Ana")
    assert seats.handle_press(3)
    assert (seats.seats_of("a"), seats.holder_names(), seats.waiting_guests()) == (
        (3,),
        {3: "Ana"},
        (),
    )


def test_of_several_who_wait_the_first_who_says_yes_was_it(seats):
    seats.wait_for_press("a", "Ana")
    seats.wait_for_press("b", "Ben")
    assert seats.handle_press(3)
    assert (seats.asked_seats("a"), seats.asked_seats("b"), seats.taken_seats()) == (
        (3,),
        (3,),
        frozenset(),
    )
    assert seats.answer_press("b", 3, yes=True) is None
    assert seats.holder_of(3) == "b"
    assert seats.answer_press("a", 3, yes=True).code == "not_asked"
    assert seats.handle_press(4), "now only Ana waits"
    assert seats.holder_of(4) == "a"


def test_a_press_is_asked_about_for_half_a_minute(seats, clock):
    seats.wait_for_press("a", "Ana")
    seats.wait_for_press("b", "Ben")
    seats.handle_press(3)
    clock.now = ASK_SECONDS - 1
    seats.expire_guests()
    assert seats.asked_seats("a") == (3,)
    clock.now = ASK_SECONDS
    assert seats.answer_press("a", 3, yes=True).code == "not_asked"
    assert seats.taken_seats() == frozenset()


def test_a_press_gives_no_seat_away_that_the_host_has_filled_since(seats):
    seats.claim_seat(1, "cleo")
    for name in ("Ana", "Ben"):
        seats.wait_for_press(name, name)
    seats.handle_press(3)
    seats.swap_seats(1, 3)
    assert seats.answer_press("Ana", 3, yes=True).code == "not_asked"


def test_a_press_is_for_the_game_while_the_phone_of_the_seat_is_looked_at(seats):
    seats.wait_for_press("old", "Ana")
    seats.handle_press(2)
    seats.count_open_page("old", +1)
    seats.ask_for_seat("thief", 2, "Ana")
    assert not seats.handle_press(2)
    seats.count_open_page("old", -1)
    assert seats.handle_press(2)
    assert seats.seats_of("thief") == (2,)


def test_another_seat_comes_in_addition_only_if_that_was_asked(seats):
    seats.wait_for_press("a", "Ana")
    seats.handle_press(1)
    seats.wait_for_press("a", "Ben", keep_others=True)
    seats.handle_press(2)
    assert seats.seats_of("a") == (1, 2)
    seats.wait_for_press("a", "Cleo")
    seats.handle_press(3)
    assert seats.seats_of("a") == (3,)


# By the host, and by the phone that holds the seat.


def test_the_host_gives_a_seat_to_a_guest_by_number(seats):
    seats.wait_for_press("a", "Ana")
    (ana,) = seats.waiting_guests()
    assert seats.give_seat(4, ana.number) is None
    assert seats.seats_of("a") == (4,)
    assert seats.give_seat(5, ana.number).code == "guest_gone"


def test_a_phone_keeps_its_seat_and_whoever_asked_is_told(seats):
    seats.wait_for_press("old", "Ana")
    seats.handle_press(2)
    seats.ask_for_seat("new", 2, "Ana")
    (asking,) = seats.guests_asking_for(2)
    assert seats.answer_seat_request(2, asking.number, yes=False) is None
    assert seats.guest_of("new").kept == 2
    assert not seats.handle_press(2), "nobody asks for it any more"
    assert seats.answer_seat_request(2, asking.number, yes=False).code == "guest_gone"


def test_in_an_open_house_a_tap_does_and_elsewhere_it_does_not(seats):
    assert seats.take_seat(2, "a").code == "press_button"
    assert Seats(open_house=True).take_seat(2, "a") is None


# Waiting.


def test_only_so_many_wait(seats):
    for n in range(MAX_GUESTS):
        assert seats.wait_for_press(f"browser {n}", f"Guest {n}") is None
    assert seats.wait_for_press("one more", "Zoe").code == "too_many_guests"
    assert seats.wait_for_press("browser 3", "Another name") is None


def test_a_guest_whose_page_is_closed_is_forgotten_after_a_while(seats, clock):
    seats.wait_for_press("a", "Ana")
    seats.wait_for_press("b", "Ben")
    seats.count_open_page("b", +1)
    clock.now = MAX_AWAY
    seats.expire_guests()
    assert names(seats) == ["Ben"]
    clock.now = MAX_AWAY + 10
    seats.count_open_page("b", -1)
    clock.now += MAX_AWAY - 1
    seats.expire_guests()
    assert names(seats) == ["Ben"], "the time runs since the page was closed"
    clock.now += 1
    seats.expire_guests()
    assert names(seats) == []


def test_everybody_hears_of_a_change_and_of_nothing_else(seats, clock):
    told: list[int] = []
    seats.watch(lambda: told.append(len(seats.waiting_guests())))
    seats.handle_press(1)
    seats.expire_guests()
    seats.wait_for_press("a", "Ana")
    seats.wait_for_press("b", "ana")
    clock.now = MAX_AWAY
    seats.expire_guests()
    assert told == [1, 0]


# From hand to hand.


@pytest.fixture
def open_house(clock: HandClock) -> Seats:
    """An open house: Ana at seat 1 with a page open, Ben at seat 2 with none."""
    seats = Seats(open_house=True, clock=clock)
    seats.take_seat(1, "ana")
    seats.take_seat(2, "ben")
    seats.count_open_page("ana", +1)
    return seats


def test_a_seat_is_unheard_after_a_minute_without_an_open_page(open_house, clock):
    clock.now += UNHEARD_SECONDS - 1
    assert open_house.unheard_seats() == frozenset()
    clock.now += 1
    assert open_house.unheard_seats() == {2}


def test_the_screen_beside_a_phone_claims_no_other_seat(open_house, clock):
    open_house.ask_for_seat("phone", 1, "Ana")
    (guest,) = open_house.guests_asking_for(1)
    open_house.answer_seat_request(1, guest.number, yes=True, beside=True)
    clock.now += UNHEARD_SECONDS
    assert 2 in open_house.unheard_seats()
    assert open_house.take_seat(2, "ana", keep_others=True).code == "seat_taken"


def test_only_a_newcomer_claims_an_unheard_seat(open_house, clock):
    assert open_house.take_seat(2, "cleo").code == "seat_taken"
    clock.now += UNHEARD_SECONDS
    assert open_house.take_seat(2, "ana").code == "seat_taken", "who sits has seen a hand already"
    assert open_house.take_seat(2, "ana", keep_others=True).code == "seat_taken"
    assert open_house.take_seat(2, "cleo", name="Ben") is None
    assert open_house.holder_of(2) == "cleo"
    assert open_house.take_seat(2, "ben").code == "seat_taken"


def test_the_phone_that_lost_its_seat_is_told_why_until_it_has_one(open_house, clock):
    clock.now += UNHEARD_SECONDS
    open_house.take_seat(2, "cleo")
    former = open_house.handovers.former_seat("ben")
    assert (former.seat, former.reason) == (2, "unheard")
    assert open_house.handovers.former_seat("cleo") is None
    open_house.take_seat(3, "ben")
    assert open_house.handovers.former_seat("ben") is None


def test_an_offered_seat_is_taken_by_the_next_newcomer_even_where_buttons_decide(clock):
    seats = Seats({2: SeatHolder("ben")}, clock=clock)
    seats.offer_seat(2)
    assert seats.holder_of(2) == "ben", "until then its phone plays on"
    assert seats.take_seat(2, "cleo") is None
    assert (seats.holder_of(2), seats.handovers.offered) == ("cleo", frozenset())
    assert seats.handovers.former_seat("ben").reason == "given"
    assert seats.take_seat(2, "dora").code == "seat_taken"


def test_everyone_is_told_of_a_change_of_hands_for_a_while(open_house, clock):
    assert open_house.handovers.news == {}, "who comes in has changed nothing"
    told: list[object] = []
    open_house.watch(lambda: told.append(dict(open_house.handovers.news)))
    open_house.free_seat(2)
    open_house.take_seat(2, "cleo")
    open_house.swap_seats(1, 2)
    assert told == [{2: LEFT}, {2: PASSED_ON}, {1: PASSED_ON, 2: PASSED_ON}]
    clock.now += NEWS_SECONDS
    open_house.expire_guests()
    assert told[-1] == {}


def test_watchers_learn_when_a_seat_is_not_heard_any_more(open_house, clock):
    told: list[object] = []
    open_house.watch(lambda: told.append(open_house.unheard_seats()))
    clock.now += UNHEARD_SECONDS
    for _ in range(3):
        open_house.expire_guests()
    assert told == [{2}]


# Names.


@pytest.mark.parametrize("other", ["ana", "ANA", "Ａｎａ", " Ana ", "Ana\ufe0f"])
def test_two_names_that_are_heard_alike_are_one(seats, other):
    assert seats.wait_for_press("a", "Ana") is None
    assert seats.wait_for_press("b", clean_name(other)).code == "name_taken"
    seats.handle_press(1)
    assert seats.wait_for_press("b", clean_name(other)).code == "name_taken", "she sits now"


@pytest.mark.parametrize(
    "name",
    ["Zoë", "李小龙", "Дмитрий", "नेहा", "Łukasz 2", "🦊", "O’Neill", "Ana ❤\ufe0f", "M" * 24],
)
def test_people_are_called_by_their_names(name):
    assert clean_name(f"  {name}\t") == name


TRICKS = ["A\u202ena", "A\u200bna", "A\0na", "\u0301", "A" + "\u0336" * 9]
TRICKS += ["\u3164", "\u2800", "\u115f", "Ana\u034f", "Ana\ufe01", "\ufe0f", "Ana\U000e0100"]


@pytest.mark.parametrize("trick", TRICKS)
def test_invisible_characters_are_no_part_of_a_name(trick):
    with pytest.raises(Malformed, match="signs that everyone can see"):
        clean_name(trick)
