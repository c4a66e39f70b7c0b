"""Screens drawn while the table writes to its disk: nothing of them is seen before that."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from companion.core.errors import Refusal
from companion.core.table_events import Undone
from companion.seating.seats import Seats
from companion.table.table import Table
from tests.table.test_full_disk import room_for
from tests.worlds.watched_table import Watched, code_of
from web.app import create_app
from web.browsers import Client
from web.context import AppContext
from web.rendering.scene import Screen
from web.server.broadcast import Broadcaster, draw_state
from web.server.viewers import Viewer
from web.streams import Admission

SCREENS = Screen("phone", 1, "de"), Screen("table", 0, "en")
TURNS = 50
"""More turns of the loop than all that is due takes."""


class Room(AppContext):
    """A table and its seats, and from which tables their screens were drawn."""

    drawn: list[Table]

    def shown_names(self, sees_names: bool) -> tuple[str, ...]:
        """Return the names; each drawing asks for them once."""
        self.drawn.append(self.table)
        return super().shown_names(sees_names)


class Held:
    """A table without readers whose writing is held up while `is_on`, and what its viewers were
    sent."""

    def __init__(self, path: Path) -> None:
        self.watched = Watched(path, readers=())
        self.table, seats = self.watched.table, Seats(open_house=True)
        seats.take_seat(1, "ana")
        self.room = Room(self.table, seats)
        self.app, self.room.drawn = create_app(self.room), []
        self.begun, self.goes_on, self.foreseen = Event(), Event(), list[Table]()
        self.sent: dict[Screen, list[bytes]] = {screen: [] for screen in SCREENS}

    def hold(self, ahead: Table) -> None:
        """Hold up what is about to be written."""
        self.foreseen.append(ahead)
        self.begun.set()
        assert self.goes_on.wait(60)

    def viewer(self, screen: Screen) -> Viewer:
        """A viewer that takes everything."""

        def send(chunk: bytes) -> int:
            self.sent[screen].append(chunk)
            return len(chunk)

        stream = SimpleNamespace(writing=bool, closed=bool, socket=SimpleNamespace(send=send))
        admission = Admission(screen, Client("ana"), "ana", False, False, False, "")
        return Viewer(admission, SimpleNamespace(stream=stream))

    def digests(self, table: Table) -> list[str]:
        """What the screens of a table with these seats are told by."""
        context = AppContext(table, self.room.seats)
        return [draw_state(self.app, context, screen).digest for screen in SCREENS]

    def run(self, meanwhile: Callable[[], object]) -> Refusal | None:
        """Have a tile turned, do this while that is being written, and return the answer."""

        async def story() -> Refusal | None:
            broadcaster = Broadcaster(self.app)
            self.table.foresee(self.hold)
            viewers = [self.viewer(screen) for screen in SCREENS]
            streams = [asyncio.create_task(broadcaster.follow(viewer)) for viewer in viewers]
            await take_turns()
            for each in (*self.sent.values(), self.room.drawn):
                each.clear()
            asked = asyncio.to_thread(self.watched.ask, 1, 'tile_turned seat=1 tile="place"')
            answer = asyncio.create_task(asked)
            await asyncio.to_thread(self.begun.wait)
            await take_turns()
            assert self.room.drawn == self.foreseen * len(SCREENS)
            assert not any(self.sent.values())
            meanwhile()
            self.goes_on.set()
            refused = await answer
            async with asyncio.timeout(60):
                while [viewer.seen for viewer in viewers] != self.digests(self.table):
                    await asyncio.sleep(0)
            await broadcaster.stop()
            await asyncio.gather(*streams)
            return refused

        return asyncio.run(story())


async def take_turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


@pytest.fixture
def held(tmp_path: Path) -> Held:
    return Held(tmp_path / "journal.sqlite3")


def test_what_was_drawn_while_it_was_written_is_sent_as_it_is_drawn_afterwards(held: Held) -> None:
    assert held.run(lambda: None) is None
    assert held.room.drawn == held.foreseen * len(SCREENS), "a screen was drawn twice"


def test_what_could_not_be_written_is_never_shown(held: Held) -> None:
    with ExitStack() as full:
        before = held.table.history
        refused = held.run(lambda: full.enter_context(room_for(held.watched, 0)))
    assert (code_of(refused), held.table.history) == ("not_written", before)
    for digest in held.digests(held.foreseen[0]):
        assert not any(digest.encode() in chunk for sent in held.sent.values() for chunk in sent)


def test_what_else_changes_before_it_is_shown_is_shown_too(held: Held) -> None:
    offer = partial(held.room.seats.offer_seat, 1)
    assert held.run(lambda: held.table.watch(offer)) is None


def test_a_change_that_leaves_something_to_do_is_not_what_was_foreseen(tmp_path: Path) -> None:
    """Whether a card that lies there still belongs there is only known afterwards."""
    watched, foreseen = Watched(tmp_path / "journal.sqlite3", readers=(1,)), list[Table]()
    watched.lay("10", 1)
    for bank in range(2, 6):
        watched.settle(bank, "hand")
    watched.do(1, 'tile_turned seat=1 tile="place"')
    watched.lay("5", 1)
    watched.table.foresee(foreseen.append)
    watched.do(0, Undone(watched.table.version))
    (ahead,) = foreseen
    assert (ahead.history, len(watched.todos())) == (watched.table.history, 1)
    assert not watched.table.has_come(ahead)


def test_who_joins_while_it_is_written_sees_nothing_of_it(held: Held) -> None:
    """Another viewer of the screen waits since the line before: there is no state yet."""
    asks = [Undone(2)]

    def ask_again() -> None:
        if asks:
            held.begun.clear()
            held.goes_on.clear()
            held.watched.ask(0, asks.pop())

    async def story() -> None:
        broadcaster = Broadcaster(held.app)
        held.table.foresee(held.hold)
        held.table.watch(ask_again)
        asked = asyncio.to_thread(held.watched.ask, 1, 'tile_turned seat=1 tile="place"')
        answer, streams = asyncio.create_task(asked), list[asyncio.Task[None]]()
        for line in (1, 2):
            while len(held.foreseen) < line:
                await asyncio.sleep(0)
            await take_turns()
            streams.append(asyncio.create_task(broadcaster.follow(held.viewer(SCREENS[1]))))
            await take_turns()
            assert not any(held.sent.values())
            held.goes_on.set()
        assert await answer is None
        async with asyncio.timeout(60):
            while not held.sent[SCREENS[1]]:
                await asyncio.sleep(0)
        await broadcaster.stop()
        await asyncio.gather(*streams)

    asyncio.run(story())


def test_a_hand_that_is_closed_again_is_not_foreseen(tmp_path: Path) -> None:
    """Nobody learns of it: what was drawn ahead would be sent with the next change, long after."""
    watched, foreseen = Watched(tmp_path / "journal.sqlite3", readers=()), list[Table]()
    watched.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1").close(1)
    watched.table.foresee(foreseen.append)
    watched.close(2)
    assert not foreseen
    watched.close(2, 1)
    assert len(foreseen) == 1
