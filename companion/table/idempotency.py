"""Requests as they come over a bad line: twice, late, or on an old screen.

Laws: a request counts once, however often it arrives; one that was made on a screen which no
longer shows the question is refused, and hears what is going on now. That somebody else did
something meanwhile does not make a question old.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Event, to_json
from companion.core.table_events import AMENDMENTS, Settled
from companion.table.activity_log import told
from companion.table.history import History
from companion.table.permissions import Author

KEY = re.compile(r"[A-Za-z0-9-]{1,64}")
NEWEST = 3
"""So many of the last moments are told to whoever comes too late."""
KEPT = 5_000
"""So many granted requests are kept: those of several games."""
REMEMBERED = 64
"""So many versions back an answer can still be matched with its question."""


class Requests:
    """The requests that a table has granted, and the questions that its game asked.

    One of the last game that comes late still counts as granted, and does nothing in the next.
    """

    def __init__(self) -> None:
        self._granted: dict[str, bytes] = {}
        self._asked: OrderedDict[int, Any] = OrderedDict()

    def mark(self, author: Author, key: str) -> str:
        """The key as the journal has it: nobody's keys are in another's way."""
        return f"{author.via} {key}" if key else ""

    def known(self, author: Author, key: str, event: Event) -> tuple[bool, Refusal | None]:
        """Whether this very request was granted before, or its key cannot be used."""
        if not key:
            return False, None
        if not KEY.fullmatch(key):
            text = "The key of a request is 1 to 64 letters, digits or hyphens."
            return False, refusal("bad_key", "T.stale", text)
        granted = self._granted.get(self.mark(author, key))
        if granted is None or granted == to_json(event) or _came_to(granted, event):
            return granted is not None, None
        text = "This key belongs to another request."
        return False, refusal("key_used", "T.stale", text)

    def stale(
        self, history: History, event: Event, author: Author, version: int | None
    ) -> Refusal | None:
        """Whether the question that this answers is no longer asked."""
        if version is None or version == history.at or isinstance(event, AMENDMENTS):
            return None
        state, before = history.state, self._asked.get(version)
        if state is None:
            return None
        if before is not None and _same(history, before, event, author):
            return None
        since = [one.say for one in told(history, NEWEST) if one.at > version]
        text = "The table has moved on. {news} Now: {title}"
        return refusal("stale", "T.stale", text, news=since, title=history.rules.describe_phase(state))

    def done(self, history: History, mark: str, written: bytes) -> None:
        """This was granted, and the game asks on."""
        if history.at <= 1:
            self._asked.clear()
        if mark:
            self._granted[mark] = written
            if len(self._granted) > KEPT:
                del self._granted[next(iter(self._granted))]
        self._asked[history.at] = history.state
        if len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)

    def recall(self, granted: Mapping[str, bytes]) -> None:
        """What was granted before the Pi was started again."""
        self._granted = dict(granted)


def _same(history: History, before: Any, event: Event, author: Author) -> bool:
    """Whether the game asks the same of this seat now as it did before."""
    rules, now = history.rules, history.state
    row, was = (rules.find_row(state, type(event)) for state in (now, before))
    if row is None or row is not was or before.hands.round != now.hands.round:
        return False
    same = (before.id, before.active) == (now.id, now.active)
    return same and row.choices(before, author.seat) == row.choices(now, author.seat)


def _came_to(granted: bytes, event: Event) -> bool:
    """Whether what was written is what was found where the cards were right."""
    if not isinstance(event, Settled) or event.way != "cards":
        return False
    found = msgspec.json.decode(granted)
    return (found["event"], found.get("place")) == ("found", event.place)
