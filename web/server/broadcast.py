"""Broadcasting: the watched screens, who watches each, and its newest snapshot.

Laws: only the newest snapshot counts, so nothing queues for a slow phone; a snapshot is rendered
once per screen, on a thread of its own, and its bytes are shared by all viewers; a screen without
viewers is not rendered; seats come before spectators; the newest signed page of a seat wins.
"""

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from flask import Flask

from companion.host.fair_threads import Claimant, CrowdedError, FairThreads
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import RATE_LIMITER, RateLimiter
from web.rendering.screens import Screen, render_fragment
from web.server.admission import Places

FAREWELL_TIMEOUT = 0.3
GAME_PAGES = ("phone", "play", "share", "table", "judge")
"""The pages that name the box on the table outside their live part."""
TABLE, SINGLE_BROWSERS = Claimant("table", is_known=True), Claimant("single browsers")
"""Whom renderings after a change are done for."""
STRANGERS_WAITING = 64
DATA_PAGE = "data"
"""The screen that is no page: the view of a seat, or of the table, as JSON."""


class Viewer:
    """One open stream: whom it counts for, the browser whose page it is for, and whether that
    browser signed it."""

    def __init__(self, claimant: Claimant) -> None:
        self.claimant = claimant
        self.browser = ""
        self.is_signed = False
        self.wake = asyncio.Event()
        self.farewell = ""

    def end_stream(self, farewell: str) -> None:
        """End this stream with a last event; the first reason given counts."""
        self.farewell = self.farewell or farewell
        self.wake.set()


class Channel:
    """One screen: its newest snapshot, and its viewers."""

    def __init__(self) -> None:
        self.snapshot = b""
        self.id = ""
        self.viewers: set[Viewer] = set()

    def publish(self, data: str) -> None:
        """Store this snapshot and wake the viewers, unless it is the same as before.

        The id is a hash of the data: a counter would tell of changes that are not shown.
        """
        id = hashlib.sha256(data.encode()).hexdigest()[:16]
        if id != self.id:
            self.id, self.snapshot = id, encode_event("state", data, id)
            for viewer in self.viewers:
                viewer.wake.set()


