"""Names are a secret from strangers: two tables that differ in nothing else look the same to them.

The same game is played at two tables by people of other names. Every page and every answer that a
browser of no one at the table gets on another machine, every stream that it may open, what a floor
is told, and the log are the same, byte for byte. Once the tables show names to everyone, it sees
that they differ.
"""

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.errors import Refusal
from companion.core.events import Event
from companion.core.i18n import seat_keys
from companion.floor import TableOnFloor, discovery_document
from companion.host.settings import FloorPlace, TableSettings
from companion.table.permissions import Author
from tests.worlds.campaign import pick
from tests.worlds.named_table import NAMES, NamedTable
from tests.worlds.phone_players import Phones
from tests.worlds.visitor import OURS
from web.rendering.scene import Found, Screen
from web.rendering.screens import PAGES, UNSTREAMED_PAGES
from web.server.broadcast import draw_state
from web.streams import DATA_PAGE

OTHERS = ("Quirin", "Ulrike-Marie", "Wendelin")
ELSEWHERE: dict[str, Any] = {
    "base_url": "http://table.example",
    "environ_base": {"REMOTE_ADDR": "192.0.2.7"},
}
CHANCE = re.compile(r"[0-9a-f]{12,}|[\w-]{40,}|\d+\.\d{3,}|\d\d:\d\d")
"""What hangs on chance or on the hour: ids of games, browsers and requests, and times."""


class Told(logging.Handler):
    """Collects every line of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@pytest.fixture
def log() -> Iterator[Told]:
    told = Told()
    loggers = [logging.getLogger(name) for name in ("companion", "web")]
    for logger in loggers:
        logger.addHandler(told)
        logger.setLevel(logging.DEBUG)
    yield told
    for logger in loggers:
        logger.removeHandler(told)
        logger.setLevel(logging.NOTSET)


class Evening:
    """A table with people of these names, before the eyes of a stranger."""

    def __init__(self, folder: Path, names: tuple[str, ...]) -> None:
        folder.mkdir()
        self.room = NamedTable(folder)
        self.room.context.machine.hosts.append("table.example")
        self.table, self.rules = self.room.table, self.room.table.rules
        for seat, name in enumerate(names, 1):
            self.room.seat(seat, name)
        self.before = self.seen_by_a_stranger()
        self.room.begin(*names)
        self.phones = Phones(self, Random(4))  # type: ignore[arg-type]

    @property
    def state(self) -> Any:
        return self.table.state

    def ask(self, seat: int, event: Event) -> Refusal | None:
        return self.table.request(event, Author(seat, f"phone {seat}"))

    def seen_by_a_stranger(self) -> dict[str, str]:
        """Return all that a stranger is sent, by address."""
        stranger = self.room.app.test_client()
        found = {path: _answer(stranger, path) for path in _paths(self.room.app)}
        with self.room.app.test_request_context(**ELSEWHERE):
            for page in [*PAGES, DATA_PAGE]:
                if PAGES.get(page, "everyone") == "everyone" and page not in UNSTREAMED_PAGES:
                    screen = Screen(page, 0, "en", came_known=False)
                    state = draw_state(self.room.app, self.room.context, screen, None, Found())
                    found[f"stream of {page}"] = repr(state)
        on_floor = TableOnFloor(TableSettings(place=FloorPlace("Table 7", "Window")))
        told = on_floor.read_state(self.table)
        found["floor"] = msgspec.json.encode((told, discovery_document("t1", told))).decode()
        return {path: CHANCE.sub("…", text) for path, text in found.items()}


def _paths(app: Flask) -> Iterator[str]:
    """Every address that can be read, with a seat or a game where it names one."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "static":
            numbered = re.sub(r"<int:\w+>", "1", rule.rule)
            yield re.sub(r"<[\w:]+>", "bankueberfall", numbered)


def _answer(stranger: FlaskClient, path: str) -> str:
    answer = stranger.get(path, **ELSEWHERE)
    is_text = answer.is_json or answer.mimetype.startswith("text/")
    return f"{answer.status_code} {answer.text if is_text else answer.mimetype}"


def test_strangers_see_the_same_of_two_tables_with_other_names(tmp_path: Path, log: Told) -> None:
    evenings = [Evening(tmp_path / "a", NAMES), Evening(tmp_path / "b", OTHERS)]
    assert evenings[0].before == evenings[1].before
    logs, phases = list[list[str]](), set[str]()
    for _ in range(pick(24, 60, 200)):
        here, there = (evening.seen_by_a_stranger() for evening in evenings)
        for path, text in here.items():
            assert text == there[path], path
        phases.add(evenings[0].state.phase)
        for evening in evenings:
            log.lines.clear()
            evening.phones.step()
            logs.append([CHANCE.sub("…", line) for line in log.lines])
        assert logs[-2] == logs[-1]
    assert {"seal", "open"} <= phases
    for evening in evenings:
        evening.room.context.set_shows_names(True)
    here, there = (evening.seen_by_a_stranger() for evening in evenings)
    shown = {path for path, text in here.items() if text != there[path]}
    assert {"/table", "/judge", "stream of table", "stream of data"} <= shown
    assert all(name in here["/table"] for name in NAMES)
    for evening in evenings:
        evening.room.close()


def test_the_log_names_nobody_from_the_first_seat_to_the_erasure(tmp_path: Path, log: Told) -> None:
    evening = Evening(tmp_path / "a", NAMES)
    room = evening.room
    room.names.erase_game(evening.state.id)
    assert room.host.reset_table("agreed") is None
    room.seat(1, NAMES[0])
    room.begin(*NAMES)
    room.names.erase_all()
    assert room.host.reset_table("agreed") is None
    room.close()
    events = {line.split()[0] for line in log.lines}
    assert {"game_started", "names_erased", "table_reset"} <= events
    assert not [line for line in log.lines if any(name in line for name in NAMES)]


def test_the_judge_names_players_to_those_at_the_table_only(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "a", NAMES)
    case = {"game": "bankueberfall", "kind": "robbery", "cards": ["10"]}
    case |= {"bids": {key: 3 - n for n, key in enumerate(seat_keys(3))}}
    asked = {"case": case, "change": {"cards": ["policeman"]}}
    for place, who in (({"base_url": OURS}, "Zoë"), (ELSEWHERE, "Seat 1")):
        client = evening.room.app.test_client()
        origin = {"Origin": place["base_url"]}
        answer = client.post("/api/judge/forks", json=asked, headers=origin, **place)
        said = answer.get_json()["says"]
        assert [one for one in said if who in one], said
        assert not [one for one in said if {"Zoë": "Seat", "Seat 1": "Zoë"}[who] in one]
    evening.room.close()
