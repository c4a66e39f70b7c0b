"""What pages say of places whose reader lies beside them or under them, and of covered cards."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from companion.seating.seats import Seats
from hardware.wiring import Wiring, load_profile
from tests.table.test_covered_provenance import fall_silent, open_hands, robbed_pile, show_all
from tests.worlds.presence_profile import presence_profile
from tests.worlds.simulated_hands import does
from tests.worlds.visitor import Visitor
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext

BANKS = range(1, 6)
HOLD = "Hold the card to the reader beside its place, then lay it down."


def visitors(table: Watched) -> tuple[Visitor, Visitor, Visitor]:
    """Ana, who is to lay a card, Ben, and the table screen."""
    app = create_app(AppContext(table.table, Seats(open_house=True)))
    ana, ben, screen = Visitor(app), Visitor(app), Visitor(app)
    ana.sits(1)
    ben.sits(2)
    return ana, ben, screen


@pytest.mark.parametrize(("taps", "is_said"), [(BANKS, True), ((), False)])
def test_who_lays_a_card_reads_how_and_the_table_screen_says_it(
    tmp_path: Path, taps: Iterable[int], is_said: bool
) -> None:
    table = Watched(tmp_path / "journal.sqlite3", taps=taps)
    with closing(table.journal):
        for bank in BANKS:
            (table.tap if taps else table.lay)("5", bank)
        table.lay("tile place", 8)
        ana, ben, screen = visitors(table)
        assert (HOLD in ana.reads("/phone")) is is_said
        assert (HOLD in screen.reads("/table")) is is_said
        assert HOLD not in ben.reads("/phone")


def test_the_judge_marks_the_cards_that_lay_covered(tmp_path: Path) -> None:
    table = robbed_pile(tmp_path / "journal.sqlite3")
    with closing(table.journal):
        fall_silent(table, "3", "5")
        show_all(table, open_hands(table))
        page = visitors(table)[2].get("/judge").text
        assert page.count("lay-covered") == 2
        assert page.count("it lay covered by others when it counted") == 2


class TestSimulated:
    """The simulated table names under each place how its reader listens."""

    @pytest.mark.parametrize(
        ("wiring", "beside", "under"),
        [(load_profile(), 5, 1), (presence_profile(), 0, 6)],
    )
    def test_each_reader_is_named_as_it_lies(self, visit, wiring: Wiring, beside, under):
        page = visit(1).reads("/play")
        assert page.count("reads beside it") == beside
        assert page.count("reads") == beside + under

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
