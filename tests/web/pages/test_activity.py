"""What goes on at the table besides the game, on every page, and the buttons that settle it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.i18n import LANGUAGES, get_language
from companion.seating.seats import Seats
from tests.worlds.visitor import Visitor
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext


@pytest.fixture
def table_with_fives(tmp_path: Path) -> Iterator[Watched]:
    """Three players; a card lies at each bank."""
    made = Watched(tmp_path / "journal.sqlite3")
    for bank in range(1, 6):
        made.lay("5", bank)
    yield made
    made.journal.close()


@pytest.fixture
def visit(table_with_fives: Watched) -> Callable[..., Visitor]:
    app = create_app(AppContext(table_with_fives.table, Seats(open_house=True)))

    def come(seat: int = 0, scripts: bool = False) -> Visitor:
        visitor = Visitor(app, scripts)
        if seat:
            visitor.sits(seat)
        return visitor

    return come


def form(page: str, name: str) -> str:
    """The form of this name, from its first field to its end."""
    at = re.search(f'name="(form|do)" value="{name}"', page).start()
    return page[at:].split("</form>", maxsplit=1)[0]


PAGES = ("/", "/phone", "/table")


# To-dos.


def test_every_page_states_what_is_to_be_put_right(visit, table_with_fives):
    table_with_fives.clear(3)
    ana = visit(1)
    for page in PAGES:
        assert "Bank 3: 1 card should lie there and cannot be seen." in ana.reads(page)
    assert "The cards are right" in ana.reads("/phone")
    assert "The cards are right" not in ana.reads("/table")
    assert "The cards are right" not in ana.reads("/")


@pytest.mark.parametrize(("way", "lying"), [("cards", 0), ("log", 1), ("hand", 1)])
def test_a_difference_is_settled_in_one_of_three_ways(visit, table_with_fives, way, lying):
    table_with_fives.clear(3)
    ana = visit(1)
    choice = json.dumps({"place": 3, "way": way})
    answer = ana.sends(do="settled", choice=choice, form="settled 3 missing 1")
    assert (answer.status_code, answer.location) == (303, "/phone/1")
    assert len(table_with_fives.state.banks[2]) == lying
    assert "Bank 3: 1 card" not in ana.reads("/phone")
    assert table_with_fives.written()[-1][0] == "phone 1"


def test_a_place_by_hand_is_named_and_the_way_back_is_offered(visit, table_with_fives):
    table_with_fives.settle(3, "hand")
    ana = visit(1)
    for page in PAGES:
        assert "Bank 3 has no reader: tap there." in ana.reads(page)
    ana.asks("settled", place=3, way="reader")
    assert "has no reader" not in ana.reads("/phone")


def test_a_table_without_any_reader_is_not_told_so(visit, table_with_fives):
    for bank in range(1, 5):
        table_with_fives.lose(bank)
    assert "Bank 4 has no reader" in visit().reads("/table")
    table_with_fives.lose(5)
    assert "has no reader" not in visit().reads("/table")


# The judge.


def test_the_judge_stops_the_game_on_every_page_until_the_table_goes_on(visit, table_with_fives):
    table_with_fives.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table_with_fives.close(1, 2, 0).show(1, 2, 0)
    ana, ben = visit(1), visit(2)
    assert ben.asks("frozen", seat=3).status_code == 303
    for page in PAGES:
        assert "Ben has called the judge: the game is paused" in ana.reads(page)
    phone = ana.get("/phone").text
    assert re.search(r'<details id="steps-\d+-judged" open>.*id="ask"', phone, re.DOTALL)
    answer = ana.asks("bank_refilled", bank=2)
    assert "the game is paused until the table goes on" in answer.text
    assert ana.asks("thawed").status_code == 303
    assert "has called the judge" not in ana.reads("/phone")


def test_a_game_that_the_table_ended_says_so_and_asks_for_nothing(visit, table_with_fives):
    table_with_fives.do(0, "ended")
    ana = visit(1)
    for page in PAGES:
        assert "The table has ended this game." in ana.reads(page)
    assert "Turn a tile" not in ana.reads("/phone")
    assert "Waiting for" not in visit(2).reads("/phone")
    assert ana.asks("ended").status_code == 409


# Trouble.


def test_a_clock_that_was_set_back_is_stated_on_every_page(visit, table_with_fives):
    table_with_fives.now = -9_000.0
    table_with_fives.do(1, 'tile_turned seat=1 tile="place"')
    ana = visit(1)
    for page in PAGES:
        assert "The clock was set back by" in ana.reads(page)


# The log.


def test_the_log_tells_the_last_moments_and_through_what_they_came(visit, table_with_fives):
    table_with_fives.do(1, 'tile_turned seat=1 tile="place"')
    table_with_fives.lay("thief", 4)
    page = visit(2).reads("/phone")
    assert "Ana turns the tile Placement. phone 1" in page
    assert "Ana lays a card at bank 4. reader 4" in page


def test_a_moment_is_struck_out_for_eyes_and_ears(visit, table_with_fives):
    table_with_fives.do(1, 'tile_turned seat=1 tile="place"')
    target = table_with_fives.table.version
    ben = visit(2)
    assert "Undo" in form(ben.get("/phone").text, f"undone {target}")
    assert ben.asks("undone", target=target).status_code == 303
    page = ben.get("/phone").text
    assert "struck out:</span> <s>Ana turns the tile Placement.</s>" in page
    assert f'value="undone {target}"' not in page
    assert f"Moment {target} is struck out. phone 2" in ben.reads("/phone")
    assert "The last change" in visit().reads("/table")


def test_a_final_moment_has_no_undo_button(visit, table_with_fives):
    table_with_fives.do(2, "frozen seat=2")
    assert f'value="undone {table_with_fives.table.version}"' not in visit(1).get("/phone").text


def test_a_refusal_stands_at_the_form_of_its_moment(visit, table_with_fives):
    table_with_fives.do(1, 'tile_turned seat=1 tile="place"')
    target, ana = table_with_fives.table.version, visit(1)
    reason = json.dumps("x" * 121)
    answer = ana.sends(do="undone", target=str(target), reason=reason, form=f"undone {target}")
    said = "A reason is one line of at most 120 characters."
    assert answer.status_code == 409
    assert said in form(answer.text, f"undone {target}")
    assert answer.text.count(said) == 1
    assert '<details class="log felt" id="log" open>' in answer.text


def test_a_refusal_whose_form_is_gone_is_not_lost(visit):
    answer = visit(1).sends(do="undone", target="99", form="undone 99")
    assert (
        "There is no moment 99 in this game" in answer.text.split('id="aside"')[1].split("</p>")[0]
    )


def test_every_page_states_the_debts_after_an_undo(visit, table_with_fives):
    table_with_fives.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table_with_fives.close(3, 0, 0).show(3, 0, 0)
    ana, before = visit(1), table_with_fives.state.players
    assert before[0].coins == 13
    ana.asks("undone", target=table_with_fives.table.version)
    for page in PAGES:
        assert "Ana gives back 3 coins." in ana.reads(page)


# Requests.


ASKED = "/api/seats/1/requests"
TURNED = {"event": "tile_turned", "tile": "place"}


def tile(visitor: Visitor, tile: str, **more: object) -> object:
    return visitor.sends(do="tile_turned", tile=json.dumps(tile), **more)


def test_every_form_that_answers_a_question_takes_the_version_of_its_page(visit, table_with_fives):
    table_with_fives.clear(3)
    table_with_fives.settle(4, "hand")
    table_with_fives.do(1, "frozen seat=1")
    page = visit(1).get("/phone").text
    forms = [part.split("</form>")[0] for part in page.split('action="/api/seats/1/requests"')[1:]]
    asking = [one for one in forms if 'value="undone"' not in one]  # That is about a moment.
    assert len(asking) > 3
    assert all('<input type="hidden" name="version">' in one for one in asking)
    assert f'<data id="version" value="{table_with_fives.table.version}" hidden>' in page


def test_a_repeated_tap_counts_once(visit, table_with_fives):
    ana, at = visit(1), table_with_fives.table.version
    version = str(at)
    for _ in range(3):
        assert tile(ana, "place", version=version, key="k-1").status_code == 303
    ana.scripts = True
    assert tile(ana, "place", version=version, key="k-1").status_code == 204
    assert table_with_fives.table.version == at + 1


def test_an_answer_to_an_old_question_is_refused_with_what_is_asked_now(visit, table_with_fives):
    ana, version = visit(1, scripts=True), str(table_with_fives.table.version)
    table_with_fives.do(1, 'tile_turned seat=1 tile="place"', "card_placed seat=1 bank=1")
    table_with_fives.do(2, 'tile_turned seat=2 tile="spy"', "card_spied seat=2 bank=2 slot=1")
    answer = tile(ana, "rob", version=version)
    assert (answer.status_code, answer.json["code"]) == (409, "stale")
    assert answer.json["title"] == (
        "The table has moved on. Ana lays a card at bank 1. Ben turns the tile Spy."
        " Ben looks at card 1 at bank 2. Now: Cleo: turn over a tile."
    )


@pytest.mark.parametrize("version", ["", "-1", "1.5", "soon", "9" * 5_000, "١", 9**99, 1.5, None])
def test_a_version_that_nobody_can_read_is_refused_at_its_form(visit, table_with_fives, version):
    ana, at = visit(1), table_with_fives.table.version
    said = "The field “version” cannot be read."
    answer = tile(ana, "place", version="" if version is None else str(version))
    assert answer.status_code == 400
    assert said in form(answer.text, "tile_turned")
    answer = ana.tells(ASKED, {"event": TURNED, "version": version, "key": "k-1"})
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")
    assert (answer.json["title"], answer.json["field"]) == (said, "version")
    assert table_with_fives.table.version == at


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 65, "é", "<b>", 7, None])
def test_a_key_that_is_none_is_refused_at_its_form(visit, table_with_fives, key):
    ana, at = visit(1), table_with_fives.table.version
    said = "The key of a request is 1 to 64 letters, digits or hyphens."
    answer = ana.tells(ASKED, {"event": TURNED, "version": at, "key": key})
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")
    assert (answer.json["title"], answer.json["field"]) == (said, "key")
    answer = tile(ana, "place", key=f"<{key}>")
    assert answer.status_code == 400
    assert said in form(answer.text, "tile_turned")
    assert table_with_fives.table.version == at


def test_a_field_that_is_missing_or_too_many_is_named(visit, table_with_fives):
    ana, asked = (
        visit(1),
        {"event": TURNED, "version": table_with_fives.table.version, "key": "k-1"},
    )
    for field in asked:
        less = {name: value for name, value in asked.items() if name != field}
        answer = ana.tells(ASKED, less)
        assert answer.json["title"] == f"The field “{field}” is missing."
    answer = ana.tells(ASKED, asked | {"seat": 2})
    assert (answer.status_code, answer.json["field"]) == (400, "seat")


def test_a_key_that_was_used_for_something_else_is_refused(visit, table_with_fives):
    ana = visit(1, scripts=True)
    assert tile(ana, "place", key="k-1").status_code == 204
    answer = ana.asks("card_placed", bank=1, key="k-1")
    assert answer.json["code"] == "key_used"


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_of_it_is_said_in_every_language(visit, table_with_fives, code):
    table_with_fives.clear(3)
    table_with_fives.lay_tag("04ffffffffffff", 5)
    table_with_fives.settle(4, "hand")
    table_with_fives.do(1, "frozen seat=1")
    ana = visit(1)
    ana.post("/api/join/language", language=code)
    for todo in table_with_fives.table.view().table.todos:
        assert " ".join(get_language(code)(todo.say).split()) in ana.reads("/phone")
    english = visit(2).reads("/phone")
    said = {"has called the judge", "has no reader", "The log is right", "Undo", "the table"}
    assert {phrase for phrase in said if phrase in english} == said
    assert {phrase for phrase in said if phrase in ana.reads("/phone")} == (
        said if code == "en" else set()
    )
