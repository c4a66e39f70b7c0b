"""Provenance: which moments brought a fact, through what device, proven or not, mended by whom.

Law: a moment says of itself what everyone may hear, and no more. That a hand was closed again is
nobody's business: it counts as closed when it was closed first.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from companion.core.events import Entered, Opened, Sealed
from companion.core.i18n import Message
from companion.core.table_events import Corrected, Found
from companion.games.disputes import Ground, Watch
from companion.table.activity_log import in_words
from companion.table.history import History, Moment, Retold

Proof = Literal["", "proven", "entered"]
Pages = Sequence[Retold]


class Mended(msgspec.Struct, frozen=True):
    """By which moment another one was corrected, through what, and why."""

    at: int
    via: str
    reason: str


class Source(msgspec.Struct, frozen=True):
    """A moment that brought a fact, in its own words."""

    at: int
    say: Message
    via: str
    when: float
    mended: Mended | None = None


class Fact(msgspec.Struct, frozen=True):
    """A fact of a verdict, and where it came from: `proven` by a seal, or `entered` unproven."""

    say: Message
    sources: tuple[Source, ...]
    proof: Proof = ""


def source(history: History, moment: Moment) -> Source:
    """A moment as a source, as the log now has it."""
    event = history.instead.get(moment.at, moment.event)
    reason = getattr(event, "reason", "") if isinstance(event, Found) else ""
    mended = Mended(moment.at, moment.via, reason) if reason else correction(history, moment.at)
    return Source(moment.at, in_words(history, event), moment.via, moment.when, mended)


def correction(history: History, at: int) -> Mended | None:
    """The correction that counts of a moment, if there is one."""
    if at not in history.instead:
        return None
    for moment in reversed(history.moments):
        event = moment.event
        counts = isinstance(event, Corrected) and moment.at not in history.struck
        if counts and event.target == at:  # type: ignore[attr-defined]
            return Mended(moment.at, moment.via, event.reason)  # type: ignore[attr-defined]
    return None


def fact(history: History, pages: Pages, ground: Ground) -> Fact:
    """A ground with the moments that brought it; the last page is the deciding moment."""
    proof, moments = _hand(pages, ground.hand) if ground.hand else ("", _moments(pages, ground))
    sources = (history.moment(at) for at in sorted(set(moments)))
    return Fact(ground.say, tuple(source(history, one) for one in sources if one), proof)


def _moments(pages: Pages, ground: Ground) -> list[int]:
    if ground.card is not None:
        return _card(pages, *ground.card)
    assert ground.since is not None
    changed = list(_changes(pages if ground.after else pages[:-1], ground.since))
    return changed if ground.every else changed[-1:]


def _changes(pages: Pages, watch: Watch) -> Iterator[int]:
    """The moments at which what is watched became something else."""
    before: Any = None
    for page in pages:
        now = watch(page.after.state)
        if now != before:
            yield page.moment.at
        before = now


def _card(pages: Pages, place: int, slot: int) -> list[int]:
    """When the card came to lie there, and when it became known which it is."""
    last = pages[-1]
    if isinstance(last.event, Found) and last.event.place == place:
        return [last.moment.at]
    laid, _ = pages[-2].after.laid[place][slot - 1]
    named = list(_changes(pages[:-1], lambda state: _name(last.after, state, place, slot)))
    known = _name(last.after, pages[-2].after.state, place, slot) is not None
    return [laid, named[-1] if named and known else last.moment.at]


def _name(history: History, state: Any, place: int, slot: int) -> str | None:
    cards = history.rules.expected_cards(state).get(place, ())
    return cards[slot - 1] if slot <= len(cards) else None


def _hand(pages: Pages, seat: int) -> tuple[Proof, list[int]]:
    """When a hand was closed, when it was opened, and whether its seal proves it."""
    opened = _last(pages, seat, Opened, Entered)
    closed = _last(pages, seat, Sealed)
    proof: Proof = "entered" if opened and isinstance(opened.event, Entered) else "proven"
    return proof, [page.moment.at for page in (closed, opened) if page]


def _last(pages: Pages, seat: int, *kinds: type) -> Retold | None:
    for page in reversed(pages):
        if isinstance(page.event, kinds) and getattr(page.event, "seat", 0) == seat:
            return page
    return None
