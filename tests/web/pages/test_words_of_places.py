"""What pages say of places whose reader lies beside them or under them."""

import pytest

from hardware.wiring import Wiring, load_profile
from tests.worlds.simulated_hands import does


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
