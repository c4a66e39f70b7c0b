"""Settling: what the table's answer to a to-do comes to.

Law: the cards are right, then what lies there is noted as it lies, at the place they came from as
well, all of it or nothing; the log is right, then nobody asks again until somebody touches it; by
hand, then the reader of that place is not listened to.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.errors import Refusal, refusal
from companion.core.events import Event
from companion.core.table_events import Found, Settled
from companion.table import permissions
from companion.table.history import History, happen
from companion.table.permissions import Author
from companion.tracking import Gap
from companion.tracking.tracker import Eyes


class Noted(NamedTuple):
    """An event, and the tags at a place that it is about."""

    event: Event
    place: int
    tags: tuple[str, ...]


def answer(
    history: History, eyes: Eyes, gaps: Sequence[Gap], event: Settled, author: Author
) -> list[Noted] | Refusal:
    """What is to be noted for this answer."""
    here = [gap for gap in gaps if gap.place == event.place]
    if not here and event.way in ("cards", "log"):
        text = "At place {place} there is nothing to settle."
        return refusal("nothing_to_do", "T.todo", text, place=event.place)
    if event.way != "cards":
        return [Noted(event, event.place, tuple(tag for gap in here for tag in gap.tags))]
    homes = sorted({gap.home for gap in here if gap.home})
    return _as_they_lie(history, eyes, (*homes, event.place), author)


def _as_they_lie(
    history: History, eyes: Eyes, places: Sequence[int], author: Author
) -> list[Noted] | Refusal:
    """What lies at these places now; refused as a whole if the rules do not grant one of them."""
    lying = [(place, *eyes.lying(place, history.state)) for place in places]
    noted = [Noted(Found(place, cards), place, tags) for place, cards, tags in lying]
    for event, _, _ in noted:
        refused = permissions.refuse(history, event, author)
        if refused is not None:
            return refused
        history = happen(history, event, author.via)
    return noted


def remember(eyes: Eyes, event: Event, tags: tuple[str, ...]) -> None:
    """Have the eyes look as the table settled it."""
    if isinstance(event, Settled) and event.way == "log":
        eyes.accept(event.place, tags)
    elif isinstance(event, Settled):
        eyes.play_by_hand(event.place, event.way == "hand")
