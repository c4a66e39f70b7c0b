"""Idempotency of requests: repeated, late, or made on an old screen.

Laws: a request counts once, however often it arrives; one made on a screen that no longer shows the
question is refused with the news since then. An event of another seat in between does not make a
question old.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Deciding, Event, to_json
from companion.core.sweep import Revealing
from companion.core.table_events import AMENDMENTS, Settled
from companion.games.game_state import GameState
from companion.table.activity_log import log_entries
from companion.table.history import History
from companion.table.permissions import Author

KEY_PATTERN = re.compile(r"[A-Za-z0-9-]{1,64}")
NEWS_ENTRIES = 3
"""Most entries of news in the refusal of a request that comes too late."""
MAX_GRANTED = 5_000
"""Granted requests that are kept: those of several games."""
MAX_VERSIONS = 64
"""Versions back that a request can still be matched with its question."""


class GrantedRequests:
    """The requests that a table has granted, and the states in which its game asked.

    A retry of a request from the previous game is answered as granted and has no effect.
    """

    def __init__(self) -> None:
        self._granted: dict[str, bytes] = {}
        self._states: OrderedDict[int, GameState | None] = OrderedDict()

    def scoped_key(self, author: Author, key: str) -> str:
        """Return the key with its device, as the journal keeps it."""
        return f"{author.via} {key}" if key else ""

    def check_key(self, author: Author, key: str, event: Event) -> tuple[bool, Refusal | None]:
        """Return whether this request was granted before, or why its key is bad."""
        if not key:
            return False, None
        if not KEY_PATTERN.fullmatch(key):
            text = "The key of a request is 1 to 64 letters, digits or hyphens."
            return False, refusal("bad_key", "T.stale", text)
        granted = self._granted.get(self.scoped_key(author, key))
        if granted is None or _is_same_request(granted, event):
            return granted is not None, None
        text = "This key belongs to another request."
        return False, refusal("key_used", "T.stale", text)

    def check_stale(
        self, history: History, event: Event, author: Author, version: int | None
    ) -> Refusal | None:
        """Refuse if the view version is old and the question no longer open."""
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
        """Keep a granted request, and the state in which the game asks on."""
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
        """Keep what was granted before a restart."""
        self._granted = dict(granted)


def _is_same_question(
    history: History, asked_state: GameState, event: Event, author: Author
) -> bool:
    """Return whether the game asks the same of this seat now as it did before."""
    rules, now = history.rules, history.state
    if now is None:
        return False
    row, was = (rules.find_row(state, type(event)) for state in (now, asked_state))
    if row is None or row is not was or asked_state.hands.round != now.hands.round:
        return False
    same = (asked_state.id, asked_state.active) == (now.id, now.active)
    return same and row.choices(asked_state, author.seat) == row.choices(now, author.seat)


def _is_same_request(granted: bytes, event: Event) -> bool:
    """Return whether `granted` is what was written for this event, with what readers know of it."""
    if isinstance(event, Revealing | Deciding):
        fields = msgspec.json.decode(granted)
        event = msgspec.structs.replace(event, covered=())
        return bool({**fields, "covered": ()} == {**msgspec.to_builtins(event), "covered": ()})
    return granted == to_json(event) or _is_settled_as(granted, event)


def _is_settled_as(granted: bytes, event: Event) -> bool:
    """Return whether `granted` is what was found where the cards were right."""
    if not isinstance(event, Settled) or event.way != "cards":
        return False
    found = msgspec.json.decode(granted)
    return (found["event"], found.get("place")) == ("found", event.place)
