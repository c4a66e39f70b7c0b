"""The host signs in and decides about the whole table, in a browser."""

import html
import json
import re
from collections.abc import Callable

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.host.host_pass import write_pass
from companion.seating.seats import Seats
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.simulated_hands import does
from tests.worlds.visitor import Visitor
from web.app import create_app
from web.context import AppContext


@pytest.fixture
def app(evening: Simulation, seats: Seats) -> Flask:
    return create_app(AppContext(evening.host.table, seats, evening, host=evening.host))


@pytest.fixture
def come(app: Flask) -> Callable[..., HostsBrowser]:
    """A browser that is not signed in."""
    return lambda: HostsBrowser(app)


@pytest.fixture
def host(come: Callable[..., HostsBrowser]) -> HostsBrowser:
    """A browser that is."""
    return come().signs_in()


# Who is the host.


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
