"""The page about names: everyone reads what is kept, a phone erases its own, the host all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worlds.host_browser import HostsBrowser
from tests.worlds.named_table import NAMES, NamedTable
from tests.worlds.visitor import Visitor

SEATS = ("Seat 1", "Seat 2", "Seat 3")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[NamedTable]:
    table = NamedTable(tmp_path)
    yield table
    table.switch_off()


def host_of(room: NamedTable) -> Visitor:
    return HostsBrowser(room.app).signs_in()


def test_a_stranger_reads_how_long_names_are_kept_and_which_none(room: NamedTable) -> None:
    room.play(*NAMES)
    page = Visitor(room.app).get("/names").text
    assert "for 30\u00a0days" in page
    assert "Zoë" not in page
    assert "/api/host/names/erase" not in page


def test_a_phone_erases_its_own_name_and_no_other(room: NamedTable) -> None:
    phones = [room.seat(seat, name) for seat, name in enumerate(NAMES, 1)]
    room.begin(*NAMES)
    assert "keeps a name from this phone: 1" in phones[1].get("/names").text
    said = phones[1].post("/api/names/own/erase", key="1")
    assert said.status_code == 204
    assert room.shown() == ("Zoë", "Seat 2", "Änne")
    assert not room.holds("Benedikt")
    assert "Seat 2" in phones[1].get("/phone/2").text
    assert "in no game" in phones[1].get("/names").text


def test_the_host_sees_and_erases_the_names_of_each_game(room: NamedTable) -> None:
    id = room.play(*NAMES)
    browser = host_of(room)
    page = browser.get("/names").text
    assert "Zoë, Benedikt, Änne" in page
    assert "30\u00a0days left" in page
    assert browser.post("/api/host/names/erase", key="1", game=id).status_code == 204
    assert room.shown() == SEATS
    assert "The names of no game are kept." in browser.get("/names").text


def test_only_the_host_erases_those_of_others(room: NamedTable) -> None:
    id = room.play(*NAMES)
    stranger = Visitor(room.app)
    stranger.get("/")
    assert stranger.post("/api/host/names/erase", key="1", game=id).status_code == 401
    assert stranger.post("/api/names/own/erase", key="2").status_code == 204
    assert room.shown() == NAMES


@pytest.mark.parametrize(("language", "said"), [("de", "Platz 1"), ("fr", "Place 1")])
def test_every_page_says_the_seat_in_its_language(
    room: NamedTable, language: str, said: str
) -> None:
    room.play(*NAMES)
    room.names.erase_all()
    browser = Visitor(room.app)
    texts = [
        browser.get(page, headers={"Accept-Language": language}).text
        for page in ("/", "/names", "/judge", "/judge/sheet")
    ]
    assert said in texts[0]
    assert not any(sign in text for text in texts for sign in ("①", *NAMES))
