"""Strangers in the network see seats, and no name in any byte, unless the table wants it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
    table.close()


def pages_with_names(visitor: Visitor) -> list[str]:
    told = {page: visitor.get(page, environ_overrides=ELSEWHERE).text for page in PAGES}
    return [page for page, text in told.items() if any(name in text for name in NAMES)]


def test_a_player_sees_names_and_no_longer_after_leaving(room: NamedTable) -> None:
    player = room.seat(1, "Zoë")
    room.begin(*NAMES)
    assert {"/", "/table", "/api/table"} <= {*pages_with_names(player)}
    room.seats.free_seat(1)
    assert pages_with_names(player) == []
