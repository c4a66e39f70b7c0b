"""Broadcasting: the watched screens, who watches each, and their newest states.

Laws: only the newest state counts, so nothing queues for a slow phone; a screen is drawn once for
all its viewers, and only what has changed; a screen without viewers is not drawn; the answer to a
request goes out before the news of what it changed; the newest signed page of a seat wins. News of
the table is drawn on the event loop, screen by screen, and sent at once: a thread of its own would
have to be waited for twice, and they would share one interpreter. Only while the table writes is
it drawn there, as the loop never waits for a disk. What strangers can ask for, new screens and
those of single browsers, is drawn on a thread that they share.
"""

import asyncio
import itertools
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import msgspec
from flask import Flask

from web.browsers import Client
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import RATE_LIMIT, RateLimit
from web.rendering.blocks import LivePart
from web.rendering.scene import Screen
from web.rendering.screens import draw_live_part, is_signed_out
from web.server import viewers
from web.server.connections import Places
from web.server.pages import AnswerFirst
from web.server.pool import CrowdedError, Pool
from web.server.viewers import Channel, State, Viewer, ViewText

FAREWELL_TIMEOUT = 0.3
GAME_PAGES = ("phone", "play", "share", "table", "judge")
"""The pages that name the box on the table outside their live part."""
TABLE, SINGLE_BROWSERS = Client("table", comes_first=True), Client("single browsers")
"""Whom screens are drawn for after a change."""
STRANGERS_WAITING = 64
SLICE_SECONDS = 0.002
"""Seconds of drawing after which the loop does what else there is to do."""
CATCH_UP_SECONDS = 0.05
"""Seconds after which one that has taken everything gets what it missed meanwhile."""
DATA_PAGE = "data"
"""The screen that is no page: the view of a seat, or of the table, as JSON."""


class DrawnScreen(NamedTuple):
    """What a screen shows, and which of all drawings that was, in the order of their beginnings."""

    screen: Screen
    begun: int
    state: State | None


