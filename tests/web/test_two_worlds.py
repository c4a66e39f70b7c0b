"""Every byte of every page, answer and stream, in all three games, in two worlds.

The worlds differ in everything that a viewer may not know: then nothing that this viewer can ask
for differs. What they could ask for is not listed here: it is every route that the app has.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.table.wishes import SeatWishes, Wish
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.standing_tables import FROM, cookie, played, served, states, wish
from tests.worlds.stream_text import full_state
from tests.worlds.two_worlds import OTHER_WORLD
from tests.worlds.visitor import OURS
from web.context import CONTEXT_KEY
from web.rendering.scene import Screen
from web.rendering.screens import PAGES

replace = msgspec.structs.replace
WISHES = 6
"""So many of every viewer in every state."""
HOSTS = ("/host", "/host/health", "/healthz")
TOLD = ("table", "phone")
"""The pages that follow the game by themselves."""


class World:
    """A table, and everything that can be read of it."""

    def __init__(self, path: Path, game: str, state: str) -> None:
        self.app = served(path, game, state)
        self.room = self.app.extensions[CONTEXT_KEY]
        self.table = self.room.table
        for seat in range(1, self.table.seats + 1):
            assert self.room.seats.take_seat(seat, f"browser {seat}") is None
        self._got("/no-internet/stay", 0)  # It remembers who asked, and is asked again below.

    def stands(self, state: Any) -> "World":
        """The same table, but that it stands like this."""
        self.table.history = replace(self.table.history, state=state)
        return self

    def sent(self, viewer: int) -> dict[str, bytes]:
        """Every answer to every address, and what the streams send."""
        found = {path: self._got(path, viewer) for path in self._addresses()}
        for page in TOLD:
            seat = viewer if PAGES[page] == "seat" else 0
            if seat or PAGES[page] != "seat":
                screen = Screen(page, seat, "en")
                found[f"stream {page}"] = full_state(self.app, self.room, screen).encode()
        found["stream of views"] = msgspec.json.encode(self.table.view(viewer))
        return found

    def _addresses(self) -> Iterator[str]:
        for rule in self.app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or rule.endpoint in ("static", "openapi.openapi"):
                continue
            if rule.rule.startswith("/api/host"):
                continue  # To all but the host they are what they are to a stranger.
            for n in range(1, self.table.seats + 1) if rule.arguments else (0,):
                yield str(rule.build(dict.fromkeys(rule.arguments, n))[1])  # type: ignore[index]

    def _got(self, path: str, viewer: int) -> bytes:
        answer = self._client(viewer).get(path, base_url=OURS)
        return f"{answer.status} {answer.location} ".encode() + answer.data

    def sent_to_host(self) -> dict[str, bytes]:
        """What the host of the table is answered and sent."""
        self.room.host.sessions.admit_by_pass("browser 0")
        found = {path: self._got(path, 0) for path in HOSTS}
        screen = Screen("host", 0, "en", "browser 0")
        return found | {"stream": full_state(self.app, self.room, screen).encode()}

    def _client(self, viewer: int) -> Any:
        client = self.app.test_client()
        client.set_cookie("companion", cookie(self.app, f"browser {viewer}"))
        return client

    def answered(self, viewer: int, wishes: list[dict[str, Any]]) -> list[bytes]:
        """What a seat is answered to these wishes, each asked as things stand."""
        before, found = self.table.history, []
        for n, one in enumerate(wishes):
            body = {"event": one, "version": before.at, "key": f"k-{n}-{viewer}"}
            path = f"/api/seats/{viewer}/requests"
            answer = self._client(viewer).post(path, json=body, base_url=OURS, headers=FROM)
            found.append(answer.status.encode() + answer.data)
            self.table.history = before
        return found


def some_states(game: str) -> list[str]:
    """A few: hands closed, some open, a verdict, the judge called, the end."""
    wanted = ("seal", "open", "declare", "take", "place", "frozen")
    return [name for name in states(game) if name in wanted]


@pytest.fixture(params=pick(["banque_fatale"], own_games(), own_games()))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_hidden_facts_change_no_byte_of_any_answer(game, tmp_path):
    differed = 0
    for name in some_states(game):
        world = World(tmp_path / f"{name}.sqlite3", game, name)
        state = world.table.state
        everyone = range(len(state.players) + 1)
        for viewer in everyone:
            other = OTHER_WORLD[game](state, viewer, Random(name))
            wishes = [wish(world.table.view(max(viewer, 1)), Random(n)) for n in range(WISHES)]
            here, there = world.stands(state).sent(viewer), world.stands(other).sent(viewer)
            assert [path for path in here if here[path] != there[path]] == [], (name, viewer)
            if viewer:
                asked = world.stands(state).answered(viewer, wishes)
                assert asked == world.stands(other).answered(viewer, wishes), (name, viewer)
            view = [
                world.stands(one).table.view(viewer % (len(everyone) - 1) + 1).mine
                for one in (state, other)
            ]
            differed += view[0] != view[1]
            world.stands(state)
    assert differed


def test_the_host_sees_no_more_than_everyone(game, tmp_path):
    for name in some_states(game):
        world = World(tmp_path / f"{name}.sqlite3", game, name)
        state = world.table.state
        other = OTHER_WORLD[game](state, 0, Random(name))
        here, there = world.stands(state).sent_to_host(), world.stands(other).sent_to_host()
        assert all(here[path].startswith(b"200") for path in HOSTS)
        assert [path for path in here if here[path] != there[path]] == [], name
        world.stands(state)


def test_the_end_shows_everyone_that_the_worlds_did_differ(game, tmp_path):
    evening = played(game)
    world = World(tmp_path / "journal.sqlite3", game, "over")
    before, over = evening.states[-2], world.table.state
    other = evening.rules.apply(OTHER_WORLD[game](before, 0, Random(1)), evening.events[-1])
    assert other.phase == over.phase == "over"
    for viewer in range(len(over.players) + 1):
        here, there = world.stands(over).sent(viewer), world.stands(other).sent(viewer)
        assert here["stream table"] != there["stream table"]
        assert here["/api/table"] != there["/api/table"]


def test_the_wishes_of_the_others_change_no_byte(tmp_path):
    """Which chips a seat takes first, and whether the table takes them for it."""
    world = World(tmp_path / "wishes.sqlite3", "banque_fatale", "take")
    game, colours = world.table.state.id, tuple(world.table.state.values)
    seats = range(1, world.table.seats + 1)
    for viewer in (0, *seats):
        found = []
        for other in (None, Wish(colours[::-1], is_active=True), Wish(colours, is_active=False)):
            world.room.wishes = SeatWishes()
            for seat in seats if other is not None else ():
                if seat != viewer:
                    world.room.wishes.keep(game, seat, other)
            found.append(world.sent(viewer))
        assert [path for path in found[0] if len({each[path] for each in found}) > 1] == []
    world.room.wishes.keep(game, 1, Wish(colours[::-1], is_active=True))
    taken_for = world.sent(1)["/phone/1"]
    world.room.wishes.stop(game, 1)
    assert world.sent(1)["/phone/1"] != taken_for
