"""The call for staff: from the table screen, from a phone, taken back; the newest counts."""

from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.floor import StaffCalls
from companion.host.settings import check_place, load_choices
from tests.worlds.fresh_table import Fresh
from tests.worlds.fresh_table import host as host_of
from tests.worlds.visitor import OURS, Visitor
from web.browsers import BROWSER_KEY
from web.context import CONTEXT_KEY, AppContext


def test_calls_do_not_queue_and_an_old_answer_ends_no_new_call() -> None:
    calls = StaffCalls(lambda: 0.0)
    first, second = calls.call(2), calls.call(3)
    assert not calls.answer(first.number)
    assert calls.current == second
    assert calls.answer(second.number)
    assert (calls.current, calls.answer()) == (None, False)


def test_only_a_table_with_a_name_calls_and_a_seat_is_called_to_by_its_own_phone(
    tmp_path: Path,
) -> None:
    table = Fresh(tmp_path)
    room: AppContext = table.app.extensions[CONTEXT_KEY]
    calls = room.floor.calls
    ana, ben = Visitor(table.app), Visitor(table.app)
    for each in (ana, ben):
        each.get("/")
    refused = ben.post("/api/floor/call")
    assert (refused.status_code, refused.json["code"]) == (409, "no_staff")
    assert "Call staff" not in ben.get("/table").text
    named = host_of(table).post("/api/host/place", name="Table 7", place="Window")
    assert named.status_code == 204
    kept = load_choices(table.real.folder)
    assert (kept.name, kept.place) == ("Table 7", "Window")
    assert "Call staff" in ben.get("/table").text
    assert ben.post("/api/floor/call").status_code == 204
    assert calls.current is not None
    assert calls.current.seat == 0
    assert ben.post("/api/floor/call/end", number=calls.current.number).status_code == 204
    assert calls.current is None
    with ana.client.session_transaction(base_url=OURS) as cookie:
        room.seats.claim_seat(2, cookie[BROWSER_KEY], "Ana")
    assert ben.post("/api/floor/call/2").status_code == 403
    assert ana.post("/api/floor/call/2").status_code == 204
    assert "Staff is called to seat 2." in ben.get("/table").text
    assert table.host.reset_table() is None
    assert calls.current is None, "the next group inherits no call"
    table.shut()


@pytest.mark.parametrize("name", ["x" * 31, "a\nb\0"])
def test_a_name_that_is_too_long_or_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        check_place(name, "")
