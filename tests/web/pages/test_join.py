"""Somebody comes to the table, says a name, and gets a seat."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worlds.empty_table import Hall
from tests.worlds.visitor import Visitor
from web.rendering.invite import create_invite

FAR = ("http://192.168.1.7:8000/", "http://pi.local:8000/")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A table with buttons, before the first game."""
    hall = Hall(tmp_path / "hall.sqlite3", addresses=FAR)
    yield hall
    hall.journal.close()


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


def test_no_page_and_no_answer_names_a_browser(moving):
    hall, old, new, _ = moving
    secret = hall.seats.holder_of(2)
    for visitor in (old, new, hall.guest("Dora")):
        for page in ("/", "/table", "/api/join", "/phone/2"):
            assert secret not in visitor.get(page).text


# The cookie.


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
