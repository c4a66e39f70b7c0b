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
from companion.table.activity_log import log_entries
from companion.table.history import History
from companion.table.permissions import Author

KEY_PATTERN = re.compile(r"[A-Za-z0-9-]{1,64}")
NEWS_ENTRIES = 3
"""So many of the last moments are told to whoever comes too late."""
MAX_GRANTED = 5_000
"""So many granted requests are kept: those of several games."""
MAX_VERSIONS = 64
"""So many versions back an answer can still be matched with its question."""


class GrantedRequests:
    """The requests that a table has granted, and the questions that its game asked.

    One of the last game that comes late still counts as granted, and does nothing in the next.
    """

    def __init__(self) -> None:
        self._granted: dict[str, bytes] = {}
        self._states: OrderedDict[int, Any] = OrderedDict()

    def scoped_key(self, author: Author, key: str) -> str:
        """The key as the journal has it: nobody's keys are in another's way."""
        return f"{author.via} {key}" if key else ""

    def check_key(self, author: Author, key: str, event: Event) -> tuple[bool, Refusal | None]:
        """Whether this very request was granted before, or its key cannot be used."""
        if not key:
            return False, None
        if not KEY_PATTERN.fullmatch(key):
            text = "The key of a request is 1 to 64 letters, digits or hyphens."
            return False, refusal("bad_key", "T.stale", text)
        granted = self._granted.get(self.scoped_key(author, key))
        if granted is None or granted == to_json(event) or _is_settled_as(granted, event):
            return granted is not None, None
        text = "This key belongs to another request."
        return False, refusal("key_used", "T.stale", text)

    def check_stale(
        self, history: History, event: Event, author: Author, version: int | None
    ) -> Refusal | None:
        """Whether the question that this answers is no longer asked."""
        if version is None or version == history.at or isinstance(event, AMENDMENTS):
            return None
        state, before = history.state, self._states.get(version)
        if state is None:
            return None
        if before is not None and _is_same_question(history, before, event, author):
            return None
        since = [one.say for one in log_entries(history, NEWS_ENTRIES) if one.at > version]
        text = "The table has moved on. {news} Now: {title}"
        return refusal(
            "stale", "T.stale", text, news=since, title=history.rules.describe_phase(state)
        )

    def record_granted(self, history: History, key: str, written: bytes) -> None:
        """This was granted, and the game asks on."""
        if history.at <= 1:
            self._states.clear()
        if key:
            self._granted[key] = written
            if len(self._granted) > MAX_GRANTED:
                del self._granted[next(iter(self._granted))]
        self._states[history.at] = history.state
        if len(self._states) > MAX_VERSIONS:
            self._states.popitem(last=False)

    def restore_granted(self, granted: Mapping[str, bytes]) -> None:
        """What was granted before the Pi was started again."""
        self._granted = dict(granted)


def _is_same_question(history: History, before: Any, event: Event, author: Author) -> bool:
    """Whether the game asks the same of this seat now as it did before."""
    rules, now = history.rules, history.state
    row, was = (rules.find_row(state, type(event)) for state in (now, before))
    if row is None or row is not was or before.hands.round != now.hands.round:
        return False
    same = (before.id, before.active) == (now.id, now.active)
    return same and row.choices(before, author.seat) == row.choices(now, author.seat)


def _is_settled_as(granted: bytes, event: Event) -> bool:
    """Whether what was written is what was found where the cards were right."""
    if not isinstance(event, Settled) or event.way != "cards":
        return False
    found = msgspec.json.decode(granted)
    return (found["event"], found.get("place")) == ("found", event.place)