class Broadcaster:
    """All watched screens; lives on the event loop, renders on a thread of its own."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.context: AppContext = app.extensions[CONTEXT_KEY]
        limiter: RateLimiter = app.extensions[RATE_LIMITER]
        self._places = Places[Viewer](limiter.limits.viewers)
        self._loop = asyncio.get_running_loop()
        self._channels: dict[Screen, Channel] = {}
        self._changed = asyncio.Event()
        self._painter = FairThreads(
            "painter", 1, known_waiting=256, strangers=1, strangers_waiting=STRANGERS_WAITING
        )
        self._stale = StaleScreens()
        self._render_tasks = [
            self._loop.create_task(self._render_changes()),
            self._loop.create_task(self._render_stale()),
        ]
        self._running, self._frame = True, self._page_frame()
        self.context.table.watch(self._on_table_changed)
        self.context.seats.watch(self._on_seats_changed)

    def _on_table_changed(self) -> None:
        """Schedule a rendering; called from any thread, as often as one likes."""
        if self._running:
            self._loop.call_soon_threadsafe(self._changed.set)

    def _on_seats_changed(self) -> None:
        """Schedule a rendering, and wake every viewer: pages may be for another browser now."""
        self._on_table_changed()
        if self._running:
            self._loop.call_soon_threadsafe(self._wake_viewers)

    def _wake_viewers(self) -> None:
        for channel in self._channels.values():
            for viewer in channel.viewers:
                viewer.wake.set()

    async def _render_changes(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            self._request_reloads()
            screens = render_order(self._channels)
            self._stale.add(screen for screen in screens if is_single_browsers(screen))
            await self._render_screens(
                TABLE, [screen for screen in screens if not is_single_browsers(screen)]
            )

    async def _render_stale(self) -> None:
        """Render the screens of single browsers one by one, between those of the seats."""
        while True:
            screen = await self._stale.take()
            if screen in self._channels:
                with suppress(CrowdedError):
                    await self._render_screens(SINGLE_BROWSERS, [screen])

    def _page_frame(self) -> tuple[str, str, str, int]:
        """Return what a page shows outside its live part: the game, the language of the table
        screen, the recorded game that it shows, and the number of seats."""
        context, scene = self.context, self.context.demo_scene("table")
        recorded = scene.view.public.id if scene else ""
        return context.game, context.language, recorded, context.table.seats

    def _request_reloads(self) -> None:
        """End the streams of pages to be loaded again, as what surrounds their live part changed.

        Back from a recorded game to the table itself, the page follows without a reload.
        """
        (game, language, recorded, seats), self._frame = self._frame, self._page_frame()
        recorded_now = self._frame[2]
        table_changed = language != self.context.language or recorded != recorded_now != ""
        if seats != self.context.table.seats:
            self._wake_viewers()
        for screen, channel in self._channels.items():
            game_changed = game != self.context.game and screen.page in GAME_PAGES
            if game_changed or (table_changed and screen.page == "table"):
                for viewer in channel.viewers:
                    viewer.end_stream("anew")

    async def _render_screens(self, claimant: Claimant, screens: Sequence[Screen]) -> None:
        """Render these screens in order, and publish each as soon as it is done.

        Raise CrowdedError if a stranger's screen finds no place in the line.
        """
        work = partial(self._render_in_thread, screens)
        await asyncio.wrap_future(self._painter.submit(claimant, work))

    def _render_in_thread(self, screens: Sequence[Screen]) -> None:
        for screen in screens:
            data = self._render_or_log(screen)
            if data is not None and self._running:
                self._loop.call_soon_threadsafe(self._publish, screen, data)

    def _publish(self, screen: Screen, data: str) -> None:
        if screen in self._channels:
            self._channels[screen].publish(data)

    def _render_or_log(self, screen: Screen) -> str | None:
        try:
            return render_update(self.app, self.context, screen)
        except Exception:  # One page that fails must not stop the others.
            logging.exception("The page %s could not be painted.", screen.page)
            return None

    def admit(self, viewer: Viewer) -> bool:
        """Give a viewer a place, and end the stream that loses it; False if that is this one."""
        gone = self._places.add(viewer, viewer.claimant, is_idle=False)
        if gone is not None:
            gone.end_stream("stop")
        return gone is not viewer

    async def subscribe(self, screen: Screen, viewer: Viewer) -> Channel:
        """Add a viewer to a screen; its channel has a snapshot when this returns."""
        channel = self._channels.setdefault(screen, Channel())
        if screen.seat:
            self._end_older_streams(screen, viewer.is_signed)
        channel.viewers.add(viewer)
        seats = self.context.seats
        owner_of = seats.mover_of if screen.page == "play" else seats.holder_of
        viewer.browser = screen.browser or owner_of(screen.seat) or ""
        self.context.seats.count_open_page(viewer.browser, +1)
        if not channel.snapshot:
            await self._render_screens(viewer.claimant, [screen])
        return channel

    def _end_older_streams(self, newest: Screen, is_signed: bool) -> None:
        """End the older streams of this page of a seat, as of a forgotten tab.

        A signed stream stays unless the newest is signed as well: a copied cookie cannot end it.
        """
        for screen, channel in self._channels.items():
            if (screen.page, screen.seat) == (newest.page, newest.seat):
                for viewer in channel.viewers:
                    if is_signed or not viewer.is_signed:
                        viewer.end_stream("replaced")

    def unsubscribe(self, screen: Screen, viewer: Viewer) -> None:
        """Remove a viewer, and the channel with its last one."""
        self._places.remove(viewer)
        channel = self._channels.get(screen)
        if channel is not None and viewer in channel.viewers:
            channel.viewers.remove(viewer)
            self.context.seats.count_open_page(viewer.browser, -1)
            if not channel.viewers:
                del self._channels[screen]

    async def stop(self) -> None:
        """Send every viewer a last event, and wait at most FAREWELL_TIMEOUT for them to go."""
        self._running = False
        for task in self._render_tasks:
            task.cancel()
        for channel in self._channels.values():
            for viewer in channel.viewers:
                viewer.end_stream("stop")
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wait_for_viewers(), FAREWELL_TIMEOUT)
        self._painter.shutdown()

    async def _wait_for_viewers(self) -> None:
        while self._channels:
            await asyncio.sleep(0.01)


class StaleScreens:
    """Screens of single browsers that are to be rendered, each once, the longest waiting first."""

    def __init__(self) -> None:
        self._screens: dict[Screen, None] = {}
        self._some = asyncio.Event()

    def add(self, screens: Iterable[Screen]) -> None:
        self._screens |= dict.fromkeys(screens)
        self._some.set()

    async def take(self) -> Screen:
        """Wait for a screen, and take it."""
        while not self._screens:
            self._some.clear()
            await self._some.wait()
        screen = next(iter(self._screens))
        del self._screens[screen]
        return screen


def is_single_browsers(screen: Screen) -> bool:
    """Check that a screen is for one browser without a seat; strangers can open hundreds."""
    return bool(screen.browser) and not screen.seat


def render_order(screens: Iterable[Screen]) -> list[Screen]:
    """Sort screens: those of seats first, then those of everyone, then of single browsers."""
    return sorted(screens, key=lambda screen: (not screen.seat, bool(screen.browser)))


def render_update(app: Flask, context: AppContext, screen: Screen) -> str:
    """Return what the stream of a screen sends: HTML, or the view as JSON."""
    if screen.page == DATA_PAGE:
        return msgspec.json.encode(context.table.view(screen.seat)).decode()
    return render_fragment(app, context, screen)


def encode_event(event: str, data: str, id: str = "") -> bytes:
    """Encode one server-sent event."""
    named = f"id: {id}\n" if id else ""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {event}\n{named}{lines}\n".encode()
