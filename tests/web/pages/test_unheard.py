"""A card that its reader did not hear is entered on a phone in two taps."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.seating.seats import Seats
from tests.worlds.tapping import Taps
from tests.worlds.visitor import UNHURRIED, Visitor
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext

MOST_TAPS = 2
UNFOLDS = 1
"""The tap that unfolds the form; a page without a screen has it unfolded."""
PutUp = Callable[..., tuple[Watched, Taps]]


@pytest.fixture
def put_up(tmp_path: Path) -> Iterator[PutUp]:
    """A table with a reader under each place, and the phone of the seat at turn."""
    tables: list[Watched] = []

    def put(game: str, *laid: tuple[str, int], asked: str = "") -> tuple[Watched, Taps]:
        table = Watched(tmp_path / "journal.sqlite3", game)
        tables.append(table)
        for thing, place in laid:
            table.lay(thing, place)
        if asked:
            table.do(1, asked)
        app = create_app(AppContext(table.table, Seats(open_house=True)), limits=UNHURRIED)
        visitor = Visitor(app)
        visitor.sits(table.state.active)
        return table, Taps(visitor, f"/phone/{table.state.active}")

    yield put
    for table in tables:
        table.table.close()


def test_a_card_on_a_pile_at_a_bank(put_up: PutUp) -> None:
    laid = [(card, bank) for bank, card in enumerate(("5", "2", "3", "4", "5"), 1)]
    table, phone = put_up("bankueberfall", *laid, asked='tile_turned seat=1 tile="place"')
    table.lay_unheard("5", 3)
    phone.press("Bank 3")
    assert len(table.state.banks[2]) == 2
    assert UNFOLDS + phone.n == MOST_TAPS


@pytest.mark.parametrize("bank", ["yellow", "blue"])
def test_the_first_loot_of_a_round_at_either_end_of_the_row(put_up: PutUp, bank: str) -> None:
    table, phone = put_up("robby_solo")
    forms = [form for form in phone.page.forms if bank in form[1].get("choice", "")]
    phone.page.forms = forms
    phone.press("$4,000")
    assert table.state.banks[bank] == (4000,)
    assert UNFOLDS + phone.n == MOST_TAPS


def test_loot_along_the_row(put_up: PutUp) -> None:
    table, phone = put_up("robby_solo", ("1000", 1))
    phone.press("object")
    assert table.state.banks["green"] == ("object",)
    assert UNFOLDS + phone.n == MOST_TAPS
