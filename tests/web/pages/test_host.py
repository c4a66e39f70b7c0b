"""The host signs in and decides about the whole table, in a browser."""

import html
import json
import re
from collections.abc import Callable

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.core.i18n import get_language
from companion.host.host_pass import write_pass
from companion.seating.seats import Seats
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.simulated_hands import does
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import Visitor
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.scene import Screen


@pytest.fixture
def app(evening: Simulation, seats: Seats) -> Flask:
    return create_app(AppContext(evening.host.table, seats, evening.controls, host=evening.host))


@pytest.fixture
def come(app: Flask) -> Callable[..., HostsBrowser]:
    """A browser that is not signed in."""
    return lambda: HostsBrowser(app)


@pytest.fixture
def host(come: Callable[..., HostsBrowser]) -> HostsBrowser:
    """A browser that is."""
    return come().signs_in()


# Who is the host.


def test_a_record_is_for_a_host_who_is_signed_in(come):
    assert come().get("/api/host/record").status_code == 401


def test_sign_out_invalidates_copies_of_the_cookie(host, come):
    copy = host.client.get_cookie("companion").value
    assert host.calls("session/end").status_code == 204
    assert "The host of this table" in host.reads("/host")
    thief = come()
    thief.client.set_cookie("companion", copy)
    assert "The host of this table" in thief.reads("/host")


def test_signing_everyone_out_ends_all_sessions_and_the_printed_pass(host, come):
    other, word = come().signs_in(), write_pass(host.house.journal.path.parent)
    assert host.calls("session/end-all").status_code == 204
    assert all("The host of this table" in each.reads("/host") for each in (host, other))
    assert come().answers(word).json["code"] == "pass_gone"


def test_a_host_who_comes_after_a_restart_is_known_again(host, evening, seats):
    identity = host.app.extensions[CONTEXT_KEY].browsers.identity
    app = create_app(
        AppContext(
            evening.host.table, seats, evening.controls, host=evening.host, identity=identity
        )
    )
    again = HostsBrowser(app)
    again.client.set_cookie("companion", host.client.get_cookie("companion").value)
    assert "Seats" in again.reads("/host")


def test_the_stream_of_a_host_who_signed_out_tells_nothing_more(host, app):
    here = app.extensions[CONTEXT_KEY]
    screen = Screen("host", 0, "en", host.browser)
    assert "Ana" in full_state(app, here, screen)
    host.calls("session/end")
    assert "Ana" not in full_state(app, here, screen)
    assert "You are signed out here." in full_state(app, here, screen)


def test_a_table_without_a_house_has_no_host(evening):
    visitor = Visitor(create_app(AppContext(evening.host.table)))
    assert visitor.get("/host").status_code == 404
    assert visitor.get("/api/host/records").status_code == 401


# The game.


def test_a_game_is_ended_and_its_record_carried_away_under_a_name_that_names_nobody(host, evening):
    host.decides("ended")
    answer = host.get("/api/host/record")
    name = answer.headers["Content-Disposition"]
    assert name == f'attachment; filename="bankueberfall-{evening.host.table.state.id}.jsonl"'
    assert [json.loads(line) for line in answer.data.splitlines()][-1]["event"]["event"] == "ended"


def players(evening):
    return evening.host.seats.names.names_of(evening.host.table.state.id)


@pytest.mark.parametrize("game", ["banque_fatale", "robby_solo", "bankueberfall"])
def test_a_new_game_begins_in_whichever_box(host, evening, game):
    host.decides("ended")
    assert "Who plays" in host.reads(f"/host/new/{game}")
    answer = host.wishes("Zoë", "Yan", "", "Xi", game=game, first=4)
    assert answer.status_code == 204
    assert evening.host.table.rules.box.game == game
    assert players(evening) == ("Zoë", "Yan", "Xi")
    assert evening.host.table.history.moments[0].event.first == 3


def test_a_program_that_wishes_is_told_the_field(host):
    host.decides("ended")
    answer = host.calls("games", game="chess", players=["Ana", "Ben"])
    assert (answer.status_code, answer.json["code"]) == (409, "no_such_box")
    answer = host.calls("games", game="bankueberfall", players=["Ana", "Ben"], first=7)
    assert (answer.status_code, answer.json["field"]) == (409, "first")


def test_the_lot_may_decide_who_begins_and_the_log_says_so(host, evening):
    host.decides("ended")
    assert 'name="first" data-number value="0"' in host.get("/host/new/bankueberfall").text
    answer = host.calls("games", game="bankueberfall", players=["Ana", "Ben", "Cleo"], first=0)
    assert answer.status_code == 204
    first = evening.host.table.state.active
    (begins, *_) = evening.host.table.view().table.log
    assert get_language("en")(begins.say) == f"The game begins. By lot, Seat {first} goes first."


