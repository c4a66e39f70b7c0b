"""One phone from which several play: it goes from hand to hand, and opens the hands of all."""

import pytest

from tests.worlds.visitor import NONCE, OURS


@pytest.fixture
def shared(visit):
    """Ana's phone, from which Ben plays as well."""
    phone = visit(1)
    phone.post("/api/join/seats/2", also=True)
    return phone


def test_between_two_seats_lies_a_cover_and_nothing_private(shared):
    page = shared.get("/share").text
    assert "This is for Ben alone." in page
    assert 'href="/phone/2"' in page
    assert "10\u00a0coins" not in page


def test_the_hands_of_all_seats_open_on_each_of_its_pages(shared, visit, evening):
    shared.asks("tile_turned", tile="rob")
    shared.asks("bank_chosen", bank=3)
    game = evening.host.table.state.id
    for seat in (1, 2, 3):
        phone = shared if seat < 3 else visit(3)
        phone.seat = seat
        assert phone.closes(seat, seat, game).status_code == 204
    for page in ("/share", "/phone/1", "/phone/2"):
        assert shared.client.get(page, base_url=OURS).text.count("data-open=") == 2
    assert visit(3).get("/phone").text.count("data-open=") == 0  # Another browser holds that seat.
    shared.seat = 2
    assert shared.asks("opened", value=2, nonce=NONCE).status_code == 204
    assert shared.get("/share").text.count("data-open=") == 1
