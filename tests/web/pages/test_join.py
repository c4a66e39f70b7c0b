"""Somebody comes to the table, says a name, and gets a seat."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.core.table_events import Ended
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.empty_table import Hall
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import simulated
from tests.worlds.visitor import Visitor
from web.app import create_app
from web.context import AppContext
from web.rendering.invite import create_invite

FAR = ("http://192.168.1.7:8000/", "http://pi.local:8000/")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A table with buttons, before the first game."""
    hall = Hall(tmp_path / "hall.sqlite3", addresses=FAR)
    yield hall
    hall.journal.close()


# At a game that is under way, in an open house.


def test_a_free_seat_is_taken_and_the_phone_page_follows(visit):
    ana = visit()
    answer = ana.sits(1)
    assert answer.status_code == 204
    assert "Your turn. Turn over a tile." in ana.reads("/phone")
    assert "this is you" in ana.reads("/")


def test_taking_another_seat_frees_the_first(visit, seats):
    ana = visit(1)
    ana.sits(2)
    assert seats.taken_seats() == {2}


def test_a_seat_of_a_larger_game_is_nobodys_in_a_smaller_one(visit, evening):
    cleo = visit(3)
    assert "Cleo" in cleo.reads("/phone")
    assert evening.host.table.request(Ended(), HOST_AUTHOR) is None
    assert evening.host.begin_game(NewGame("bankueberfall", NAMES[:2])) is None
    assert cleo.get("/phone").location == "/phone/elsewhere"
    assert "Where do you sit?" in cleo.reads("/")
    assert cleo.sits(2).status_code == 204
    assert "Ben" in cleo.reads("/phone")


# Before the first game, at a table with buttons.


def test_a_name_is_never_read_as_a_tag(hall):
    hall.guest("<b>Ana</b>")
    hall.seats.handle_press(1)
    page = hall.guest().get("/").text
    assert "&lt;b&gt;Ana" in page
    assert "<b>Ana" not in page


# A seat moves to another phone.


@pytest.fixture
def moving(hall: Hall) -> tuple[Hall, Visitor, Visitor, int]:
    """Ben plays from his old phone, and his new one asks for the seat."""
    old, new = hall.guest("Ben"), hall.guest()
    hall.seats.handle_press(2)
    hall.begin()
    assert new.post("/api/join/seats/2/guests").status_code == 204
    (guest,) = hall.seats.guests_asking_for(2)
    return hall, old, new, guest.number


def test_the_old_phone_gives_the_seat_away(moving):
    _, old, new, guest = moving
    assert "Another phone plays from there." in new.reads("/")
    to = f"/api/join/seats/2/guests/{guest}"
    assert new.post(to, answer="yes").status_code == 403, "not with its own consent"
    assert old.post(to, answer="yes").status_code == 204
    assert (old.get("/phone").location, new.get("/phone").location) == ("/", "/phone/2")


def test_a_phone_gives_its_seat_to_nobody_who_did_not_ask(moving):
    hall, old, _, _ = moving
    hall.guest("Dora")
    dora = hall.seats.waiting_guests()[-1].number
    assert old.post(f"/api/join/seats/2/guests/{dora}", answer="yes").status_code == 409
    assert len(hall.seats.seats_of(hall.seats.holder_of(2))) == 1


def test_no_page_and_no_answer_names_a_browser(moving):
    hall, old, new, _ = moving
    secret = hall.seats.holder_of(2)
    for visitor in (old, new, hall.guest("Dora")):
        for page in ("/", "/table", "/api/join", "/phone/2"):
            assert secret not in visitor.get(page).text


# The cookie.


def test_the_cookie_is_signed_for_pages_only_lasts_and_stays_on_this_site(hall):
    cookie = Visitor(hall.app).get("/").headers["Set-Cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=Lax", "Max-Age=", "Path=/"))
    assert "Expires=" not in cookie


def test_a_cookie_that_was_tampered_with_is_nobodys(visit):
    ana, stranger = visit(1), visit()
    value = ana.client.get_cookie("companion").value
    stranger.client.set_cookie("companion", value[:-2] + "xx")
    assert stranger.get("/phone").location == "/"


@pytest.mark.parametrize(
    "what", [("guests", {"name": "Ana"}), ("seats/2/guests", {}), ("seats/2", {})]
)
def test_a_browser_that_keeps_no_cookies_is_told_so_and_gets_nothing(hall, what):
    hall.begin()
    hall.seats.open_house = True
    to, fields = what
    visitor = Visitor(hall.app)
    visitor.client = hall.app.test_client(use_cookies=False)
    answer = visitor.post(f"/api/join/{to}", **fields)
    assert answer.status_code == 403
    assert "This browser keeps no cookies" in answer.text
    assert (hall.seats.waiting_guests(), hall.seats.taken_seats()) == ((), frozenset())


# The invitation.


def test_phones_are_invited_by_number_and_by_name():
    found = create_invite(FAR, "en")
    assert found.addresses == FAR
    assert f"<title>QR code of {FAR[0]}</title>" in found.svg


def test_a_table_on_localhost_shows_no_qr_code():
    assert [create_invite((f"http://{h}:1/",), "en").svg for h in ("127.0.0.1", "localhost")] == [
        "",
        "",
    ]
    assert create_invite((), "en") is None


# From the wires to the page.


def test_a_button_that_is_pressed_at_the_table_pairs_a_phone(tmp_path):
    journal, seats = closed_later(Journal(tmp_path / "j.sqlite3")), Seats()
    evening = simulated(journal, seats=seats, persons_seat=1)
    evening.bots.deal_again()
    ben = Visitor(create_app(AppContext(evening.host.table, seats, evening.controls)))
    ben.get("/")
    ben.post("/api/join/seats/2/guests")
    assert "Press the button at seat 2." in ben.reads("/")
    evening.source.tabletop.press_button(2)
    evening.source.poll()
    assert ben.get("/phone").location == "/phone/2"
    evening.source.close()
    journal.close()
