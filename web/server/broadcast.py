"""Broadcasting: the watched screens, their viewers, and their newest states.

Laws: only the newest state counts, so nothing queues for a slow phone; a screen is drawn once for
all its viewers, and only what has changed; what everyone sees of a game is found once for all
languages; a screen without viewers is not drawn; the answer to a request goes out before the news
of what it changed; the newest signed page of a seat wins. Screens are drawn on the event loop and
sent at once: a thread of its own would share the interpreter with it, and be waited for at each
send. Those of seats and of everyone, of which there are few, come first, all in one turn; what
strangers can open by the hundred, the screens of single browsers, is drawn after these, one a turn.
The loop never waits for a table that writes to its disk.
"""

import asyncio
import logging
from collections import defaultdict
from contextlib import suppress

import msgspec
from flask import Flask
from msgspec.structs import replace

from web.context import CONTEXT_KEY, AppContext
from web.rendering.blocks import LivePart
from web.rendering.scene import Found, Screen, find_shown
from web.rendering.screens import draw_live_part
from web.server import viewers
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
                is_private = screen.seat or screen.browser  # Its facts may have words.
                page = replace(screen, language="")
                await self._draw(screen, Found() if is_private else self._found[page])
                if screen.browser:
                    await asyncio.sleep(0)
            else:
                await self._changed.wait()

    def _note_change(self) -> None:
        """Have every screen drawn again that is still watched; and once more when more of a verdict
        is to be told."""
        self._changed.clear()
        self._end_streams()
        self._found.clear()
        self._stale = dict.fromkeys(sorted([*self._stale, *self._channels], key=rank))
        if self._telling is not None:
            self._telling.cancel()
        rest = self.context.next_telling()
        self._telling = None if rest is None else self._loop.call_later(rest, self._changed.set)

    async def _draw(self, screen: Screen, found: Found) -> None:
        """Draw a watched screen as soon as the table has written, and send the changes."""
        while self.context.table.is_busy:
            await asyncio.sleep(WRITING_SECONDS)
        if self._changed.is_set():
            self._end_streams()  # Whoever was signed out meanwhile sees no more.
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
            viewer.end_stream(self._reason_to_end(viewer, viewer.frame))
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

    # Streams that end.

    def _end_streams(self) -> None:
        """End every stream with a reason to end, and send the reason as its last event."""
        for screen, channel in self._channels.items():
            frame = self._frame_of(screen)
            for viewer in tuple(channel.viewers):
                viewer.end_stream(self._reason_to_end(viewer, frame))

    def _reason_to_end(self, viewer: Viewer, frame: Frame) -> str:
        """Return the reason to end a viewer's stream, as its last event; “” if it goes on."""
        if not self._running:
            return "stop"
        goes_on = viewer.frame == frame and viewer.admission.still_counts(self.context)
        return "" if goes_on else "anew"

    def _frame_of(self, screen: Screen) -> Frame:
        """Return the frame of a page, around its live part.

        All but the table screen follow without a reload when the table becomes calm: what is being
        filled in stays.
        """
        context = self.context
        game = context.game if screen.page in GAME_PAGES else ""
        if screen.page != "table":
            return game, context.seats.holder_of(screen.seat)
        scene = context.demo_scene("table")
        language, is_calm = context.settings.language, context.is_calm
        return scene.game if scene else game, f"{language} {is_calm}"

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
        shown = find_shown(context, screen)
        view = shown.view and replace(shown.view, names=shown.names)
        return ViewText(msgspec.json.encode(view).decode())
    before = before if isinstance(before, LivePart) else None
    return draw_live_part(app, context, screen, before, found)
