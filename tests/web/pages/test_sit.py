"""The first page at a simulated table: one tap, and somebody plays."""

from tests.worlds.visitor import Visitor
from web.app import create_app
from web.context import AppContext


def sits_down(visitor, seat):
    """Press the one button of the page."""
    return visitor.post(f"/api/join/seats/{seat}", form="sit", page="quick_start")


def test_one_tap_on_the_first_page_leads_to_the_cards(visit):
    newcomer = visit()
    assert "Sit down as Ana" in newcomer.reads("/play")
    assert sits_down(newcomer, 1).location == "/play"
    assert newcomer.get("/play").location == "/play/1"
    assert "Your turn. Turn over a tile." in newcomer.reads("/play/1")


def test_the_next_visitor_is_offered_the_next_seat(visit):
    ana, newcomer, late = visit(1), visit(), visit()
    assert ana.get("/play").location is None, "her own cards"
    assert "Sit down as Ben" in newcomer.reads("/play")
    assert "Sit down as Ben" in late.reads("/play")
    assert sits_down(newcomer, 2).status_code == 303
    answer = sits_down(late, 2)
    assert answer.status_code == 409
    assert "Seat 2 is taken" in answer.text
    assert "Sit down as Cleo" in answer.text


def test_a_full_table_lets_a_visitor_ask_for_a_seat(visit, evening):
    for seat in (1, 2, 3):
        visit(seat)
    late = visit()
    assert late.get("/play").location == "/"
    assert "Seat 3 is taken" in sits_down(late, 3).text


def test_the_language_is_chosen_on_the_first_page(visit):
    newcomer = visit()
    assert (
        newcomer.post("/api/join/language", page="quick_start", language="de").location == "/play"
    )
    assert 'lang="de"' in newcomer.get("/play").text.partition("<head>")[0]


def test_a_real_table_has_no_such_page(evening, seats):
    assert (
        Visitor(create_app(AppContext(evening.host.table, seats))).get("/play").status_code == 404
    )
