"""Somebody comes to the table, says a name, and gets a seat."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.worlds.named_table import NamedTable
from tests.worlds.visitor import Visitor


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[NamedTable]:
    """A table with buttons, before the first game."""
    with closing(NamedTable(tmp_path)) as hall:
        yield hall


def test_no_page_and_no_answer_names_a_browser(hall):
    """Ben plays from his old phone, and his new one asks for the seat."""
    old, new = hall.seat(2, "Ben"), hall.guest()
    hall.begin("Ana", "Ben", "Cleo")
    assert new.post("/api/join/seats/2/guests").status_code == 204
    secret = hall.seats.holder_of(2)
    for visitor in (old, new, hall.guest("Dora")):
        for page in ("/", "/table", "/api/join", "/phone/2"):
            assert secret not in visitor.get(page).text


@pytest.mark.parametrize(
    "what", [("guests", {"name": "Ana"}), ("seats/2/guests", {}), ("seats/2", {})]
)
def test_a_browser_that_keeps_no_cookies_is_told_so_and_gets_nothing(hall, what):
    hall.begin("Ana", "Ben", "Cleo")
    hall.seats.open_house = True
    to, fields = what
    visitor = Visitor(hall.app)
    visitor.client = hall.app.test_client(use_cookies=False)
    answer = visitor.post(f"/api/join/{to}", **fields)
    assert answer.status_code == 403
    assert "This browser keeps no cookies" in answer.text
    assert (hall.seats.waiting_guests(), hall.seats.taken_seats()) == ((), frozenset())


def test_a_guest_who_comes_late_is_told_that_every_seat_is_taken(hall):
    hall.begin("Ana", "Ben", "Cleo")
    hall.seat(1, "Ana")
    hall.seat(2, "Ben")
    late = hall.guest()
    assert "Where do you sit?" in late.get("/").text
    hall.seat(3, "Cleo")
    page = late.get("/").text
    assert "Every seat is taken." in page
    assert "Where do you sit?" not in page


def test_everyone_is_told_who_goes_and_that_another_phone_plays_on(hall):
    ana, everyone = hall.seat(1, "Ana"), hall.guest()
    hall.begin("Ana", "Ben", "Cleo")
    hall.seats.offer_seat(1)
    assert "The next guest can take your seat. Until then you play on." in ana.reads("/phone/1")
    going = "Ana has to go: the next guest can take seat 1 and play on."
    assert going in everyone.reads("/table")
    hall.seats.free_seat(1)
    assert "Ana has left: seat 1 is free." in hall.seat(2, "Ben").reads("/phone/2")
    hall.seat(1, "Dora")
    assert "Another phone plays on in seat 1 (Ana)." in everyone.reads("/table")
