"""Somebody comes to the table and sits down."""

from companion.amendments import Ended
from companion.door import HOST, Author


def test_a_visitor_finds_the_seats_by_name(visit):
    page = visit().reads("/")
    assert all(name in page for name in ("Ana", "Ben", "Cleo"))


def test_a_free_seat_is_taken_and_the_phone_page_follows(visit):
    ana = visit()
    answer = ana.sits(1)
    assert (answer.status_code, answer.location) == (303, "/phone")
    assert "Ana turns a tile." in ana.reads("/phone")
    assert "this is you" in ana.reads("/")


def test_the_cookie_is_signed_for_pages_only_and_stays_on_this_site(visit):
    cookie = visit().get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_cookie_that_was_tampered_with_is_nobodys(visit):
    ana, stranger = visit(1), visit()
    value = ana.client.get_cookie("companion").value
    stranger.client.set_cookie("companion", value[:-2] + "xx")
    assert stranger.get("/phone").location == "/"


def test_a_seat_that_another_browser_holds_is_refused_in_words(visit):
    visit(1)
    answer = visit().sits(1)
    assert answer.status_code == 409
    assert "Seat 1 is taken: another browser plays from it." in answer.text


def test_whoever_takes_another_seat_leaves_the_first(visit):
    ana = visit(1)
    ana.sits(2)
    assert visit().sits(1).location == "/phone"


def test_there_is_no_fourth_seat_at_a_table_for_three(visit):
    assert visit().sits(4).status_code == 404


def test_a_seat_of_a_larger_game_is_nobodys_in_a_smaller_one(visit, evening):
    cleo = visit(3)
    assert "Cleo" in cleo.reads("/phone")
    assert evening.table.request(Ended(), Author(0, HOST)) is None
    evening.names = evening.names[:2]
    assert evening.deal() is None
    assert cleo.get("/phone").location == "/phone/elsewhere"
    assert "Ana" in cleo.reads("/")
    assert cleo.sends(do="passed").location == "/"
    assert cleo.sits(2).location == "/phone"
    assert "Ben" in cleo.reads("/phone")


def test_for_other_people_every_seat_is_free_again(visit, seats):
    ana = visit(1)
    seats.clear()
    assert ana.get("/phone").location == "/phone/elsewhere"
    assert visit().sits(1).location == "/phone"


def test_only_languages_with_a_catalogue_are_offered_and_taken(visit):
    ana = visit()
    assert ana.post("/language", language="en").status_code == 303
    assert ana.post("/language", language="tlh").status_code == 400
    assert '<html lang="en">' in ana.get("/").text
