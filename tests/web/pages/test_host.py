"""The host signs in and decides about the whole table, in a browser."""

import asyncio
import html
import json
import re
from threading import Event

from companion.core.i18n import Message
from companion.core.table_events import Frozen
from companion.table.permissions import Author
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.simulated_hands import does
from tests.worlds.visitor import Visitor
from web.app import create_app
from web.context import AppContext


def test_sign_out_invalidates_copies_of_the_cookie(host, app):
    copy = host.client.get_cookie("companion").value
    assert host.calls("session/end").status_code == 204
    assert "The host of this table" in host.reads("/host")
    thief = HostsBrowser(app)
    thief.client.set_cookie("companion", copy)
    assert "The host of this table" in thief.reads("/host")


def test_the_page_of_a_host_who_signs_out_hears_nothing_more(serve, host, evening):
    """Not even a fault that the table was still writing then."""
    goes_on, is_held, table = Event(), Event(), evening.host.table

    async def story(cafe):
        events = await cafe.listen("host", host)
        await anext(events)
        table.watch(lambda: is_held.is_set() or (is_held.set(), goes_on.wait(20)))
        change = asyncio.create_task(asyncio.to_thread(table.report_fault, Message("Dark.")))
        await asyncio.to_thread(is_held.wait, 20)
        await asyncio.to_thread(host.calls, "session/end")
        goes_on.set()
        assert [name async for name, _ in events] == ["anew"]
        await change

    serve(story)


def test_a_table_without_a_house_has_no_host(evening):
    visitor = Visitor(create_app(AppContext(evening.host.table)))
    assert visitor.get("/host").status_code == 404
    assert visitor.get("/api/host/records").status_code == 401


def test_a_game_is_ended_and_its_record_carried_away_under_a_name_that_names_nobody(host, evening):
    host.decides("ended")
    answer = host.get("/api/host/record")
    name = answer.headers["Content-Disposition"]
    assert name == f'attachment; filename="bankueberfall-{evening.host.table.state.id}.jsonl"'
    assert [json.loads(line) for line in answer.data.splitlines()][-1]["event"]["event"] == "ended"


def test_the_speed_of_bots_is_asked_for_while_one_plays(host, evening):
    assert "The bots play" in host.reads("/host/people")
    for seat in range(1, evening.host.table.seats + 1):
        evening.host.seats.take_seat(seat, f"phone {seat}")
    assert "The bots play" not in host.reads("/host/people")


def test_a_moment_is_corrected_in_the_name_of_the_table(host, evening, app):
    assert HostsBrowser(app).get("/host/correct/1").location == "/host/enter"
    does(evening, 1, do="tile_turned")
    at = evening.host.table.version
    page = host.get(f"/host/correct/{at}").text
    assert 'action="/api/host/requests"' in page
    choice = html.unescape(re.findall(r'name="choice" value="([^"]*)"', page)[0])
    assert host.decides("corrected", **json.loads(choice)).status_code == 204
    assert evening.host.table.history.replacements


def test_a_called_judge_and_a_seat_that_is_waited_for_are_not_told_at_once(host, evening):
    assert "Waiting for" in host.reads("/host")
    evening.host.table.request(Frozen(1), Author(1, via="phone"))
    page = host.reads("/host")
    assert "The game is paused." in page
    assert "Waiting for" not in page
