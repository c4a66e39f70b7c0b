"""What pages say of places whose reader lies beside them or under them, and of covered cards."""

from contextlib import closing
from pathlib import Path

import pytest

from hardware.wiring import Wiring, load_profile
from tests.table.test_covered_provenance import fall_silent, open_hands, robbed_pile, show_all
from tests.worlds.simulated_hands import does
from tests.worlds.visitor import Visitor
from web.app import create_app
from web.context import AppContext


def test_the_judge_marks_the_cards_that_lay_covered(tmp_path: Path) -> None:
    table = robbed_pile(tmp_path / "journal.sqlite3")
    with closing(table.journal):
        fall_silent(table, "3", "5")
        show_all(table, open_hands(table))
        page = Visitor(create_app(AppContext(table.table))).get("/judge").text
        assert page.count("lay-covered") == 2
        assert page.count("it lay covered by others when it counted") == 2


class TestSimulated:
    """The simulated table names under each place what a hand has to know of its reader."""

    @pytest.mark.parametrize("wiring", [load_profile("usb")])
    def test_one_reader_is_chosen_on_the_page(self, visit, evening, wiring: Wiring):
        ana = visit(1)
        assert ana.reads("/play").count("by turns") == 6
        does(evening, 1, do="tile_turned")
        ana.asks("place_chosen", place=4)
        assert "Bank 4: hold the card to the reader now." in ana.reads("/play")
        card = evening.source.pieces.hand_cards(1)[0]
        assert does(evening, 1, do="card_placed", bank=4, card=card)
        assert [lying.card for lying in evening.host.table.state.banks[3]][1:] == [card]
