"""The pass of the host: who is shown it, and whom it lets in."""

import json
import logging
import re
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.host.host_pass import HostPass, ShownPass
from companion.seating.seats import Seats
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import OURS, words
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import Screen

FAR_AWAY = {"REMOTE_ADDR": "192.168.1.77"}
ADDRESS = "http://192.168.1.20:8000/"
Come = Callable[..., HostsBrowser]


class Clock:
    """Stands still unless the test moves it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(evening: Simulation, seats: Seats, clock: Clock) -> Flask:
    host = evening.host
    host.host_pass = HostPass(host.pin, clock)
    there = partial(tuple, [ADDRESS])
    return create_app(AppContext(host.table, seats, evening.controls, host=host, addresses=there))


@pytest.fixture
def come(app: Flask) -> Come:
    return lambda: HostsBrowser(app)


@pytest.fixture
def held(app: Flask, evening: Simulation) -> ShownPass:
    """The button of seat 2 is held."""
    evening.host.host_pass.show_pass(2)
    shown = evening.host.host_pass.shown_pass()
    assert shown is not None
    return shown


def test_only_the_screen_of_the_pi_itself_shows_the_code(come: Come, held: ShownPass) -> None:
    here = come().get("/table").text
    assert "Scan this with the phone of the host" in here
    assert len(re.findall('class="qr"', here)) == 2, "one for guests, one for the host"
    elsewhere = come().get("/table", environ_overrides=FAR_AWAY).text
    assert "The button of seat 2 is held." in words(elsewhere)
    assert len(re.findall('class="qr"', elsewhere)) == 1
    proxied = come().get("/table", headers={"X-Forwarded-For": "192.168.1.77"}).text
    assert len(re.findall('class="qr"', proxied)) == 1


def test_a_stream_from_elsewhere_is_another_than_that_of_the_pi(
    app: Flask, held: ShownPass
) -> None:
    context = app.extensions[CONTEXT_KEY]
    here, there = (
        full_state(app, context, Screen("table", 0, "en", is_tables_own=shows))
        for shows in (True, False)
    )
    assert "Scan this" in here
    assert "Scan this" not in there


def test_the_token_lets_one_browser_in_once(come: Come, held: ShownPass) -> None:
    first, second = come(), come()
    assert first.calls("pass", token=held.token).status_code == 204
    assert "Seats" in first.reads("/host")
    assert "held" not in first.reads("/table"), "the code is off the screens"
    refused = second.calls("pass", token=held.token)
    assert (refused.status_code, refused.json["code"]) == (409, "pass_gone")
    assert "PIN, six digits" in second.reads("/host")


def test_the_page_of_the_code_changes_nothing_when_it_is_opened(
    come: Come, held: ShownPass
) -> None:
    for _ in range(3):
        page = come().get("/host/pass")
        assert page.status_code == 200
        assert held.token not in page.text
    assert come().calls("pass", token=held.token).status_code == 204


def test_no_address_takes_the_token(come: Come, held: ShownPass) -> None:
    browser = come()
    for path in ("/host/pass", "/api/host/pass", "/host", "/host/enter"):
        browser.client.get(path, query_string={"token": held.token}, base_url=OURS)
    assert "PIN, six digits" in browser.reads("/host")


def test_wrong_guesses_of_a_stranger_do_not_keep_the_host_out(come: Come, held: ShownPass) -> None:
    stranger = come()
    codes = {stranger.calls("session", pin="000000").status_code for _ in range(30)}
    assert codes <= {409, 429}
    assert come().calls("pass", token=held.token).status_code == 204


def test_the_phone_of_the_seat_may_sign_in_and_no_other(come: Come, held: ShownPass) -> None:
    second, third = come(), come()
    second.sits(2)
    third.sits(3)
    assert "Are you the host of this table?" in second.reads("/phone")
    assert "Are you the host of this table?" not in third.reads("/phone")
    assert held.token not in second.get("/phone").text
    assert third.calls("pass/2").json["code"] == "not_your_seat"
    assert third.calls("pass/3").json["code"] == "pass_gone"
    assert second.calls("pass/2").status_code == 204
    assert "Seats" in second.reads("/host")


def test_neither_log_nor_journal_has_the_token(
    come: Come, evening: Simulation, held: ShownPass, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="web")
    come().calls("pass", token="x" * 22)
    assert come().calls("pass", token=held.token).status_code == 204
    lines = [bytes(line.event).decode() for line in evening.host.journal.read_lines()]
    assert "host_signed_in by=pass" in caplog.text
    assert held.token not in caplog.text + json.dumps(lines)
