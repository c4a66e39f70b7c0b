"""Becoming the host: who is shown a pass, whom it lets in, and what a held button does."""

import json
import logging
import re
from collections.abc import Callable

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.core.sensor_events import ButtonHeldOn
from companion.host.host_pass import ShownPass, write_pass
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.journal_lines import every_line
from tests.worlds.visitor import OURS, PlacedMachine, words
from web.context import CONTEXT_KEY

FAR_AWAY = {"REMOTE_ADDR": "192.168.1.77"}
ADDRESS = "http://192.168.1.20:8000/"
DOOR = "The host of this table"
Come = Callable[..., HostsBrowser]


@pytest.fixture
def come(app: Flask) -> Come:
    app.extensions[CONTEXT_KEY].machine = PlacedMachine(ADDRESS)
    return lambda: HostsBrowser(app)


def hold(evening: Simulation, seat: int) -> ShownPass:
    """Hold the button of a seat for six seconds."""
    evening.host.filter_evidence([ButtonHeldOn(3.0, seat)])
    shown = evening.host.host_pass.shown_pass()
    assert shown is not None
    return shown


def test_only_the_screen_of_the_pi_itself_shows_the_code(come: Come, evening: Simulation) -> None:
    hold(evening, 2)
    here = come().get("/table").text
    assert len(re.findall('class="qr"', here)) == 2, "one for guests, one for the host"
    for far in (
        come().get("/table", environ_overrides=FAR_AWAY).text,
        come().get("/table", headers={"X-Forwarded-For": "192.168.1.77"}).text,
    ):
        assert "Who becomes the host?" in words(far)
        assert len(re.findall('class="qr"', far)) == 1


def test_opening_the_page_changes_nothing_and_no_address_takes_the_word(
    come: Come, evening: Simulation
) -> None:
    shown, browser = hold(evening, 2), come()
    for path in ("/host/enter", "/api/host/pass", "/host"):
        assert shown.word not in browser.client.get(path, base_url=OURS).text
        asked = {"word": shown.word, "answer": shown.word}
        browser.client.get(path, query_string=asked, base_url=OURS)
    assert DOOR in browser.reads("/host")
    assert come().answers(shown.word).status_code == 204


def test_neither_log_nor_journal_has_the_word(
    come: Come, evening: Simulation, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    printed, shown = write_pass(evening.host.journal.path.parent), hold(evening, 2).word
    for word in ("x" * 22, printed, shown):
        come().answers(word)
    lines = [bytes(line.event).decode() for line in every_line(evening.host.journal)]
    assert caplog.text.count("host_signed_in by=pass") == 2
    assert not [word for word in (printed, shown) if word in caplog.text + json.dumps(lines)]
