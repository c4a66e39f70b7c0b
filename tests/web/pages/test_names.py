"""The page about names: everyone reads what is kept, a phone erases its own, the host all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worlds.named_table import NAMES, NamedTable
from tests.worlds.visitor import Visitor


@pytest.fixture
def room(tmp_path: Path) -> Iterator[NamedTable]:
    table = NamedTable(tmp_path)
    yield table
    table.switch_off()


def test_a_phone_erases_its_own_name_and_no_other(room: NamedTable) -> None:
    phones = [room.seat(seat, name) for seat, name in enumerate(NAMES, 1)]
    room.begin(*NAMES)
    assert 'id="erase-own"' in phones[1].get("/names").text
    said = phones[1].post("/api/names/own/erase", key="1")
    assert said.status_code == 204
    assert room.shown() == ("Zoë", "Seat 2", "Änne")
    assert not room.holds("Benedikt")
    assert "Seat 2" in phones[1].get("/phone/2").text


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
