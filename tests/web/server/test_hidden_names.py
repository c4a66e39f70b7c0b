"""A phone that left its seat is a stranger: its stream ends, and the next one has no names."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.socket_clients import Cafe, Events, run_story
from tests.worlds.named_table import NAMES, NamedTable
from tests.worlds.visitor import Visitor

ELSEWHERE = "table.example"
"""A name of the table: asked for by that, a browser is not the table's own screen."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[NamedTable]:
    table = NamedTable(tmp_path)
    table.context.machine.hosts.append(ELSEWHERE)
    yield table
    table.close()


async def open_stream(cafe: Cafe, path: str, visitor: Visitor | None = None) -> Events:
    cookie = visitor.client.get_cookie("companion") if visitor is not None else None
    assert await cafe.ask(path, ELSEWHERE, cookie.value if cookie else "") == 200
    return cafe.lines[-1].events()


@pytest.mark.parametrize("path", ["/stream/table", "/api/stream/table"])
def test_the_stream_of_a_phone_that_left_ends_and_begins_without_names(
    room: NamedTable, path: str
) -> None:
    player = room.seat(1, "Zoë")
    room.begin(*NAMES)

    async def story(cafe: Cafe) -> None:
        events = await open_stream(cafe, path, player)
        assert "Zoë" in (await anext(events))[1]
        room.seats.free_seat(1)
        async for name, data in events:
            assert name in ("anew", "heartbeat"), data
            if name == "anew":
                break
        again = await open_stream(cafe, path, player)
        assert "Zoë" not in (await anext(again))[1]

    run_story(room.app, story)