def test_everyone_says_behind_which_bank_they_sit(host, evening):
    host.decides("ended")
    page = host.get("/host/new/bankueberfall").text
    assert page.count('<select name="front[]"') == 5
    wish = {"game": "bankueberfall", "players": ["Ana", "", "Ben"]}
    answer = host.calls("games", **wish, front=[3, 1, 3])
    assert (answer.status_code, answer.json["field"]) == (409, "front")
    assert host.calls("games", **wish, front=[2, 3, 5]).status_code == 204
    assert [seat.bank for seat in evening.host.table.view().public.seats] == [2, 5]


def test_the_banks_of_the_row_are_chosen_where_some_stay_in_the_box(host, evening):
    host.decides("ended")
    assert 'name="banks[]" value="khaki"' in host.get("/host/new/robby_solo").text
    assert "banks[]" not in host.get("/host/new/bankueberfall").text
    wish = {"game": "robby_solo", "players": ["Ana", "Ben", "Cleo"]}
    answer = host.calls("games", **wish, banks=["red", "blue"])
    assert (answer.status_code, answer.json["field"]) == (409, "banks")
    row = ["khaki", "grey", "red", "blue"]
    assert host.calls("games", **wish, banks=row).status_code == 204
    assert [bank.name for bank in evening.host.table.view().public.banks] == row


# Hands that do not open.


def test_the_host_enters_a_lost_hand_which_is_marked_as_unproven(come, evening):
    house, bots = evening.host, evening.bots
    bots.persons_seat = 0
    while house.table.view().public.phase != "seal":
        assert bots.play_one()
    while house.table.view().public.phase == "seal":
        assert bots.play_one()
    host = come().signs_in()
    assert "Enter, unproven" in host.reads("/host")
    for seat in house.table.view().public.waiting:
        answer = host.calls(f"hands/{seat}", value=1, version=host.version())
        assert answer.status_code == 204
    while house.table.view().public.phase == "turn_up":
        assert bots.play_one()  # The cards of the robbed bank are shown to its reader.
    assert "Entered by the table, without proof: Ana" in host.reads("/judge")


# Seats.


def test_the_host_takes_over_a_seat_and_plays_from_it(host, visit):
    ana = visit(1)
    host.calls("seats/1/take")
    assert "Your turn. Turn over a tile." in host.reads("/phone/1")
    assert ana.get("/phone").location == "/phone/elsewhere"


def test_two_seats_change_hands(host, visit, seats):
    visit(1), visit(2)
    ana, ben = seats.holder_of(1), seats.holder_of(2)
    host.calls("seats/1/move", to=2)
    assert (seats.holder_of(1), seats.holder_of(2)) == (ben, ana)
    host.calls("seats/2/move", to=3)
    assert (seats.holder_of(2), seats.holder_of(3)) == (None, ana)


# The next group.


def test_for_the_next_group_names_and_seats_are_wiped_and_the_box_is_checked(host, visit, evening):
    ana = visit(1)
    assert host.calls("reset").status_code == 204
    page = host.reads("/host")
    assert "Ana" not in page
    assert "The table is free." in page
    assert "Is the box complete?" in page
    assert ana.get("/phone").location == "/phone/elsewhere"
    assert "Ana" not in visit().reads("/table")


# What is told.


# Guests.


def test_those_who_came_to_a_free_table_play_from_where_they_sit(host, visit, seats, evening):
    host.calls("reset")
    first, second = visit(), visit()
    for phone, name, seat in ((first, "Gül", 1), (second, "Hal", 3)):
        phone.get("/")
        phone.post("/api/join/guests", name=name)
        host.calls(f"seats/{seat}/give", guest=seats.waiting_guests()[0].number)
    form = host.get("/host/new/bankueberfall").text
    assert form.index('value="Gül"') < form.index('value="Hal"')
    host.wishes("Gül", "", "Hal", first=3)
    assert players(evening) == ("Gül", "Hal")
    assert "Your turn. Turn over a tile." in second.reads("/phone/2")


def test_a_moment_is_corrected_in_the_name_of_the_table(host, evening, come):
    assert come().get("/host/correct/1").location == "/host/enter"
    does(evening, 1, do="tile_turned")
    at = evening.host.table.version
    page = host.get(f"/host/correct/{at}").text
    assert 'action="/api/host/requests"' in page
    choice = html.unescape(re.findall(r'name="choice" value="([^"]*)"', page)[0])
    assert host.decides("corrected", **json.loads(choice)).status_code == 204
    assert evening.host.table.history.replacements
