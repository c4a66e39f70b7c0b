"""A game for fewer people than the last: phones are left at seats from which nobody plays now."""

import asyncio
from collections.abc import Callable

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.simulation import Simulation
from companion.core.table_events import Ended
from companion.games.new_game import NewGame
from companion.host.host import HOST_AUTHOR
from tests.worlds.visitor import Visitor


@pytest.fixture
def ends(evening: Simulation) -> Callable[[], None]:
    """Has five people play, then three."""

    def begin(players: int) -> None:
        assert evening.host.table.request(Ended(), HOST_AUTHOR) is None
        assert evening.host.begin_game(NewGame("bankueberfall", tuple(NAMES[:players]))) is None

    begin(5)
    return lambda: begin(3)


@pytest.fixture
def emma(ends: Callable[[], None], visit: Callable[[int], Visitor]) -> Visitor:
    """Who plays from the last seat."""
    return visit(5)


@pytest.mark.parametrize("base", ["/stream/phone/5", "/stream/play/5", "/api/stream/seats/5"])
def test_a_stream_of_such_a_seat_ends_with_a_word(serve, emma, ends, base):
    async def story(cafe):
        before, _, page = base.rpartition("/")
        events = await cafe.listen(page, emma, base=before)
        assert (await anext(events))[0] == "state"
        await asyncio.to_thread(ends)
        assert "anew" in [name async for name, _ in events]
        cookie = emma.client.get_cookie("companion").value
        assert await cafe.ask(base, cookie=cookie) in {403, 404}

    serve(story)
