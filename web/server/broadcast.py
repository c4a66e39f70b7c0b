"""Broadcasting: the watched screens, their viewers, and their newest states.

Laws: only the newest state counts, so nothing queues for a slow phone; a screen is drawn once for
all its viewers, and only what has changed; what everyone sees of a game is found once for all
languages; a screen without viewers is not drawn; the answer to a
request goes out before the news of what it changed; the newest signed page of a seat wins. Screens
are drawn on the event loop and sent at once: a thread of its own would share the interpreter with
it, and be waited for at each send. Those of seats and of everyone, of which there are few, come
first, all in one turn; what strangers can open by the hundred, the screens of single browsers, is
drawn after these, one a turn. The loop never waits for a table that writes to its disk.
"""

import asyncio
import logging
from collections import defaultdict
from contextlib import suppress

import msgspec
from flask import Flask

from web.browsers import RATE_LIMIT, RateLimit
from web.context import CONTEXT_KEY, AppContext
from web.rendering.blocks import LivePart
from web.rendering.scene import Found, Screen
from web.rendering.screens import PAGES, draw_live_part, is_signed_out
from web.server import viewers
from web.server.connections import Places
from web.server.pages import AnswerFirst
from web.server.viewers import Channel, Frame, State, Viewer, ViewText
from web.streams import DATA_PAGE

