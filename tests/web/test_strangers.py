"""Strangers in the network see seats, and no name in any byte, unless the table wants it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import url_for
from werkzeug.routing import Rule

from tests.worlds.named_table import NAMES, NamedTable
from tests.worlds.visitor import Visitor

PAGES = (
    "/", "/table", "/judge", "/judge/log", "/judge/sheet", "/judge/back?at=1", "/names",
    "/api/join", "/api/table", "/api/judge/verdict", "/api/judge/moments/1", "/healthz",
)  # fmt: skip
ELSEWHERE = {"REMOTE_ADDR": "192.168.4.77"}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[NamedTable]:
    table = NamedTable(tmp_path)
    yield table
    table.switch_off()


def read_pages(visitor: Visitor, language: str = "en") -> dict[str, str]:
    how = {"environ_overrides": ELSEWHERE, "headers": {"Accept-Language": language}}
    return {page: visitor.get(page, **how).text for page in PAGES}


def pages_with_names(visitor: Visitor) -> list[str]:
    return [
        page for page, text in read_pages(visitor).items() if any(name in text for name in NAMES)
    ]


def test_a_player_sees_names_and_no_longer_after_leaving(room: NamedTable) -> None:
    player = room.seat(1, "Zoë")
    room.begin(*NAMES)
    assert {"/", "/table", "/api/table"} <= {*pages_with_names(player)}
    room.seats.free_seat(1)
    assert pages_with_names(player) == []


@pytest.mark.parametrize("begun", [False, True])
def test_no_address_of_the_table_tells_a_stranger_a_name(room: NamedTable, begun: bool) -> None:
    for seat, name in enumerate(NAMES, 1):
        room.seat(seat, name)
    if begun:
        room.begin(*NAMES)
    stranger, gaps = Visitor(room.app), {"game": "bankueberfall"}
    read = [rule for rule in room.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    with room.app.test_request_context():
        addresses = [url_for(rule.endpoint, **fill(rule, gaps)) for rule in read]
    told = {each: stranger.get(each, environ_overrides=ELSEWHERE).text for each in addresses}
    assert len(told) > 30
    assert [each for each, text in told.items() if any(name in text for name in NAMES)] == []


def fill(rule: Rule, gaps: dict[str, str]) -> dict[str, Any]:
    """A value for each gap of an address; numbers are 1."""
    return {gap: gaps.get(gap, "1") for gap in rule.arguments}
