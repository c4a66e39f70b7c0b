"""The call for staff: from the table screen, from a phone, answered; the newest counts."""

from pathlib import Path

import pytest

from companion.app.state_files import load_choices
from companion.floor.table_on_floor import StaffCalls
from tests.worlds.fresh_table import Fresh
from tests.worlds.setup_browser import host as host_of
from tests.worlds.visitor import OURS, Visitor
from web.context import CONTEXT_KEY, AppContext
from web.sessions import BROWSER_KEY

CALL, ANSWERED = "Call staff", "No longer needed"


@pytest.fixture
def table(tmp_path: Path) -> Fresh:
    return Fresh(tmp_path)


def room_of(table: Fresh) -> AppContext:
    room: AppContext = table.app.extensions[CONTEXT_KEY]
    return room


def name_it(table: Fresh, name: str = "Table 7") -> None:
    host = host_of(table)
    assert host.calls("place", name=name, place="Window").status_code in (204, 303)


def test_calls_do_not_queue_and_an_old_answer_ends_no_new_call() -> None:
    calls = StaffCalls(lambda: 0.0)
    first, second = calls.call(2), calls.call(3)
    assert calls.current == second
    assert not calls.answer(first.number)
    assert calls.current == second
    assert calls.answer(second.number)
    assert (calls.current, calls.answer()) == (None, False)


def test_a_table_without_a_name_offers_no_staff(table: Fresh) -> None:
    guest = Visitor(table.app)
    assert CALL not in guest.get("/table").text
    refused = guest.post("/api/floor/call")
    assert (refused.status_code, refused.json["code"]) == (409, "no_staff")
    table.shut()


def test_the_host_names_the_table_and_it_is_kept(table: Fresh) -> None:
    name_it(table)
    kept = load_choices(table.real.folder)
    assert (kept.name, kept.place) == ("Table 7", "Window")
    assert CALL in Visitor(table.app).get("/table").text
    table.shut()


def test_anyone_calls_on_the_screen_and_takes_it_back(table: Fresh) -> None:
    name_it(table)
    guest = Visitor(table.app)
    guest.get("/table")
    assert guest.post("/api/floor/call").status_code == 204
    assert ANSWERED in guest.get("/table").text
    call = room_of(table).floor.calls.current
    assert call is not None
    assert call.seat == 0
    assert guest.post("/api/floor/call/end", number=call.number).status_code == 204
    assert CALL in guest.get("/table").text
    assert room_of(table).floor.calls.current is None
    table.shut()


def test_a_seat_is_called_to_by_its_own_phone_alone(table: Fresh) -> None:
    name_it(table)
    ana, ben = Visitor(table.app), Visitor(table.app)
    for each in (ana, ben):
        each.get("/")
    with ana.client.session_transaction(base_url=OURS) as cookie:
        room_of(table).seats.claim_seat(2, cookie[BROWSER_KEY], "Ana")
    assert ben.post("/api/floor/call/2").status_code == 403
    assert ana.post("/api/floor/call/2").status_code == 204
    assert "Staff is called to seat 2." in ben.get("/table").text
    table.shut()


def test_the_next_group_inherits_no_call(table: Fresh) -> None:
    name_it(table)
    room_of(table).floor.calls.call(1)
    assert table.host.reset_table() is None
    assert room_of(table).floor.calls.current is None
    table.shut()


def test_a_name_that_is_too_long_is_refused_in_a_sentence(table: Fresh) -> None:
    host = host_of(table)
    answer = host.calls("place", name="x" * 31, place="")
    assert answer.status_code == 400
    assert "at most 30" in answer.text
    table.shut()