FAREWELL_TIMEOUT = 0.3
GAME_PAGES = ("phone", "play", "lab", "share", "table", "judge")
"""The pages that name the box on the table outside their live part."""
WRITING_SECONDS = 0.002
"""Seconds after which a table that is writing is looked at again."""


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
        self._changed, self._running = asyncio.Event(), True
        self._stale = dict[Screen, None]()
        """The screens to be drawn again, in this order."""
        self._found = defaultdict[Screen, Found](Found)
        """What the newest change has brought to everyone, by their page."""
        self._telling: asyncio.TimerHandle | None = None
        self._changed.set()  # A verdict may be told just now.
        self.context.table.watch(self._on_change)
        self.context.seats.watch(self._on_change)
        work = (self._draw_stale_screens(), self._send_heartbeats())
        self._tasks = [self._loop.create_task(each) for each in work]

    # What has changed is drawn, and sent.

    def _on_change(self) -> None:
        """Schedule a drawing; called from any thread, as often as one likes."""
        if self._running and not self.answers.hold_back(self._changed.set):
            self._loop.call_soon_threadsafe(self._changed.set)

    async def _draw_stale_screens(self) -> None:
        """Draw each screen that is to be drawn again, and send its news, the longest waiting
        first."""
        while True:
            if self._changed.is_set():
                self._note_change()
            if self._stale:
                screen = next(iter(self._stale))
                del self._stale[screen]
                await self._draw(screen, self._find_shared(screen))
                if screen.browser:
                    await asyncio.sleep(0)
            else:
                await self._changed.wait()

    def _note_change(self) -> None:
        """Have every screen drawn again that is still watched."""
        self._changed.clear()
        self._schedule_telling()
        self._end_streams()
        self._found.clear()
        self._stale = dict.fromkeys(sorted([*self._stale, *self._channels], key=rank))

    def _schedule_telling(self) -> None:
        """Have everything drawn again when more of a verdict is to be told."""
        if self._telling is not None:
            self._telling.cancel()
        rest = self.context.next_telling()
        self._telling = None if rest is None else self._loop.call_later(rest, self._changed.set)

    def _find_shared(self, screen: Screen) -> Found:
        """Return what the newest change has brought to the viewers of a screen, so far."""
        if screen.seat or screen.browser:
            return Found()
        return self._found[msgspec.structs.replace(screen, language="")]

    async def _draw(self, screen: Screen, found: Found) -> None:
        """Draw a watched screen as soon as the table has written, and send the changes."""
        while self.context.table.is_busy:
            await asyncio.sleep(WRITING_SECONDS)
        channel = self._channels.get(screen)
        if channel is not None:
            try:
                state = draw_state(self.app, self.context, screen, channel.newest, found)
                channel.publish(state)
            except Exception:  # One page that fails must not stop the others.
                logging.exception("The page %s could not be painted.", screen.page)

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(viewers.HEARTBEAT_SECONDS)
            for channel in self._channels.values():
                for viewer in channel.viewers:
                    viewer.send(viewers.HEARTBEAT)

    # Who watches.

    def admit(self, viewer: Viewer) -> bool:
        """Give a viewer a place, and end the stream that loses it; False if that is this one."""
        gone = self._places.place(viewer, viewer.admission.client, waits=False)
        if gone is not None and gone is not viewer:
            gone.end_stream("stop")
        return gone is not viewer

    async def follow(self, viewer: Viewer) -> None:
        """Send a viewer the news of its screen until the stream is over.

        The older streams of this page of a seat end, as those of a forgotten tab; but one that is
        signed ends for a signed one alone, as the cookie may be a copy.
        """
        screen, admission = viewer.admission.screen, viewer.admission
        for other, channel in self._channels.items():
            if screen.seat and (other.page, other.seat) == (screen.page, screen.seat):
                for older in tuple(channel.viewers):
                    if admission.is_signed or not older.admission.is_signed:
                        older.end_stream("replaced")
        viewer.channel = channel = self._channels.setdefault(screen, Channel())
        viewer.frame = self._frame_of(screen)
        channel.viewers.add(viewer)
        browser = screen.browser or (admission.owner if screen.seat else "")
        self.context.seats.count_open_page(browser, +1)
        try:
            viewer.end_stream(self._reason_to_end(screen, viewer, viewer.frame))
            if not channel.id:
                await self._draw(screen, Found())
            elif viewer.seen == channel.id:
                viewer.send(viewers.HEARTBEAT)
            viewer.catch_up()
            await viewer.wait_until_over()
        finally:
            self.context.seats.count_open_page(browser, -1)
            channel.viewers.remove(viewer)
            if not channel.viewers:
                del self._channels[screen]

    def release(self, viewer: Viewer) -> None:
        """Release the place of a viewer."""
        self._places.remove(viewer)

    # Streams that end.

    def _end_streams(self) -> None:
        """End every stream with a reason to end, and send the reason as its last event."""
        for screen, channel in self._channels.items():
            frame = self._frame_of(screen)
            for viewer in tuple(channel.viewers):
                viewer.end_stream(self._reason_to_end(screen, viewer, frame))

    def _reason_to_end(self, screen: Screen, viewer: Viewer, frame: Frame) -> str:
        """Return the reason to end a viewer's stream, as its last event; “” if it goes on."""
        if not self._running:
            return "stop"
        context, seats, admission = self.context, self.context.seats, viewer.admission
        if screen.seat:
            owner = seats.mover_of if PAGES.get(screen.page) == "hands" else seats.holder_of
            if owner(screen.seat) != admission.owner or screen.seat > context.table.seats > 0:
                return "replaced"
        came_with_names = screen.came_known and not (screen.seat or screen.browser)
        if came_with_names and not (admission.is_here or context.may_see_names(admission.owner)):
            return "anew"
        if is_signed_out(context, screen):
            return "replaced"
        *was, recorded = viewer.frame
        *now, shown = frame
        return "anew" if was != now or shown not in ("", recorded) else ""

    def _frame_of(self, screen: Screen) -> Frame:
        """Return the frame of a page, around its live part.

        Back from a recorded game to the table itself, the page follows without a reload; so do all
        but the table screen when the table becomes calm: what is being filled in stays.
        """
        context = self.context
        game = context.game if screen.page in GAME_PAGES else ""
        if screen.page != "table":
            return game, context.seats.holder_of(screen.seat), ""
        scene = context.demo_scene("table")
        around = f"{context.settings.language} {context.is_calm}"
        return game, around, scene.view.public.id if scene else ""

    async def stop(self) -> None:
        """Send every viewer a last event, and wait at most FAREWELL_TIMEOUT for them to go."""
        self._running = False
        for task in self._tasks:
            task.cancel()
        self._end_streams()
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_TIMEOUT):
                while self._channels:
                    await asyncio.sleep(0.01)


def rank(screen: Screen) -> int:
    """Return the place of a screen in the order of drawing: seats, everyone, single browsers."""
    return 0 if screen.seat else 2 if screen.browser else 1


def draw_state(
    app: Flask, context: AppContext, screen: Screen, before: State | None, found: Found
) -> State:
    """Draw the state of a screen: a page, or the view as JSON."""
    if screen.page == DATA_PAGE:
        view = context.table.view(screen.seat)
        names = context.shown_names(screen.sees_names(context))
        shown = view and msgspec.structs.replace(view, names=names)
        return ViewText(msgspec.json.encode(shown).decode())
    before = before if isinstance(before, LivePart) else None
    return draw_live_part(app, context, screen, before, found)