class Broadcaster:
    """All watched screens; lives on the event loop."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.context: AppContext = app.extensions[CONTEXT_KEY]
        limit: RateLimit = app.extensions[RATE_LIMIT]
        self._places = Places[Viewer](limit.limits.viewers)
        self._loop = asyncio.get_running_loop()
        self._channels: dict[Screen, Channel] = {}
        self._changed, self._behind = asyncio.Event(), asyncio.Event()
        self.answers = AnswerFirst()
        self._painter = Pool("painter", 1, STRANGERS_WAITING)
        self._stale = StaleScreens()
        self._draws = itertools.count(1)
        self._tasks = [
            self._loop.create_task(self._render_changes()),
            self._loop.create_task(self._render_stale()),
            self._loop.create_task(self._keep_streams_alive()),
        ]
        self._running, self._frame = True, self._page_frame()
        self.context.table.watch(self._on_table_changed)
        self.context.seats.watch(self._on_seats_changed)

    def _on_table_changed(self) -> None:
        """Schedule a rendering; called from any thread, as often as one likes."""
        if self._running and not self.answers.hold_back(self._changed.set):
            self._loop.call_soon_threadsafe(self._changed.set)

    def _on_seats_changed(self) -> None:
        """Schedule a rendering, and end the streams of pages that are for another browser now."""
        self._on_table_changed()
        if self._running:
            self._loop.call_soon_threadsafe(self._end_moved_streams)

    def _end_moved_streams(self) -> None:
        """End the streams of screens that belong to another browser, or to none, by now."""
        for screen, channel in self._channels.items():
            if screen.seat or screen.browser or screen.came_known:
                for viewer in tuple(channel.viewers):
                    viewer.end_stream(self._reason_to_end(screen, viewer))

    def _reason_to_end(self, screen: Screen, viewer: Viewer) -> str:
        """Return the last event of a stream that must end, "" for one that goes on."""
        if not self._running:
            return "stop"
        context = self.context
        has_moved = screen.seat and self.owner_of(screen) != viewer.owner
        if has_moved or screen.seat > context.table.seats > 0 or is_signed_out(context, screen):
            return "replaced"
        if screen.seat and context.seats.holder_of(screen.seat) != viewer.phone_holder:
            return "anew"  # The phone beside these cards is another one now.
        if self._sees_too_much(screen, viewer):
            return "anew"
        return ""

    def _sees_too_much(self, screen: Screen, viewer: Viewer) -> bool:
        """Check that this page came with the names of the table, and its browser is one of the
        table no longer; loaded again, it is a stranger's."""
        came_by_browser = screen.came_known and not screen.seat and not screen.browser
        is_one = viewer.is_here or self.context.may_see_names(viewer.owner)
        return came_by_browser and not is_one

    def owner_of(self, screen: Screen) -> str | None:
        """Return the browser that a page of a seat is for."""
        seats = self.context.seats
        owner = seats.mover_of if screen.page == "play" else seats.holder_of
        return owner(screen.seat)

    async def _render_changes(self) -> None:
        while True:
            await self._wait_for_change()
            self._request_reloads()
            self._end_moved_streams()
            screens = render_order(self._channels)
            self._stale.add(screen for screen in screens if is_single_browsers(screen))
            await self._draw_in_turn(
                [screen for screen in screens if not is_single_browsers(screen)]
            )

    async def _wait_for_change(self) -> None:
        """Wait until something has changed, or the next step of a verdict is to be told."""
        rest = self.context.next_telling()
        timer = None if rest is None else self._loop.call_later(rest, self._changed.set)
        await self._changed.wait()
        self._changed.clear()
        if timer is not None:
            timer.cancel()

    async def _draw_in_turn(self, screens: Sequence[Screen]) -> None:
        """Draw these screens, and send the news of each as soon as it is drawn."""
        begun = self._loop.time()
        for screen in screens:
            if self.context.table.is_busy:
                await self._draw_in_thread(TABLE, screen)
            elif screen in self._channels:
                self._publish_drawn(self._draw_screen(screen))
            if self._loop.time() - begun > SLICE_SECONDS:
                await asyncio.sleep(0)
                begun = self._loop.time()

    async def _render_stale(self) -> None:
        """Render the screens of single browsers one by one, between those of the seats."""
        while True:
            screen = await self._stale.take()
            if screen in self._channels:
                with suppress(CrowdedError):
                    await self._draw_in_thread(SINGLE_BROWSERS, screen)

    async def _keep_streams_alive(self) -> None:
        """Send heartbeats, and let those catch up who were busy."""
        beaten = self._loop.time()
        while True:
            rest = max(0.0, beaten + viewers.HEARTBEAT_SECONDS - self._loop.time())
            with suppress(TimeoutError):
                await asyncio.wait_for(self._behind.wait(), rest)
            if self._behind.is_set():
                await asyncio.sleep(min(rest, CATCH_UP_SECONDS))
                self._catch_up()
            if self._loop.time() - beaten >= viewers.HEARTBEAT_SECONDS:
                beaten = self._loop.time()
                for channel in self._channels.values():
                    if channel.send_heartbeats(beaten):
                        self._behind.set()

    def _catch_up(self) -> None:
        now = self._loop.time()
        late = [channel for channel in self._channels.values() if channel.catch_up(now)]
        if not late:
            self._behind.clear()

    def _page_frame(self) -> tuple[str, str, bool, str]:
        """Return the facts of a page outside its live part: the game, the language of the table
        screen, whether the table is calm, and the recorded game that the screen shows."""
        context, scene = self.context, self.context.demo_scene("table")
        recorded = scene.view.public.id if scene else ""
        return context.game, context.settings.language, context.is_calm, recorded

    def _request_reloads(self) -> None:
        """End the streams of pages to be loaded again, as what surrounds their live part changed.

        Back from a recorded game to the table itself, the page follows without a reload; so do all
        pages but the table screen, whose switches it concerns, when the table becomes calm: what is
        being filled in on a phone stays.
        """
        (game, language, is_calm, recorded), self._frame = self._frame, self._page_frame()
        recorded_now = self._frame[-1]
        table_changed = (
            language != self.context.settings.language
            or is_calm != self.context.is_calm
            or recorded != recorded_now != ""
        )
        for screen, channel in self._channels.items():
            game_changed = game != self.context.game and screen.page in GAME_PAGES
            if game_changed or (table_changed and screen.page == "table"):
                for viewer in tuple(channel.viewers):
                    viewer.end_stream("anew")

    async def _draw_in_thread(self, client: Client, screen: Screen) -> None:
        """Draw a screen in the turn of this client, and send its news.

        Raise CrowdedError if a stranger's screen finds no place in the line.
        """
        work = partial(self._draw_screen, screen)
        drawn = await asyncio.wrap_future(self._painter.submit(client, work))
        if self._running:
            self._publish_drawn(drawn)

    def _draw_screen(self, screen: Screen) -> DrawnScreen:
        """Draw a screen now; no state if it cannot be drawn."""
        channel, begun = self._channels.get(screen), next(self._draws)
        try:
            before = channel.newest if channel else None
            return DrawnScreen(screen, begun, draw_state(self.app, self.context, screen, before))
        except Exception:  # One page that fails must not stop the others.
            logging.exception("The page %s could not be painted.", screen.page)
            return DrawnScreen(screen, begun, None)

    def _publish_drawn(self, drawn: DrawnScreen) -> None:
        channel = self._channels.get(drawn.screen)
        if channel is None or drawn.state is None:
            return
        if channel.publish(drawn.state, drawn.begun):
            self._behind.set()

    def admit(self, viewer: Viewer) -> bool:
        """Give a viewer a place, and end the stream that loses it; False if that is this one."""
        gone = self._places.place(viewer, viewer.client, waits=False)
        if gone is not None:
            gone.end_stream("stop")
        return gone is not viewer

    async def subscribe(self, screen: Screen, viewer: Viewer) -> None:
        """Add a viewer to a screen, which is drawn when this returns."""
        channel = self._channels.setdefault(screen, Channel())
        if screen.seat:
            self._end_older_streams(screen, viewer)
        channel.viewers.add(viewer)
        viewer.phone_holder = self.context.seats.holder_of(screen.seat)
        viewer.browser = screen.browser or (viewer.owner if screen.seat else "")
        self.context.seats.count_open_page(viewer.browser, +1)
        if not channel.id:
            await self._draw_in_thread(viewer.client, screen)

    def welcome(self, screen: Screen, viewer: Viewer, seen: str) -> None:
        """Send a viewer of a screen the newest state, unless that is what it has seen last, or its
        seat has been given away since it asked."""
        viewer.begin_stream(seen)
        viewer.end_stream(self._reason_to_end(screen, viewer))
        channel = self._channels.get(screen)
        if channel is not None and channel.welcome(viewer):
            self._behind.set()

    def _end_older_streams(self, asked: Screen, viewer: Viewer) -> None:
        """End all older streams of this page of a seat, as of a forgotten tab.

        A signed stream stays unless the newest is signed as well: a copied cookie cannot end it.
        """
        for screen, channel in self._channels.items():
            if (screen.page, screen.seat) == (asked.page, asked.seat):
                for other in tuple(channel.viewers):
                    if viewer.is_signed or not other.is_signed:
                        other.end_stream("replaced")

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
        for task in self._tasks:
            task.cancel()
        for channel in self._channels.values():
            for viewer in tuple(channel.viewers):
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


def draw_state(
    app: Flask, context: AppContext, screen: Screen, before: State | None = None
) -> State:
    """Draw the state of a screen: a page, or the view as JSON."""
    if screen.page == DATA_PAGE:
        view, names = (
            context.table.view(screen.seat),
            context.shown_names(screen.sees_names(context)),
        )
        shown = view and msgspec.structs.replace(view, names=names)
        return ViewText(msgspec.json.encode(shown).decode())
    return draw_live_part(app, context, screen, before if isinstance(before, LivePart) else None)
