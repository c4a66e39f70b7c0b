"""Idempotency of requests: repeated, late, or made on an old screen.

Laws: a request counts once, however often it arrives: the journal keeps its key with the event that
was written for it, of the games before too. One made on a screen that no longer shows the question
is refused with the news since then. An event of another seat in between does not make a question
old.
"""

import re

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Deciding, Event, to_json
from companion.core.sweep import Revealing
from companion.core.table_events import AMENDMENTS, Settled
from companion.games.game_state import GameState
from companion.journal import Journal
from companion.table.activity_log import log_entries
from companion.table.history import History, history_at
from companion.table.permissions import Author

KEY_PATTERN = re.compile(r"[A-Za-z0-9-]{1,64}")
NEWS_ENTRIES = 3
"""Most entries of news in the refusal of a request that comes too late."""


def scope_key(author: Author, key: str) -> str:
    """Return the key of a request with its device, as the journal keeps it."""
    return f"{author.via} {key}" if key else ""


def check_repeated(
    journal: Journal, author: Author, key: str, event: Event
) -> tuple[bool, Refusal | None]:
    """Return whether this request was granted before, or why its key is bad."""
    if not key:
        return False, None
    if not KEY_PATTERN.fullmatch(key):
        text = "The key of a request is 1 to 64 letters, digits or hyphens."
        return False, refusal("bad_key", "T.stale", text)
    written = journal.find_request(scope_key(author, key))
    if written is None or _is_same_request(written, event):
        return written is not None, None
    text = "This key belongs to another request."
    return False, refusal("key_used", "T.stale", text)


def _is_same_request(written: bytes, event: Event) -> bool:
    """Return whether this was written for this event, with what readers know of it."""
    if isinstance(event, Revealing | Deciding):
        fields = msgspec.json.decode(written)
        event = msgspec.structs.replace(event, covered=())
        return bool({**fields, "covered": ()} == {**msgspec.to_builtins(event), "covered": ()})
    return written == to_json(event) or _is_settled_as(written, event)


def _is_settled_as(written: bytes, event: Event) -> bool:
    """Return whether this is what was found where the cards were right."""
    if not isinstance(event, Settled) or event.way != "cards":
        return False
    found = msgspec.json.decode(written)
    return (found["event"], found.get("place")) == ("found", event.place)


def check_stale(
    history: History, event: Event, author: Author, version: int | None
) -> Refusal | None:
    """Refuse if the view version is old and the question no longer open."""
    if version is None or version == history.at or isinstance(event, AMENDMENTS):
        return None
    state = history.state
    if state is None:
        return None
    before = history_at(history, version).state if version < history.at else None
    if before is not None and _is_same_question(history, before, event, author):
        return None
    since = [one.say for one in log_entries(history, NEWS_ENTRIES) if one.at > version]
    text = "The table has moved on. {news} Now: {title}"
    return refusal("stale", "T.stale", text, news=since, title=history.rules.describe_phase(state))


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
    same = asked_state.active == now.active
    return same and row.choices(asked_state, author.seat) == row.choices(now, author.seat)
