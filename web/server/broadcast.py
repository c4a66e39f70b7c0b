"""Broadcasting: the watched screens, who watches each, and their newest states.

Laws: only the newest state counts, so nothing queues for a slow phone; a screen is drawn once for
all its viewers, and only what has changed; a screen without viewers is not drawn; the answer to a
request goes out before the news of what it changed; the newest signed page of a seat wins. Screens
of seats, then those of everyone are drawn on the event loop and sent at once: a thread of its own
would share the interpreter with it, and be waited for at each send. The loop never waits for a
table that writes to its disk. What strangers can open by the hundred, the screens of single
browsers, is drawn on a thread, in the turn of strangers.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec
from flask import Flask

from web.browsers import RATE_LIMIT, Client, RateLimit
from web.context import CONTEXT_KEY, AppContext
from web.rendering.blocks import LivePart
from web.rendering.page_list import PAGES
from web.rendering.scene import Screen
from web.rendering.screens import draw_live_part, is_signed_out
from web.server import viewers
from web.server.connections import Places
from web.server.pages import AnswerFirst
from web.server.pool import Pool
from web.server.viewers import Channel, State, Viewer, ViewText
from web.streams import DATA_PAGE

FAREWELL_TIMEOUT = 0.3
GAME_PAGES = ("phone", "play", "lab", "share", "table", "judge")
"""The pages that name the box on the table outside their live part."""
SINGLE_BROWSERS = Client("single browsers")
"""Whom the screens of single browsers are drawn for after a change."""
STRANGERS_WAITING = 64
BUSY_SECONDS = 0.002
"""Seconds after which a table that is writing is looked at again."""
CATCH_UP_SECONDS = 0.05
"""Seconds after which one that has taken everything gets what it missed meanwhile."""


class Broadcaster:
    """All watched screens; lives on the event loop."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.context: AppContext = app.extensions[CONTEXT_KEY]
        limit: RateLimit = app.extensions[RATE_LIMIT]
        self._places = Places[Viewer](limit.limits.viewers)
        self._loop = asyncio.get_running_loop()
        self._channels: dict[Screen, Channel] = {}
        self.answers = AnswerFirst()
        self._painter = Pool("painter", 1, STRANGERS_WAITING)
        self._changed, self._is_catching_up = asyncio.Event(), False
        self._stale, self._stale_single = (OrderedDict[Screen, None]() for _ in range(2))
        self._telling: asyncio.TimerHandle | None = None
        self._running, self._frame = True, self._page_frame()
        self.context.table.watch(self._on_table_changed)
        self.context.seats.watch(self._on_seats_changed)
        self._drawing = self._loop.create_task(self._draw_stale_screens())
        self._loop.call_later(viewers.HEARTBEAT_SECONDS, self._send_heartbeats)

    # What has changed is drawn, and sent.

    def _on_table_changed(self) -> None:
        """Schedule a drawing; called from any thread, as often as one likes."""
        if self._running and not self.answers.hold_back(self._changed.set):
            self._loop.call_soon_threadsafe(self._changed.set)

    def _on_seats_changed(self) -> None:
        """Schedule a drawing, and end the streams of pages that are for another browser now."""
        self._on_table_changed()
        if self._running:
            self._loop.call_soon_threadsafe(self._end_streams, self._reason_to_end)

    def _note_change(self) -> None:
        """Have every watched screen drawn anew."""
        self._changed.clear()
        self._schedule_telling()
        reloaded = self._pages_to_reload()
        self._end_streams(
            lambda screen, viewer: (
                "anew" if screen.page in reloaded else self._reason_to_end(screen, viewer)
            )
        )
        for screen in sorted(self._channels, key=lambda screen: not screen.seat):
            (self._stale_single if is_single_browsers(screen) else self._stale)[screen] = None
        self._painter.submit(SINGLE_BROWSERS, self._draw_single)

    async def _draw_stale_screens(self) -> None:
        """Draw each screen that is to be drawn anew, and send its news, the longest waiting
        first."""
        self._schedule_telling()
        while True:
            if self._changed.is_set():
                self._note_change()
            if self._stale:
                await self._draw_here(self._stale.popitem(last=False)[0])
                await asyncio.sleep(0)
            else:
                await self._changed.wait()

    async def _draw_here(self, screen: Screen) -> None:
        """Draw a screen on the event loop, as soon as the table is not writing."""
        while self.context.table.is_busy:
            await asyncio.sleep(BUSY_SECONDS)
        self._publish(screen, self._draw_screen(screen))

    def _draw_single(self) -> None:
        """Draw the screen of a single browser on a thread, and have the next one drawn in its
        turn."""
        with suppress(KeyError):
            self._draw_on_thread(self._stale_single.popitem(last=False)[0])
            self._painter.submit(SINGLE_BROWSERS, self._draw_single)

    def _draw_on_thread(self, screen: Screen) -> None:
        state = self._draw_screen(screen)
        self._loop.call_soon_threadsafe(self._publish, screen, state)

    def _draw_screen(self, screen: Screen) -> State | None:
        """Return what a screen shows now; None if nobody watches it, or it cannot be drawn."""
        channel = self._channels.get(screen)
        if channel is None:
            return None
        try:
            return draw_state(self.app, self.context, screen, channel.newest)
        except Exception:  # One page that fails must not stop the others.
            logging.exception("The page %s could not be painted.", screen.page)
            return None

    def _publish(self, screen: Screen, state: State | None) -> None:
        channel = self._channels.get(screen)
        if channel and state and self._running and channel.publish(state):
            self._catch_up_soon()

    def _schedule_telling(self) -> None:
        """Have everything drawn again when more of a verdict is to be told."""
        if self._telling is not None:
            self._telling.cancel()
        rest = self.context.next_telling()
        self._telling = None if rest is None else self._loop.call_later(rest, self._changed.set)

    def _page_frame(self) -> tuple[str, str, bool, str]:
        """Return the facts of a page outside its live part: the game, the language of the table
        screen, whether the table is calm, and the recorded game that the screen shows."""
        context, scene = self.context, self.context.demo_scene("table")
        recorded = scene.view.public.id if scene else ""
        return context.game, context.settings.language, context.is_calm, recorded

    def _pages_to_reload(self) -> set[str]:
        """Return the pages to be loaded again, as what surrounds their live part changed.

        Back from a recorded game to the table itself, the page follows without a reload; so do all
        pages but the table screen, whose switches it concerns, when the table becomes calm: what is
        being filled in on a phone stays.
        """
        before, self._frame = self._frame, self._page_frame()
        pages = set(GAME_PAGES if before[0] != self._frame[0] else ())
        if before[1:3] != self._frame[1:3] or before[3] != self._frame[3] != "":
            pages.add("table")
        return pages

    # Those who are slow, and those who are silent.

    def _send_heartbeats(self) -> None:
        if self._running:
            now = self._loop.time()
            behind = [channel.send_heartbeats(now) for channel in self._channels.values()]
            if any(behind):
                self._catch_up_soon()
            self._loop.call_later(viewers.HEARTBEAT_SECONDS, self._send_heartbeats)

    def _catch_up_soon(self) -> None:
        if not self._is_catching_up:
            self._is_catching_up = True
            self._loop.call_later(CATCH_UP_SECONDS, self._catch_up)

    def _catch_up(self) -> None:
        """Send those who were busy what they missed, until all have it."""
        self._is_catching_up, now = False, self._loop.time()
        behind = [channel.catch_up(now) for channel in self._channels.values()]
        if any(behind) and self._running:
            self._catch_up_soon()

    # Who watches.

    def admit(self, viewer: Viewer) -> bool:
        """Give a viewer a place, and end the stream that loses it; False if that is this one."""
        gone = self._places.place(viewer, viewer.admission.client, waits=False)
        if gone is not None:
            gone.end_stream("stop")
        return gone is not viewer

    async def subscribe(self, screen: Screen, viewer: Viewer) -> None:
        """Add a viewer to a screen, which is drawn when this returns; raise CrowdedError if a
        stranger's screen finds no place in the line."""
        channel = self._channels.setdefault(screen, Channel())
        if screen.seat:
            self._end_older_streams(screen, viewer)
        channel.viewers.add(viewer)
        viewer.phone_holder = self.context.seats.holder_of(screen.seat)
        viewer.browser = screen.browser or (viewer.admission.owner if screen.seat else "")
        self.context.seats.count_open_page(viewer.browser, +1)
        if channel.id:
            return
        if is_single_browsers(screen):
            drawing = partial(self._draw_on_thread, screen)
            await asyncio.wrap_future(self._painter.submit(viewer.admission.client, drawing))
        else:
            await self._draw_here(screen)

    def welcome(self, screen: Screen, viewer: Viewer, seen: str) -> None:
        """Send a viewer of a screen the newest state, unless that is what it has seen last, or its
        seat has been given away since it asked."""
        viewer.begin_stream(seen)
        viewer.end_stream(self._reason_to_end(screen, viewer))
        channel = self._channels.get(screen)
        if channel is not None and channel.welcome(viewer):
            self._catch_up_soon()

    def unsubscribe(self, screen: Screen, viewer: Viewer) -> None:
        """Remove a viewer, and the channel with its last one."""
        self._places.remove(viewer)
        channel = self._channels.get(screen)
        if channel is not None and viewer in channel.viewers:
            channel.viewers.remove(viewer)
            self.context.seats.count_open_page(viewer.browser, -1)
            if not channel.viewers:
                del self._channels[screen]

    def owner_of(self, screen: Screen) -> str | None:
        """Return the browser that a page of a seat is for."""
        seats = self.context.seats
        owner = seats.mover_of if PAGES.get(screen.page) == "hands" else seats.holder_of
        return owner(screen.seat)

    # Streams that end.

    def _end_streams(self, find_reason: Callable[[Screen, Viewer], str]) -> None:
        """End every stream for which there is a reason, with that as its last event."""
        for screen, channel in self._channels.items():
            for viewer in tuple(channel.viewers):
                viewer.end_stream(find_reason(screen, viewer))

    def _reason_to_end(self, screen: Screen, viewer: Viewer) -> str:
        """Return the last event of a stream that must end, "" for one that goes on."""
        if not self._running:
            return "stop"
        context = self.context
        has_moved = screen.seat and self.owner_of(screen) != viewer.admission.owner
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
        is_one = viewer.admission.is_here or self.context.may_see_names(viewer.admission.owner)
        return came_by_browser and not is_one

    def _end_older_streams(self, asked: Screen, viewer: Viewer) -> None:
        """End all older streams of this page of a seat, as of a forgotten tab.

        A signed stream stays unless the newest is signed as well: a copied cookie cannot end it.
        """
        self._end_streams(
            lambda screen, other: (
                "replaced"
                if (screen.page, screen.seat) == (asked.page, asked.seat)
                and (viewer.admission.is_signed or not other.admission.is_signed)
                else ""
            )
        )

    async def stop(self) -> None:
        """Send every viewer a last event, and wait at most FAREWELL_TIMEOUT for them to go."""
        self._running = False
        self._drawing.cancel()
        self._end_streams(self._reason_to_end)
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_TIMEOUT):
                while self._channels:
                    await asyncio.sleep(0.01)
        self._painter.shutdown()


def is_single_browsers(screen: Screen) -> bool:
    """Check that a screen is for one browser without a seat; strangers can open hundreds."""
    return bool(screen.browser) and not screen.seat


def draw_state(
    app: Flask, context: AppContext, screen: Screen, before: State | None = None
) -> State:
    """Draw the state of a screen: a page, or the view as JSON."""
    if screen.page == DATA_PAGE:
        view = context.table.view(screen.seat)
        names = context.shown_names(screen.sees_names(context))
        shown = view and msgspec.structs.replace(view, names=names)
        return ViewText(msgspec.json.encode(shown).decode())
    return draw_live_part(app, context, screen, before if isinstance(before, LivePart) else None)
