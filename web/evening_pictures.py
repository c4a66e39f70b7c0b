"""The picture cards of the evenings of one group: their links, and the thread that has them drawn.

Laws: a link is 128 random bits, and no clock is in it; it is made when a game has ended, and dies
with the group. A picture is drawn once for each language, by a process of its own, one at a time;
what is drawn is kept in memory, and no more than a few. Where no picture can be drawn there is no
link, and nothing else is missing.
"""

import logging
import secrets
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from companion.core.log_lines import log_line
from companion.table.evening import Evening
from web.rendering import draw_png
from web.rendering.picture_fonts import font_files

LOG = logging.getLogger(__name__)

MAX_EVENINGS = 4
"""Games of which a group keeps the pictures; that of an older one is gone."""
LINK_BYTES = 16
DRAWING_SECONDS = 30.0
"""After which a drawing is given up: a Pi Zero 2 needs two."""

Compose = Callable[[Evening, str], str]
"""Returns the picture of an evening in a language, as SVG."""


class EveningPictures:
    """The pictures of one group. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._links: OrderedDict[str, Evening] = OrderedDict()
        self._drawn: dict[tuple[str, str], Future[bytes]] = {}
        self._thread = ThreadPoolExecutor(1, "picture")
        self.can_draw = find_spec("resvg_py") is not None and bool(font_files())

    def find_link(self, evening: Evening) -> str:
        """Return the link of an evening's picture, a new one for one that was not seen before; ""
        where no pictures are drawn."""
        if not self.can_draw:
            return ""
        with self._lock:
            for link, known in self._links.items():
                if known == evening:
                    return link
            return self._add_link(evening)

    def _add_link(self, evening: Evening) -> str:
        """Make a link. An undo makes another evening of a game; the link of the first is gone."""
        for link, known in list(self._links.items()):
            if known.id == evening.id or len(self._links) >= MAX_EVENINGS:
                self._remove(link)
        link = secrets.token_urlsafe(LINK_BYTES)
        self._links[link] = evening
        return link

    def _remove(self, link: str) -> None:
        del self._links[link]
        for key in [key for key in self._drawn if key[0] == link]:
            self._drawn.pop(key).cancel()

    def evening_of(self, link: str) -> Evening | None:
        """Return the evening that this link leads to; None if it leads nowhere."""
        with self._lock:
            return self._links.get(link)

    def picture(self, link: str, language: str, compose: Compose) -> Future[bytes] | None:
        """Return the picture, which may still be drawn; None if the link leads nowhere."""
        with self._lock:
            evening = self._links.get(link)
            if evening is None:
                return None
            key = (link, language)
            if key not in self._drawn:
                self._drawn[key] = self._thread.submit(draw_picture, compose(evening, language))
            return self._drawn[key]

    def forget(self) -> None:
        """Let every link die: the next group comes."""
        with self._lock:
            for link in list(self._links):
                self._remove(link)


def draw_picture(svg: str) -> bytes:
    """Return an SVG as PNG; raise OSError or SubprocessError if it cannot be drawn."""
    command = [sys.executable, "-I", str(Path(draw_png.__file__)), *map(str, font_files())]
    try:
        done = subprocess.run(
            command, input=svg.encode(), capture_output=True, check=True, timeout=DRAWING_SECONDS
        )
    except (OSError, subprocess.SubprocessError) as failed:
        LOG.warning(log_line("picture_not_drawn", why=type(failed).__name__))
        raise
    return done.stdout
