"""Feeds: what is watched, by whom, and the newest snapshot of each screen.

Laws: only the newest snapshot counts, so nothing queues for a slow phone; a snapshot is painted
once per screen, on a thread of its own, and its bytes are shared by all who watch; what nobody
watches is not painted; seats come before those who only look; the newest page of a seat wins.
"""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import msgspec
from flask import Flask

from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import LIMITS, Patience
from web.rendering.screens import Screen, fragment

LAST_WORDS = 0.3
OF_ONE_GAME = ("phone", "play", "share", "table", "judge")
"""The pages whose rail names the box on the table."""
DATA = "data"
"""The screen that is no page: the view of a seat, or of the table, as JSON."""


class Viewer:
    """One open connection: the address it comes from, and the browser whose page it is for."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        self.browser = ""
        self.wake = asyncio.Event()
        self.farewell = ""

    def leave(self, farewell: str) -> None:
        """Have this connection end, with a last word."""
        self.farewell = self.farewell or farewell
        self.wake.set()


class Feed:
    """One screen: its newest snapshot, and who watches it."""

    def __init__(self) -> None:
        self.snapshot = b""
        self.id = ""
        self.viewers: set[Viewer] = set()

    def show(self, data: str) -> None:
        """Let everyone who watches see this, unless they see it already.

        What is shown names it: an id that counted would tell of what is not shown.
        """
        id = hashlib.sha256(data.encode()).hexdigest()[:16]
        if id != self.id:
            self.id, self.snapshot = id, told("state", data, id)
            for viewer in self.viewers:
                viewer.wake.set()


class Streams:
    """All screens that somebody watches; lives on the event loop, paints on a thread of its own."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.room: AppContext = app.extensions[CONTEXT_KEY]
        patience: Patience = app.extensions[LIMITS]
        self._limits = patience.limits
        self._loop = asyncio.get_running_loop()
        self._feeds: dict[Screen, Feed] = {}
        self._watching: Counter[str] = Counter()
        self._changed = asyncio.Event()
        self._painter = ThreadPoolExecutor(1, "painter")
        self._painting = self._loop.create_task(self._paint_changes())
        self._open, self._round = True, self._stands_round()
        self.room.table.watch(self._tell)
        self.room.seats.watch(self._reseated)

    def _tell(self) -> None:
        """Something changed, in whichever thread; how often does not matter."""
        if self._open:
            self._loop.call_soon_threadsafe(self._changed.set)

    def _reseated(self) -> None:
        """Somebody came or sat down: every page may look another way, or be for another browser."""
        self._tell()
        if self._open:
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for feed in self._feeds.values():
            for viewer in feed.viewers:
                viewer.wake.set()

    async def _paint_changes(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            self._come_anew()
            await self._paint(in_turn(self._feeds))

    def _stands_round(self) -> tuple[str, str, str, int]:
        """What stands round the followed part: the game, the language of the table screen, the
        recorded evening that it shows, and from how many seats one may look.
        """
        room, scene = self.room, self.room.demo_scene("table")
        evening = scene.view.public.id if scene else ""
        return room.game, room.language, evening, room.table.seats

    def _come_anew(self) -> None:
        """Who must load the page anew, or has no seat any more, is told at once.

        From a recorded evening back to the table itself there is nothing to wait for.
        """
        (game, spoken, evening, seats), self._round = self._round, self._stands_round()
        now = self._round[2]
        of_the_table = spoken != self.room.language or evening != now != ""
        if seats != self.room.table.seats:
            self._wake()
        for screen, feed in self._feeds.items():
            another = game != self.room.game and screen.page in OF_ONE_GAME
            if another or (of_the_table and screen.page == "table"):
                for viewer in feed.viewers:
                    viewer.leave("anew")

    async def _paint(self, screens: Sequence[Screen]) -> None:
        """Paint these, and show each as soon as it is painted."""
        await self._loop.run_in_executor(self._painter, self._paint_there, screens)

    def _paint_there(self, screens: Sequence[Screen]) -> None:
        for screen in screens:
            data = self._data(screen)
            if data is not None and self._open:
                self._loop.call_soon_threadsafe(self._show, screen, data)

    def _show(self, screen: Screen, data: str) -> None:
        if screen in self._feeds:
            self._feeds[screen].show(data)

    def _data(self, screen: Screen) -> str | None:
        try:
            return painted(self.app, self.room, screen)
        except Exception:  # One page that cannot be painted must not stop the others.
            logging.exception("The page %s could not be painted.", screen.page)
            return None

    def full(self, address: str) -> bool:
        """Whether as many watch as the table serves, in all or from this address."""
        limits, each = self._limits, self._watching[address]
        return self._watching.total() >= limits.viewers or each >= limits.viewers_each

    async def join(self, screen: Screen, viewer: Viewer) -> Feed:
        """Begin to watch: full state first."""
        feed = self._feeds.setdefault(screen, Feed())
        if screen.seat:
            self._replace(screen)
        feed.viewers.add(viewer)
        seats = self.room.seats
        whose = seats.hands if screen.page == "play" else seats.holder
        viewer.browser = screen.browser or whose(screen.seat) or ""
        self.room.seats.attend(viewer.browser, +1)
        self._watching[viewer.address] += 1
        if not feed.snapshot:
            await self._paint([screen])
        return feed

    def _replace(self, newest: Screen) -> None:
        """The page of a seat is watched once: a forgotten tab does not stay behind."""
        for screen, feed in self._feeds.items():
            if (screen.page, screen.seat) == (newest.page, newest.seat):
                for viewer in feed.viewers:
                    viewer.leave("replaced")

    def leave(self, screen: Screen, viewer: Viewer) -> None:
        """Watch no longer; what nobody watches is not painted."""
        feed = self._feeds.get(screen)
        if feed is not None and viewer in feed.viewers:
            feed.viewers.remove(viewer)
            self.room.seats.attend(viewer.browser, -1)
            self._watching -= Counter([viewer.address])
            if not feed.viewers:
                del self._feeds[screen]

    async def stop(self) -> None:
        """Say goodbye to everyone."""
        self._open = False
        self._painting.cancel()
        for feed in self._feeds.values():
            for viewer in feed.viewers:
                viewer.leave("stop")
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_gone(), LAST_WORDS)
        self._painter.shutdown(wait=False, cancel_futures=True)

    async def _all_gone(self) -> None:
        while self._feeds:
            await asyncio.sleep(0.01)


def in_turn(screens: Iterable[Screen]) -> list[Screen]:
    """First those of the seats, then what everyone sees, then what one browser alone sees.

    Of these last ones strangers can open hundreds.
    """
    return sorted(screens, key=lambda screen: (not screen.seat, bool(screen.browser)))


def painted(app: Flask, here: AppContext, screen: Screen) -> str:
    """What the stream of a screen shows now."""
    if screen.page == DATA:
        return msgspec.json.encode(here.table.view(screen.seat)).decode()
    return fragment(app, here, screen)


def told(event: str, data: str, id: str = "") -> bytes:
    """One event as it goes over the wire."""
    named = f"id: {id}\n" if id else ""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {event}\n{named}{lines}\n".encode()
