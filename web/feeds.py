"""Feeds: what is watched, by whom, and the newest snapshot of each screen.

Laws: only the newest snapshot counts, so nothing queues for a slow phone; a snapshot is painted
once per screen, on a thread of its own, and its bytes are shared by all who watch; what nobody
watches is not painted; the newest page of a seat wins.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from flask import Flask

from web.room import ROOM, Room
from web.screens import Screen, fragment

MOST_VIEWERS = 300
LAST_WORDS = 0.3


class Viewer:
    """One open connection."""

    def __init__(self) -> None:
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
        self.viewers: set[Viewer] = set()

    def show(self, snapshot: bytes) -> None:
        """Let everyone who watches see this, unless they see it already."""
        if snapshot != self.snapshot:
            self.snapshot = snapshot
            for viewer in self.viewers:
                viewer.wake.set()


class Streams:
    """All screens that somebody watches; lives on the event loop, paints on a thread of its own."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.room: Room = app.extensions[ROOM]
        self._loop = asyncio.get_running_loop()
        self._feeds: dict[Screen, Feed] = {}
        self._changed = asyncio.Event()
        self._painter = ThreadPoolExecutor(1, "painter")
        self._painting = self._loop.create_task(self._paint_changes())
        self._open = True
        self.room.table.watch(self._tell)
        self.room.seats.watch(self._tell)

    def _tell(self) -> None:
        """Something changed, in whichever thread; how often does not matter."""
        if self._open:
            self._loop.call_soon_threadsafe(self._changed.set)

    async def _paint_changes(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            for screen in list(self._feeds):
                await self._paint(screen)

    async def _paint(self, screen: Screen) -> None:
        snapshot = await self._loop.run_in_executor(self._painter, self._snapshot, screen)
        if screen in self._feeds and snapshot is not None:
            self._feeds[screen].show(snapshot)

    def _snapshot(self, screen: Screen) -> bytes | None:
        try:
            return told("state", fragment(self.app, self.room, screen))
        except Exception:  # One page that cannot be painted must not stop the others.
            logging.exception("The page %s could not be painted.", screen.page)
            return None

    @property
    def full(self) -> bool:
        """Whether as many watch as the table serves."""
        return sum(len(feed.viewers) for feed in self._feeds.values()) >= MOST_VIEWERS

    async def join(self, screen: Screen, viewer: Viewer) -> Feed:
        """Begin to watch: full state first."""
        feed = self._feeds.setdefault(screen, Feed())
        if screen.seat:
            self._replace(screen)
        feed.viewers.add(viewer)
        self.room.seats.attend(screen.browser, +1)
        if not feed.snapshot:
            await self._paint(screen)
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
            self.room.seats.attend(screen.browser, -1)
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


def told(event: str, data: str) -> bytes:
    """One event as it goes over the wire."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {event}\n{lines}\n".encode()
