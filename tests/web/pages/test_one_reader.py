"""The one reader of a table on the pages: for which place it waits, and where that is chosen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worlds.event_story import named_seats
from tests.worlds.visitor import OURS, Visitor
from tests.worlds.watched_table import OneReader
from web.app import create_app
from web.context import AppContext

ASK = "/api/table/requests"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OneReader]:
    """Three players, a card dealt to every bank, and the tile Placement turned."""
    made = OneReader(tmp_path / "journal.sqlite3", readers=())
    for _ in range(5):
        made.hold_new("5")
    made.do(1, 'tile_turned seat=1 tile="place"')
    yield made
    made.journal.close()


def test_the_screen_of_the_table_itself_chooses_and_no_other_screen(table: OneReader) -> None:
    app = create_app(AppContext(table.table, named_seats(open_house=True)))
    screen, asked = Visitor(app), {"event": {"event": "place_chosen", "place": 4}, "version": 0}
    screen.get("/")
    far = {"REMOTE_ADDR": "192.168.1.7"}
    assert 'id="choose-place"' not in screen.get("/table", environ_overrides=far).text
    assert 'id="choose-place"' in screen.get("/table").text
    behind = {"X-Forwarded-For": "192.168.1.7", "Origin": OURS}
    sent = screen.client.post(ASK, json=asked | {"key": "k-1"}, headers=behind, base_url=OURS)
    assert (sent.status_code, table.listening()[1]) == (409, 0)
    other = screen.post(ASK, **(asked | {"event": {"event": "frozen", "seat": 1}}))
    assert (other.status_code, table.state.phase) == (409, "place")
    assert screen.post(ASK, **asked).status_code == 204
    assert table.listening()[1] == 4
    table.hold_new("x")
    assert table.last() == ("reader 4", "card_placed")
    assert [card.card for card in table.state.banks[3]] == ["5", "x"]
