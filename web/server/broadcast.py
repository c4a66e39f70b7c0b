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
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

import msgspec
from flask import Flask

from web.browsers import Client
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import RATE_LIMIT, RateLimit
from web.rendering.blocks import LivePart
from web.rendering.page_list import PAGES
from web.rendering.scene import Screen
from web.rendering.screens import draw_live_part, is_signed_out
from web.server import viewers
from web.server.connections import Places
from web.server.pages import AnswerFirst
from web.server.pool import CrowdedError, Pool
from web.server.viewers import Channel, State, Viewer, ViewText
from web.streams import DATA_PAGE

FAREWELL_TIMEOUT = 0.3
GAME_PAGES = ("phone", "play", "lab", "share", "table", "judge")
"""The pages that name the box on the table outside their live part."""
TABLE, SINGLE_BROWSERS = Client("table", comes_first=True), Client("single browsers")
"""Whom screens are drawn for after a change."""
STRANGERS_WAITING = 64
SLICE_SECONDS = 0.002
"""Seconds of drawing after which the loop does what else there is to do."""
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
        self._changed, self._behind = asyncio.Event(), asyncio.Event()
        self.answers = AnswerFirst()
        self._painter = Pool("painter", 1, STRANGERS_WAITING)
        self._draws = itertools.count(1)
        self._stale: dict[Screen, None] = {}
        self._stale_single: dict[Screen, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._tasks = [
            self._loop.create_task(self._draw_stale_screens()),
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
            self._loop.call_soon_threadsafe(self._end_streams, self._reason_to_end)

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

    def owner_of(self, screen: Screen) -> str | None:
        """Return the browser that a page of a seat is for."""
        seats = self.context.seats
        owner = seats.mover_of if PAGES.get(screen.page) == "hands" else seats.holder_of
        return owner(screen.seat)

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
        for screen in render_order(self._channels):
            (self._stale_single if is_single_browsers(screen) else self._stale)[screen] = None

    def _schedule_telling(self) -> None:
        """Have everything drawn again when more of a verdict is to be told."""
        if self._timer is not None:
            self._timer.cancel()
        rest = self.context.next_telling()
        self._timer = None if rest is None else self._loop.call_later(rest, self._changed.set)

    async def _draw_stale_screens(self) -> None:
        """Draw each screen that is to be drawn anew, and send its news at once: those of seats and
        of everyone first, then of single browsers, the longest waiting first."""
        self._schedule_telling()
        begun = self._loop.time()
        while True:
            if self._changed.is_set():
                self._note_change()
            waiting = self._stale or self._stale_single
            if not waiting:
                await self._changed.wait()
                begun = self._loop.time()
                continue
            screen = next(iter(waiting))
            del waiting[screen]
            if screen not in self._channels:
                continue
            is_single = is_single_browsers(screen)
            if is_single or self.context.table.is_busy:
                with suppress(CrowdedError):
                    await self._draw_in_thread(SINGLE_BROWSERS if is_single else TABLE, screen)
            else:
                self._publish(screen, *self._draw_screen(screen))
            if self._loop.time() - begun > SLICE_SECONDS:
                await asyncio.sleep(0)
                begun = self._loop.time()

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

    async def _draw_in_thread(self, client: Client, screen: Screen) -> None:
        """Draw a screen in the turn of this client, and send its news.

        Raise CrowdedError if a stranger's screen finds no place in the line.
        """
        drawing = self._painter.submit(client, partial(self._draw_screen, screen))
        self._publish(screen, *await asyncio.wrap_future(drawing))

    def _draw_screen(self, screen: Screen) -> tuple[int, State | None]:
        """Return which of all drawings this was, in the order of their beginnings, and what the
        screen shows now; None if it cannot be drawn."""
        channel, begun = self._channels.get(screen), next(self._draws)
        try:
            before = channel.newest if channel else None
            return begun, draw_state(self.app, self.context, screen, before)
        except Exception:  # One page that fails must not stop the others.
            logging.exception("The page %s could not be painted.", screen.page)
            return begun, None

    def _publish(self, screen: Screen, begun: int, state: State | None) -> None:
        channel = self._channels.get(screen)
        if state is None or channel is None or not self._running:
            return
        if channel.publish(state, begun):
            self._behind.set()

    def admit(self, viewer: Viewer) -> bool:
        """Give a viewer a place, and end the stream that loses it; False if that is this one."""
        gone = self._places.place(viewer, viewer.admission.client, waits=False)
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
        viewer.browser = screen.browser or (viewer.admission.owner if screen.seat else "")
        self.context.seats.count_open_page(viewer.browser, +1)
        if not channel.id:
            await self._draw_in_thread(viewer.admission.client, screen)

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
        self._end_streams(
            lambda screen, other: (
                "replaced"
                if (screen.page, screen.seat) == (asked.page, asked.seat)
                and (viewer.admission.is_signed or not other.admission.is_signed)
                else ""
            )
        )

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
        self._end_streams(self._reason_to_end)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wait_for_viewers(), FAREWELL_TIMEOUT)
        self._painter.shutdown()

    async def _wait_for_viewers(self) -> None:
        while self._channels:
            await asyncio.sleep(0.01)


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
